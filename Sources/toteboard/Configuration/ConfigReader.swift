import Dashboard
import Localization
import Platform
import TOMLKit
import TerminalCore

/// An error in a configuration file.
struct ConfigError: Error, Hashable {
  /// The line number, from 1; nil for the whole file.
  let line: Int?
  let message: LocalizedMessage

  func sentence(_ path: String) -> LocalizedMessage {
    guard let line else { return LocalizedMessage(.failureOf, path, message) }
    return LocalizedMessage(.configFault, path, "\(line)", message)
  }
}

/// A reader of a configuration text. It continues after an error, to report all of them.
struct ConfigReader {
  var configuration = Configuration()
  /// The errors, in the order of the lines.
  private(set) var faults: [ConfigError] = []
  let lines: TOMLLines

  /// Returns the configuration of a text. Throws the error with the lowest line.
  static func configuration(_ text: String) throws(ConfigError) -> Configuration {
    let reader = ConfigReader(text)
    if let fault = reader.faults.first { throw fault }
    return reader.configuration
  }

  init(_ text: String) {
    let text = Self.withoutMark(text)
    if let (line, character) = Self.firstControlCharacter(in: text) {
      lines = TOMLLines("")
      faults = [ConfigError(line: line, message: LocalizedMessage(.configControlCharacter, character))]
      return
    }
    let root: TOMLTable
    do { root = try TOMLTable(string: text) } catch {
      lines = TOMLLines("")
      let fault = error as? TOMLParseError
      let why = LocalizedMessage.foreign(fault?.description ?? "\(error)")
      faults = [ConfigError(line: fault?.source.begin.line, message: LocalizedMessage(.configNoTOML, why))]
      return
    }
    lines = TOMLLines(text)
    read(root)
    faults.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// Returns the text without the byte order mark that some editors add.
  static func withoutMark(_ text: String) -> String {
    text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? String(decoding: text.utf8.dropFirst(3), as: UTF8.self) : text
  }

  /// Returns the line and name of a control character that TOML forbids. NB: the parser ignores all text after a NUL.
  private static func firstControlCharacter(in text: String) -> (line: Int, name: String)? {
    var (line, previous) = (1, UInt8(0))
    func name(_ byte: UInt8) -> String { "U+00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16, uppercase: true))" }
    for byte in text.utf8 {
      if previous == 0x0D, byte != 0x0A { return (line, name(previous)) }
      switch byte {
      case 0x0A: line += 1
      case 0x09, 0x0D: break
      case 0x00..<0x20, 0x7F: return (line, name(byte))
      default: break
      }
      previous = byte
    }
    return previous == 0x0D ? (line, name(previous)) : nil
  }

  private static let tables = ["channel", "keys", "alert", "themes"]

  private mutating func read(_ root: TOMLTable) {
    check(root, knows: Setting.all.map(\.key) + Self.tables, at: [])
    for setting in Setting.all {
      guard let value = root[setting.key] else { continue }
      if let message = setting.apply(value, &configuration) { fault(lines[setting.key], message) }
    }
    readThemes(root["themes"])
    findTheme()
    configuration.channels = tableList(root, "channel") { $0.channel($1, $2) }
    if !configuration.keepsStandardChannels, configuration.channels.isEmpty {
      fault(lines["standard_channels"], LocalizedMessage(.configNoChannel))
    }
    configuration.settings.alerts = tableList(root, "alert") { $0.alert($1, $2) }
    readKeys(root["keys"])
  }

  /// Applies the theme of the key `theme`. Called after `readThemes`, because a table of the file can define the theme.
  private mutating func findTheme() {
    let (settings, name) = (configuration.settings, configuration.themeName)
    if let theme = settings.theme(named: name) {
      configuration.settings.theme = theme
    } else {
      let names = settings.themes.map(\.name)
      fault(lines["theme"], LocalizedMessage(.configNoChoice, "theme", name.cleaned, LocalizedMessage.list(names)))
    }
  }

  mutating func fault(_ line: Int?, _ message: LocalizedMessage) {
    faults.append(ConfigError(line: line, message: message))
  }

  /// Reports the unknown keys of a table. `path` is the path of the table.
  mutating func check(_ table: TOMLTable, knows keys: [String], at path: [String]) {
    for key in table.keys where !keys.contains(key) {
      let message = LocalizedMessage(
        .configUnknownKey, key.cleaned, LocalizedMessage.list(keys.closestMatches(to: key)))
      fault(lines[path + [key]], message)
    }
  }

  /// Returns the values of a list of tables, without the invalid ones.
  private mutating func tableList<Value>(
    _ root: TOMLTable, _ key: String, _ read: (inout ConfigReader, TOMLTable, Int) -> Value?
  ) -> [Value] {
    guard let value = root[key] else { return [] }
    guard let list = value.array else {
      fault(lines[key], LocalizedMessage(.configNoList, key))
      return []
    }
    var values: [Value] = []
    for (place, element) in list.enumerated() {
      if let table = element.table {
        if let value = read(&self, table, place) { values.append(value) }
      } else {
        fault(lines[key, "\(place)"], LocalizedMessage(.configNoTable, key))
      }
    }
    return values
  }
}
