import CLibrary
import Localization
import Platform
import TOMLKit

/// The configuration file, and its reading.
struct ConfigFile {
  let path: String
  /// True if the user named the file, which must then exist.
  let isWanted: Bool

  /// Creates the file that the user named, or else the default file; nil if there is no directory for it.
  init?(_ given: String?, environment: [String: String]) {
    guard let path = given ?? XDGDirectory.config.path(environment).map({ "\($0)/config.toml" }) else { return nil }
    self.path = path
    isWanted = given != nil
  }

  /// Returns the configuration of the file; all defaults if the file is missing.
  func configuration() throws(ConfigError) -> Configuration {
    guard let text = try text() else { return Configuration() }
    return try ConfigReader.configuration(text)
  }

  /// The supported language that the file names; nil if there is none. Ignores errors elsewhere in the file.
  var language: Language? {
    let text = (try? text()) ?? nil
    return text.flatMap { try? TOMLTable(string: ConfigReader.withoutMark($0)) }?["language"]?.string.flatMap {
      Language(tag: $0)
    }
  }

  /// Returns the text of the file; nil if the default file is missing.
  func text() throws(ConfigError) -> String? {
    var status = stat()
    if path == "/dev/null" { return "" }
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { throw Self.noFile }
    // NB: non-blocking, because the path may now be a pipe or a terminal, and must not wait for a writer.
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard file >= 0 else {
      if !isWanted, errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigError(line: nil, message: LocalizedMessage(.configUnopened, LocalizedMessage.ofLastCall))
    }
    defer { close(file) }
    guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { throw Self.noFile }
    guard let bytes = FileReading.bytes(of: file, limit: Self.maxBytes) else {
      throw ConfigError(line: nil, message: LocalizedMessage(.configUnopened, LocalizedMessage.ofLastCall))
    }
    guard bytes.count < Self.maxBytes, let text = String(validating: bytes, as: UTF8.self) else {
      throw ConfigError(line: nil, message: LocalizedMessage(.configIsNone))
    }
    return text
  }

  private static let maxBytes = 1 << 20
  private static var noFile: ConfigError { ConfigError(line: nil, message: LocalizedMessage(.configNoFile)) }
}
