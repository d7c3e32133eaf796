import ArgumentParser
import FeedNetwork
import Localization
import OddsFeed

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A token as it is given on the command line; no message shows it.
struct TokenArgument: ExpressibleByArgument, CustomStringConvertible {
  let text: String

  init?(argument: String) { text = argument }

  var description: String { "•••" }
}

/// Where a token comes from.
enum Credentials {
  static let variable = "TOTEBOARD_TOKEN"

  /// The token of an option, itself or in a file, of the environment, or of the file that the configuration names, in this
  /// order; nil where there is none.
  static func token(
    _ given: TokenArgument?, file: String?, configured: String?, environment: [String: String]
  ) throws -> Secret? {
    if let given { return try Secret(token: given.text, from: "--token") }
    if file == nil, let token = environment[variable], !token.isEmpty {
      return try Secret(token: token, from: variable)
    }
    return try (file ?? configured).map {
      try Secret(token: content(of: $0), from: LocalizedMessage(.tokenFromFile, $0))
    }
  }

  /// The file's one line. Says so where others can read it.
  private static func content(of file: String) throws -> String {
    func problem(_ what: MessageKey) -> FeedError {
      FeedError(what, file, LocalizedMessage.ofLastCall, remedy: .remedyTokenFile)
    }
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(.tokenFileUnopened) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRGRP | S_IROTH) != 0 {
      try Output.note(LocalizedMessage(.noteTokenReadable, file))
    }
    var bytes = [UInt8](repeating: 0, count: 64 << 10)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw problem(.tokenFileUnreadable) }
    guard count < bytes.count else { throw problem(.tokenFileTooLong) }
    guard let text = String(validating: bytes[..<count], as: UTF8.self) else { throw problem(.tokenFileNoText) }
    return String(text.trimmingSuffix { $0.isWhitespace })
  }
}

extension String {
  fileprivate func trimmingSuffix(while isDropped: (Character) -> Bool) -> Substring {
    self[..<(lastIndex { !isDropped($0) }.map(index(after:)) ?? startIndex)]
  }
}
