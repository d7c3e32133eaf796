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

  @OptionGroup var speech: LanguageOption

  mutating func run() throws {
    let words = CLILanguage.words
    try Output.send((page == .config ? ConfigManual(words: words).roff : Self.roff(words)).utf8)
  }

  /// Returns the page toteboard(1) in roff.
  static func roff(_ words: Catalog) -> String {
    let board = help(for: Toteboard.self, words)
    let commands = Toteboard.configuration.subcommands.filter { $0.configuration.shouldDisplay }
      .map { help(for: $0, words) }
    let manual = ManualPage(
      Toteboard.self, summary: words(.manualSummary),
      [
        .init(words(.manualSynopsis), lines: ([board] + commands).flatMap(\.usage)),
        .init(words(.manualDescription), paragraphs: board.paragraphs),
        .init(words(.manualOptions), list: board.entries.map { ($0.name, $0.text) }),
        .init(
          words(.manualSubcommands), commands: commands,
          shared: board.entries, sharing: { words(.manualSharedOptions, LocalizedMessage.list($0)) }),
        .init(words(.manualKeys), list: KeyBinding.Group.allCases.flatMap { keys($0, words) }),
        .init(words(.manualConfiguration), text: words(.manualSettings)),
        .init(words(.manualCommands), list: Self.list(HelpRow.commands, words)),
        .init(words(.manualFilters), list: Self.list(HelpRow.filters, words)),
        .init(words(.manualAlerts), list: Self.list(HelpRow.rules, words)),
        .init(words(.manualExamples), list: Self.examples.map { ($0.command, words($0.text)) }),
        .init(words(.manualEnvironment), list: Self.environment.map { ($0.name, words($0.text)) }),
        .init(words(.manualFiles), list: Self.files.map { ($0.name, words($0.text)) }),
        .init(words(.manualStatus), list: Self.status.map { (words.text($0.code), words($0.text)) }),
        .init(words(.manualSeeAlso), list: Self.others.map { ($0.name, words($0.text)) }),
      ])
    return manual.roff
  }

  private static func help(for command: any ParsableCommand.Type, _ words: Catalog) -> HelpText {
    let text = ParserText(words: words, columns: ManualPage.unbroken).help(for: command)
    return HelpText(
      text,
      .init(
        overview: words(.screenOverview, ""), usage: words(.screenUsage, ""), commands: words(.screenSubcommands)))
  }

  /// Returns the entries of a group: the keys, with their action and its name in the configuration.
  private static func keys(_ group: KeyBinding.Group, _ words: Catalog) -> [(name: String, text: String)] {
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

  private static let examples: [(command: String, text: MessageKey)] = [
    ("toteboard --rate 1000 --throttle 500ms", .manualExampleThrottle),
    ("toteboard --feed polymarket --filter 'odds < 2 and live'", .manualExampleFilter),
    ("toteboard list --feed wss://HOST/v2 --format json", .manualExampleList),
    ("toteboard record --feed wss://HOST/v2 evening.ndjson", .manualExampleRecord),
    ("toteboard --feed evening.ndjson --speed 10", .manualExamplePlay),
    ("toteboard history girona --since 2h --format csv", .manualExampleHistory),
    ("toteboard alerts --follow --feed polymarket", .manualExampleFollow),
  ]

  private static let environment: [(name: String, text: MessageKey)] = [
    (Credentials.variable, .manualToken), (Passwords.variable, .manualPassword),
    ("https_proxy, http_proxy, no_proxy", .manualProxy),
    ("LC_ALL, LC_MESSAGES, LANG", .manualLocale), ("NO_COLOR", .manualNoColor),
    ("TERM", .manualTerm), ("COLORTERM", .manualColorTerm), ("COLUMNS", .manualColumns),
    ("TERM_PROGRAM, LC_TERMINAL, KITTY_WINDOW_ID, TMUX", .manualTerminalName), ("TMPDIR", .manualTemporary),
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
