package import Localization

/// A command that a key or the command line can request.
enum Command: Hashable, Sendable {
  case channel(Int)
  case nextChannel, previousChannel
  /// Changes the channel, seeks in a recording or, in the detail pane of a live feed, changes the match.
  case left, right
  case pause
  /// Toggles a column in the chooser. Elsewhere pauses or resumes a recording; for any other feed, folds the selected
  /// group or pins the selected row.
  case space
  case reconnect
  case up, down, pageUp, pageDown, halfPageUp, halfPageDown, top, bottom
  case cycleThrottle, faster, slower
  case freeze, damage, wholeScreen
  /// Folds the counters to the most important ones, or unfolds them.
  case counters
  case inspect
  /// The prompt for a filter, the next and previous matching row, and the toggle that shows the other rows too.
  case find, nextFound, previousFound, showAll
  /// The prompt for a named command.
  case command
  case sort, reverse
  case open, pin, watch
  case nextMatch, previousMatch
  /// The time cursor of the chart, and its time frame.
  case chartEarlier, chartLater, chartShorter, chartLonger
  case cycleOdds, cycleTheme
  case addAlert, alerts
  /// The prompt for the bet calculator, and the mark of an outcome for it.
  case calculate, mark
  /// Deletes or silences the selected alert rule.
  case deleteAlert
  case mouse
  case write, copy
  /// The menu of texts to copy.
  case copyMenu
  case account, logInOrOut, endSession
  case help, close, quit
  /// The chooser of columns, and the movement of a column in it.
  case columns, columnUp, columnDown
  /// The next grouping of the rows, and folds of one group and of all.
  case group, fold, foldAll

  /// True for a command whose only effect is on the rows of the list. It has none while a pane covers them.
  var needsList: Bool {
    switch self {
    case .sort, .reverse, .showAll, .group, .fold, .foldAll: true
    default: false
    }
  }
}

/// A command of the command line. Any unambiguous prefix of its name is accepted. The help and the man page are
/// generated from these cases and from the key bindings.
package enum NamedCommand: String, CaseIterable, Sendable {
  case account, alert, alerts, calculate, channel, columns, copy, delete, fair, filter, freeze, group, help, history
  case inspect
  case lowBandwidth = "low-bandwidth"
  case mouse, odds, open, pin, prune, quit, rate, reconnect, rename, seek, sort, theme, throttle, watch, write

  /// The arguments: words in capitals are placeholders, brackets enclose optional parts, `|` separates alternatives.
  package var arguments: String { entry.arguments }

  /// The command as it is typed, with its colon and arguments.
  package var usage: String { arguments.isEmpty ? ":\(rawValue)" : ":\(rawValue) \(arguments)" }

  /// A description for the help, as a sentence without its full stop.
  package var help: MessageKey { entry.help }

  /// The equivalent key command; nil if there is none.
  var plain: Command? { entry.plain }

  private var entry: (help: MessageKey, arguments: String, plain: Command?) {
    switch self {
    case .account: (.accountKeyPane, "", .account)
    case .alert: (.commandAlert, "RULE", nil)
    case .alerts: (.helpAlerts, "", .alerts)
    case .calculate: (.commandCalculate, "KIND AMOUNT [PERCENT]", nil)
    case .channel: (.commandChannel, "NAME|NUMBER", nil)
    case .columns: (.commandColumns, "[COLUMNS|auto]", nil)
    case .copy: (.commandCopy, "", .copy)
    case .delete: (.commandDelete, "LIST", nil)
    case .fair: (.commandFair, "METHOD", nil)
    case .filter: (.commandFilter, "[EXPRESSION]", nil)
    case .freeze: (.helpFreeze, "", .freeze)
    case .group: (.commandGroup, "tournament|sport|off", nil)
    case .help: (.helpHelp, "", .help)
    case .history: (.commandHistory, "[EXPRESSION]", nil)
    case .inspect: (.commandInspect, "", .inspect)
    case .lowBandwidth: (.commandLowBandwidth, "[on|off]", nil)
    case .mouse: (.commandMouse, "[on|off]", nil)
    case .odds: (.commandOdds, "FORMAT", nil)
    case .open: (.commandOpen, "", .open)
    case .pin: (.commandPin, "[LIST]", nil)
    case .prune: (.commandPrune, "", nil)
    case .quit: (.helpQuit, "", .quit)
    case .rate: (.commandRate, "NUMBER", nil)
    case .rename: (.commandRename, "LIST", nil)
    case .reconnect: (.helpReconnect, "", .reconnect)
    case .seek: (.commandSeek, "POSITION", nil)
    case .sort: (.commandSort, "KEY [reverse]", nil)
    case .theme: (.commandTheme, "NAME", nil)
    case .throttle: (.commandThrottle, "off|TIME", nil)
    case .watch: (.commandWatch, "[LIST]", nil)
    case .write: (.commandWrite, "FILE", nil)
    }
  }
}

/// A typed command, split into name and argument.
struct CommandText {
  let name: String
  /// The end of the name, in characters.
  let nameEnd: Int
  /// The argument without surrounding white space.
  let argument: String
  /// The start of the argument, in characters.
  let argumentStart: Int

  init(_ text: String) {
    let tokens = Tokenizer.tokens(text, .command)
    let characters = Array(text)
    name = tokens.first?.keyword ?? ""
    nameEnd = tokens.first?.range.upperBound ?? characters.count
    argumentStart = tokens.dropFirst().first?.range.lowerBound ?? characters.count
    argument = String(characters[argumentStart..<max(argumentStart, tokens.last?.range.upperBound ?? 0)])
  }

  func command() throws(FilterError) -> NamedCommand {
    if let command = NamedCommand(rawValue: name) ?? Self.aliases[name] { return command }
    let fitting = NamedCommand.allCases.filter { $0.rawValue.hasPrefix(name) }
    guard let command = fitting.first else {
      throw FilterError(
        at: 0, LocalizedMessage(.commandUnknown, name, LocalizedMessage.list(NamedCommand.allCases.map(\.rawValue))))
    }
    guard fitting.count == 1 else {
      throw FilterError(
        at: nameEnd, LocalizedMessage(.commandAmbiguous, name, LocalizedMessage.list(fitting.map(\.rawValue))))
    }
    return command
  }

  private static let aliases: [String: NamedCommand] = ["find": .filter, "h": .help, "q": .quit]

  /// Returns the value whose word equals the text or is the only one that begins with it. Ignores case and accents.
  ///
  /// - Throws: `FilterError` at `position`, with the choices that remain.
  func choice<Value>(_ text: String, at position: Int, of choices: [(word: String, value: Value)])
    throws(FilterError) -> Value
  {
    let wanted = FoldedText(text).letters
    if let choice = choices.first(where: { FoldedText($0.word).letters == wanted }) { return choice.value }
    let fitting = choices.filter { FoldedText($0.word).letters.starts(with: wanted) }
    guard fitting.count == 1, !wanted.isEmpty else {
      throw other(text, at: position, LocalizedMessage.list((fitting.isEmpty ? choices : fitting).map(\.word)))
    }
    return fitting[0].value
  }

  /// Returns an error for an invalid argument that lists the valid ones.
  func other(_ text: String, at position: Int, _ known: any MessageArgument) -> FilterError {
    FilterError(at: position, LocalizedMessage(.commandOtherArgument, text, name, known))
  }
}
