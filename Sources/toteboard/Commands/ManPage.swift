import ArgumentParser
import Dashboard
import Localization
import ManualPage

/// The command `toteboard man-page`: prints a manual page, generated from the options and the tables of keys and
/// settings.
struct ManPage: ParsableCommand {
  enum Page: String, ExpressibleByArgument, CaseIterable { case toteboard, config }

  static let configuration = CommandConfiguration(
    commandName: "man-page", abstract: CLILanguage.words(.aboutManPage), shouldDisplay: false)

  @Option(help: .phrase(.optionManPage))
  var page = Page.toteboard

  @OptionGroup var speech: SpeechOption

  mutating func run() throws {
    let words = CLILanguage.words
    if page == .config { return try Output.send(ConfigManual(words: words).roff.utf8) }
    let text = ParserText(words: words, columns: ManualPage.columns)
    let manual = ManualPage(
      Toteboard.self, summary: words(.manualSummary),
      [
        .init(words(.manualBoard), help: text.help(for: Toteboard.self)),
        .init("LIST", help: text.help(for: List.self)),
        .init("CHANGES", help: text.help(for: Changes.self)), .init("RECORD", help: text.help(for: Record.self)),
        .init("INSPECT", help: text.help(for: Inspect.self)), .init("HISTORY", help: text.help(for: History.self)),
        .init("CHART", help: text.help(for: ChartCommand.self)), .init("IMPORT", help: text.help(for: Import.self)),
        .init("ALERTS", help: text.help(for: AlertsCommand.self)),
        .init("CONFIG", help: text.help(for: Config.self)),
        .init(words(.manualKeys), list: KeyBinding.Group.allCases.flatMap { keys($0, words) }),
        .init(words(.manualConfiguration), text: words(.manualSettings)),
        .init(words(.manualCommands), list: Self.list(HelpRow.commands, words)),
        .init(words(.manualFilters), list: Self.list(HelpRow.filters, words)),
        .init(words(.manualAlerts), list: Self.list(HelpRow.rules, words)),
        .init(words(.manualEnvironment), list: Self.environment.map { ($0.name, words($0.text)) }),
        .init(words(.manualFiles), list: Self.files.map { ($0.name, words($0.text)) }),
        .init(words(.manualStatus), list: Self.status.map { (words.text($0.code), words($0.text)) }),
        .init(words(.manualSeeAlso), list: Self.others.map { ($0.name, words($0.text)) }),
      ])
    try Output.send(manual.roff.utf8)
  }

  /// Returns the entries of a group: the keys, with their action and its name in the configuration.
  private func keys(_ group: KeyBinding.Group, _ words: Catalog) -> [(name: String, text: String)] {
    KeyBinding.all.filter { $0.group == group }.map { binding in
      let label = binding.label(.standard, words)
      let help = words(
        .manualKeyNames, words(.manualSentence, words(binding.help)), LocalizedMessage.list(binding.names))
      return (label.isEmpty ? "—" : label, help)
    }
  }

  private static func list(_ rows: [HelpRow], _ words: Catalog) -> [(String, String)] {
    rows.map { (words.text($0.label), words.text($0.help)) }
  }

  private static let environment: [(name: String, text: MessageKey)] = [
    (Credentials.variable, .manualToken), (Passwords.variable, .manualPassword),
    ("https_proxy, http_proxy, no_proxy", .manualProxy),
    ("LC_ALL, LC_MESSAGES, LANG", .manualLocale), ("NO_COLOR", .manualNoColor),
    ("XDG_CONFIG_HOME, XDG_CACHE_HOME, XDG_STATE_HOME, XDG_DATA_HOME", .manualDirectories),
  ]

  private static let files: [(name: String, text: MessageKey)] = [
    ("~/.config/toteboard/config.toml", .manualConfig), ("~/.cache/toteboard", .manualCache),
    ("~/.local/share/toteboard/history.db", .manualHistory),
    ("~/.local/state/toteboard/alerts.jsonl", .manualAlertLog),
    ("~/.local/state/toteboard/board-*.toml", .manualBoards),
    ("~/.local/state/toteboard/session-*.json", .manualSessions),
  ]

  private static let status: [(code: LocalizedMessage, text: MessageKey)] = [
    (.verbatim("0"), .manualSuccess), (.verbatim("1"), .manualFailure), (.verbatim("2"), .manualUsage),
    (LocalizedMessage(.manualSignalStatus), .manualSignal),
  ]

  private static let others: [(name: String, text: MessageKey)] = [
    ("toteboard-config(5)", .manualConfigSummary), ("toteboard-server(1)", .manualServerSummary),
  ]
}
