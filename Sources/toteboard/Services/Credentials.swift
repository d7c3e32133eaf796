import AccountModel
import Algorithms
import ArgumentParser
import CLibrary
import FeedNetwork
import Localization
import OddsModel
import Platform

/// A token from the command line. Its description hides the text.
struct TokenArgument: ExpressibleByArgument, CustomStringConvertible {
  let text: String

  init?(argument: String) { text = argument }

  var description: String { "•••" }
}

/// The sources of a token.
enum Credentials {
  static let variable = "TOTEBOARD_TOKEN"
  private static let maxBytes = 64 << 10

  /// Returns the first token of: option, file of the option, environment, configured file; nil if there is none.
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

  /// Returns the application key of Betfair in a file.
  static func appKey(file: String) throws -> Secret {
    let unfit = FeedError(.appKeyUnfit, file, remedy: .remedyAppKeyFile)
    let text = try content(of: file, note: .noteAppKeyReadable) { key in
      [.tokenFileUnopened, .tokenFileUnreadable].contains(key)
        ? FeedError(.appKeyUnreadable, file, LocalizedMessage.ofLastCall, remedy: .remedyAppKeyFile) : unfit
    }
    do { return try Secret(token: text, from: file) } catch { throw unfit }
  }

  private static func content(of file: String) throws -> String {
    try content(of: file, note: .noteTokenReadable) {
      FeedError($0, file, LocalizedMessage.ofLastCall, remedy: .remedyTokenFile)
    }
  }

  /// Returns the text of the file without trailing whitespace. Warns if other users can read the file.
  private static func content(
    of file: String, note: MessageKey, problem: (MessageKey) -> FeedError
  ) throws -> String {
    let descriptor = open(file, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw problem(.tokenFileUnopened) }
    defer { close(descriptor) }
    var status = stat()
    if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_mode & (S_IRGRP | S_IROTH) != 0 {
      try Output.note(LocalizedMessage(note, file))
    }
    guard let bytes = FileReading.bytes(of: descriptor, limit: maxBytes) else { throw problem(.tokenFileUnreadable) }
    guard bytes.count < maxBytes else { throw problem(.tokenFileTooLong) }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw problem(.tokenFileNoText) }
    return String(text.trimmingSuffix(while: \.isWhitespace))
  }
}
