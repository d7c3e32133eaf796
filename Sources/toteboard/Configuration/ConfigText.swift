import Dashboard
import Localization

/// A complete configuration as text, with a description of each setting.
struct ConfigText {
  let words: Catalog
  private(set) var lines: [String] = []

  private static let columns = 78

  /// Returns the configuration with all default values.
  static func defaults(_ words: Catalog) -> String {
    var text = ConfigText(words: words)
    text.write()
    return text.lines.joined(separator: "\n") + "\n"
  }

  private mutating func write() {
    comment(words(.configIntroduction))
    let configuration = Configuration()
    for group in Setting.Group.allCases {
      paragraph(group.title)
      for setting in Setting.all where setting.group == group {
        paragraph(setting.help)
        lines.append(
          setting.text(configuration).map { "\(setting.key) = \($0)" } ?? "# \(setting.key) = \(setting.example ?? "")")
      }
    }
    paragraph(.configChannels)
    lines += [
      #"# [[channel]]"#, #"# title = "Tennis""#, #"# kind = "live""#, #"# sport = "3""#, "# matches = 50",
      "# markets = 3",
      "#", "# [[channel]]", #"# title = "Final""#, #"# topic = "/sports/{op}/{lang}/273905045266774016/match-odds""#,
      "#", "# [[channel]]", #"# title = "Cricket""#, #"# kind = "next""#, #"# sport = "4""#, "# levels = 1",
      "# volumes = false",
    ]
    paragraph(.configAlerts)
    lines += ["# [[alert]]", #"# rule = "favourite < 1.5""#]
    paragraph(.configThemes)
    lines += ["# [themes.mine]", #"# rising = "bold green""#]
    paragraph(.configKeys)
    lines.append("[keys]")
    writeKeys()
  }

  private mutating func writeKeys() {
    let keys = Dictionary(uniqueKeysWithValues: KeyMap.standard.bindings.map { ($0.name, $0.keys) })
    for group in KeyBinding.Group.allCases {
      paragraph(group.title)
      for binding in KeyBinding.all where binding.group == group {
        comment(words(binding.help))
        lines += binding.names.map { "\($0) = \(TOMLText.list(keys[$0] ?? []))" }
      }
    }
  }

  /// Writes a comment after an empty line.
  private mutating func paragraph(_ text: MessageKey) {
    lines.append("")
    comment(words(text))
  }

  private mutating func comment(_ text: String) { lines += text.wrapped(to: Self.columns - 2).map { "# \($0)" } }
}
