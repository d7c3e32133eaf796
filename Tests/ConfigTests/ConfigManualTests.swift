import Dashboard
import Localization
import TerminalCore
import Testing

@testable import toteboard

@Suite("The manual page of the configuration")
struct ConfigManualTests {
  private static func names(_ language: Language) -> Set<String> {
    let lines = ConfigManual(words: Catalog(language)).roff.split(separator: "\n")
    return Set(lines.filter { $0.hasPrefix(".B ") }.map { String($0.dropFirst(3)).replacing("\\-", with: "-") })
  }

  @Test("It has every setting, every part of a theme and every command, in each language", arguments: Language.allCases)
  func isComplete(language: Language) {
    let names = Self.names(language)
    for setting in Setting.all { #expect(names.contains(setting.key), "\(setting.key)") }
    for part in Theme.parts + ["base", "rule"] { #expect(names.contains(part), "\(part)") }
    for setting in TableSetting.channel { #expect(names.contains(setting.key), "\(setting.key)") }
    for binding in KeyBinding.all { #expect(names.contains(binding.names.joined(separator: ", "))) }
  }

  @Test("A setting has its type, and its default as it is written in the file")
  func typesAndDefaults() {
    let page = ConfigManual(words: .english).roff
    #expect(page.hasPrefix(".TH TOTEBOARD\\-CONFIG 5 "))
    for (name, rest) in [
      ("fps", "Type: whole number. Default: 60."), ("mouse", "Type: true or false. Default: true."),
      ("odds", "Type: text. Example: \"decimal\"."), ("fair", "Type: text. Default: \"proportional\"."),
      ("rate", "Type: number. Default: 10.0."),
      ("login", "Type: text. Example: \"anna\"."), ("markets", "Type: whole number."),
      ("levels", "Type: whole number."), ("volumes", "Type: true or false."),
      ("quit", "Type: text or list of texts. Default: [\"q\", \"Ctrl\\-C\"]."),
      ("pause", "Type: text or list of texts. Default: []."),
    ] {
      let entry = page.split(separator: "\n.TP\n").first { $0.hasPrefix(".B \(name)\n") }
      let text = entry?.split(separator: "\n").dropFirst().first
      #expect(text?.hasSuffix(rest) == true, "\(name): \(text ?? "missing")")
    }
  }

  @Test("Its types are those that the reader accepts")
  func types() {
    for setting in Setting.all {
      guard let value = setting.text(Configuration()) else {
        #expect(setting.kind == .text || setting.kind == .list, "\(setting.key)")
        continue
      }
      switch setting.kind {
      case .text: #expect(value.hasPrefix("\""), "\(setting.key)")
      case .flag: #expect(value == "true" || value == "false", "\(setting.key)")
      case .count: #expect(Int(value) != nil, "\(setting.key)")
      case .list: #expect(value.hasPrefix("["), "\(setting.key)")
      case .number: #expect(Double(value) != nil, "\(setting.key)")
      }
    }
  }

  @Test("Its example is a configuration without errors")
  func example() {
    let reader = ConfigReader(ConfigManual.example)
    #expect(reader.faults.map(\.message.description) == [])
    #expect(reader.configuration != Configuration())
  }

  @Test("Its theme settings are the parts of a theme")
  func themeParts() {
    #expect(TableSetting.theme.dropFirst().map(\.key) == Theme.parts)
  }
}
