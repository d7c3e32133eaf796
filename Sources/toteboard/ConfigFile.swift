import TOMLKit
import Wording

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
    return text.flatMap { try? TOMLTable(string: $0) }?["language"]?.string.flatMap { Language(tag: $0) }
  }

  /// Nil where there is none and none was asked for.
  func text() throws(ConfigFault) -> String? {
    guard let file = fopen(path, "re") else {
      if !isWanted, errno == ENOENT || errno == ENOTDIR { return nil }
      throw ConfigFault(line: nil, what: Sentence(.configUnopened, Sentence.ofLastCall))
    }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    guard count < bytes.count, ferror(file) == 0, let text = String(validating: bytes[..<count], as: UTF8.self) else {
      throw ConfigFault(line: nil, what: Sentence(.configIsNone))
    }
    return text
  }
}
