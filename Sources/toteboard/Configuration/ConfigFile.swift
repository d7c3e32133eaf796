import Localization
import TOMLKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The user's file.
struct ConfigFile {
  let path: String
  /// It was asked for, and has to be there.
  let isWanted: Bool

  /// The file that was asked for, or else the usual one; nil where there is no home to have one in.
  init?(_ given: String?, environment: [String: String]) {
    guard let path = given ?? Self.usualPath(environment) else { return nil }
    (self.path, isWanted) = (path, given != nil)
  }

  static func usualPath(_ environment: [String: String]) -> String? {
    // A relative path is to be ignored (XDG Base Directory Specification).
    let base = environment["XDG_CONFIG_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let home = environment["HOME"].flatMap { $0.isEmpty ? nil : "\($0)/.config" }
    return (base ?? home).map { "\($0)/toteboard/config.toml" }
  }

  /// What it says; all at its default where there is none.
  func configuration() throws(ConfigFault) -> Configuration {
    guard let text = try text() else { return Configuration() }
    return try ConfigReader.configuration(text)
  }

  /// The language that it names; nil where it names none of ours, whatever else is wrong with it.
  var language: Language? {
    let text = (try? text()) ?? nil
    return text.flatMap { try? TOMLTable(string: ConfigReader.withoutMark($0)) }?["language"]?.string.flatMap {
      Language(tag: $0)
    }
  }

  /// Nil where there is none and none was asked for.
  func text() throws(ConfigFault) -> String? {
    var status = stat()
    if path == "/dev/null" { return "" }
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw Self.noFile }
    // NB: what has become a pipe or a terminal since must not make us wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      if !isWanted, errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigFault(line: nil, what: LocalizedMessage(.configUnopened, LocalizedMessage.ofLastCall))
    }
    defer { close(file) }
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw Self.noFile }
    var bytes = [UInt8](repeating: 0, count: Self.maxBytes)
    var count = 0
    while count < bytes.count {
      let more = bytes.withUnsafeMutableBytes { read(file, $0.baseAddress! + count, $0.count - count) }
      if more < 0, errno == EINTR { continue }
      if more < 0 { throw ConfigFault(line: nil, what: LocalizedMessage(.configUnopened, LocalizedMessage.ofLastCall)) }
      if more == 0 { break }
      count += more
    }
    guard count < bytes.count, let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw ConfigFault(line: nil, what: LocalizedMessage(.configIsNone))
    }
    return text
  }

  private static let maxBytes = 1 << 20
  private static var noFile: ConfigFault { ConfigFault(line: nil, what: LocalizedMessage(.configNoFile)) }
}
