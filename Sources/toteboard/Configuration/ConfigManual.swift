import Dashboard
import Localization
import ManualPage
import TerminalCore

/// The manual page toteboard-config(5), generated from the tables of settings, keys and theme parts.
struct ConfigManual {
  let words: Catalog

  /// A configuration with each kind of table.
  static let example = """
    theme = "light"
    throttle = "100ms"
    zone = "UTC"

    [[channel]]
    title = "Ice hockey"
    kind = "live"
    sport = "6"

    [[alert]]
    rule = "favourite < 1.5"

    [themes.mine]
    base = "dark"
    rising = "bold #00ff88"

    [keys]
    quit = ["q", "Ctrl-Q"]
    """

  /// The page in roff.
  var roff: String {
    let groups = Setting.Group.allCases.map { group in
      ManualPage.Section(words(group.title), list: Setting.all.filter { $0.group == group }.map(entry))
    }
    let tables: [ManualPage.Section] = [
      .init(words(.manualChannels), text: table("[[channel]]", .configChannels), list: entries(TableSetting.channel)),
      .init(words(.manualAlerts), text: table("[[alert]]", .configAlerts), list: entries(TableSetting.alert)),
      .init(
        words(.manualThemes), text: "\(table("[themes.NAME]", .configThemes)) \(words(.manualColors))",
        list: entries(TableSetting.theme)),
      .init(
        words(.manualKeys), text: "\(table("[keys]", .configKeys)) \(words(.manualKeyNameList))",
        list: KeyBinding.all.map(entry)),
      .init(words(.manualExample), verbatim: Self.example),
      .init(words(.manualFiles), list: [("~/.config/toteboard/config.toml", words(.manualConfig))]),
      .init(words(.manualSeeAlso), list: [("toteboard(1)", words(.manualSummary))]),
    ]
    return ManualPage(
      Toteboard.self, name: "toteboard-config", chapter: .files, summary: words(.manualConfigSummary),
      [.init(words(.manualDescription), text: words(.manualConfigAbout))] + groups + tables
    ).roff
  }

  private func entry(_ setting: Setting) -> (name: String, text: String) {
    let (help, kind) = (words(setting.help), words(setting.kind.name))
    if let value = setting.text(Configuration()) {
      return (setting.key, words(.manualSettingDefault, help, kind, value))
    }
    return (setting.key, words(.manualSettingExample, help, kind, setting.example ?? ""))
  }

  /// Returns the entry of commands with their default keys, as they are written in the file.
  private func entry(_ binding: KeyBinding) -> (name: String, text: String) {
    let keys = binding.names.map { TOMLText.list(Self.standardKeys[$0] ?? []) }.joined(separator: ", ")
    let name = binding.names.joined(separator: ", ")
    let help = words(.manualSentence, words(binding.help))
    return (name, words(.manualSettingDefault, help, words(.manualTextOrList), keys))
  }

  private func entries(_ settings: [TableSetting]) -> [(name: String, text: String)] {
    settings.map { ($0.key, words(.manualTableSetting, words($0.help), words($0.kind.name))) }
  }

  private func table(_ name: String, _ help: MessageKey) -> String { "\(name): \(words(help))" }

  private static let standardKeys = Dictionary(
    uniqueKeysWithValues: KeyMap.standard.bindings.map { ($0.name, $0.keys) })
}
