import Dashboard
import Localization
import TOMLKit
import TerminalCore

/// Something in a configuration that cannot be used.
struct ConfigFault: Error, Hashable {
  /// Counted from 1; nil where the whole file is meant.
  let line: Int?
  let what: LocalizedMessage

  /// What is said of it, with the file's name.
  func sentence(_ path: String) -> LocalizedMessage {
    guard let line else { return LocalizedMessage(.failureOf, path, what) }
    return LocalizedMessage(.configFault, path, "\(line)", what)
  }
}

/// Reads a configuration from its text, and goes on where something in it is wrong.
struct ConfigReader {
  var configuration = Configuration()
  /// What is wrong, from the top.
  private(set) var faults: [ConfigFault] = []
  let lines: TOMLLines

  /// What the text says; the first thing that is wrong with it is thrown.
  static func configuration(_ text: String) throws(ConfigFault) -> Configuration {
    let reader = ConfigReader(text)
    if let fault = reader.faults.first { throw fault }
    return reader.configuration
  }

  init(_ text: String) {
    let text = Self.withoutMark(text)
    if let (line, character) = Self.firstControlCharacter(in: text) {
      lines = TOMLLines("")
      faults = [ConfigFault(line: line, what: LocalizedMessage(.configControlCharacter, character))]
      return
    }
    let root: TOMLTable
    do { root = try TOMLTable(string: text) } catch {
      lines = TOMLLines("")
      let fault = error as? TOMLParseError
      let why = LocalizedMessage.foreign(fault?.description ?? "\(error)")
      faults = [ConfigFault(line: fault?.source.begin.line, what: LocalizedMessage(.configNoTOML, why))]
      return
    }
    lines = TOMLLines(text)
    read(root)
    faults.sort { ($0.line ?? 0) < ($1.line ?? 0) }
  }

  /// The text without the byte order mark that some editors put first.
  static func withoutMark(_ text: String) -> String {
    text.utf8.starts(with: [0xEF, 0xBB, 0xBF]) ? String(decoding: text.utf8.dropFirst(3), as: UTF8.self) : text
  }

  /// The line and the name of a control character that TOML does not allow. NB: the parser reads up to the first NUL.
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
      if let what = setting.take(value, &configuration) { fault(lines[setting.key], what) }
    }
    readThemes(root["themes"])
    findTheme()
    configuration.channels = tableList(root, "channel") { reader, table, place in
      reader.channel(table, place)
    }
    if !configuration.keepsStandardChannels, configuration.channels.isEmpty {
      fault(lines["standard_channels"], LocalizedMessage(.configNoChannel))
    }
    configuration.settings.alerts = tableList(root, "alert") { reader, table, place in reader.alert(table, place) }
    readKeys(root["keys"])
  }

  /// The theme that was named, which may be one of those that stand further down.
  private mutating func findTheme() {
    let (settings, name) = (configuration.settings, configuration.themeName)
    if let theme = settings.theme(named: name) {
      configuration.settings.theme = theme
    } else {
      let names = settings.themes.map(\.name)
      fault(lines["theme"], LocalizedMessage(.configNoChoice, "theme", name.cleaned, LocalizedMessage.list(names)))
    }
  }

  mutating func fault(_ line: Int?, _ what: LocalizedMessage) { faults.append(ConfigFault(line: line, what: what)) }

  /// Reports the keys of a table that are none. `path` leads to the table.
  mutating func check(_ table: TOMLTable, knows keys: [String], at path: [String]) {
    for key in table.keys where !keys.contains(key) {
      let what = LocalizedMessage(.configUnknownKey, key.cleaned, LocalizedMessage.list(keys.near(key)))
      fault(lines[path + [key]], what)
    }
  }

  /// What the tables of a list say; those that say nothing are left out.
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
