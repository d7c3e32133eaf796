import Localization

/// The key hints of a part of the screen.
struct Footer: Sendable {
  enum Kind: Equatable {
    /// The rows of a feed, or of a recording.
    case feed, recording
    /// The open match, beside the rows or over them.
    case match(isSplit: Bool)
    /// An open match of the history, beside the rows or over them.
    case pastMatch(isSplit: Bool)
    case help, inspector, account, columns
    /// The list of past matches.
    case history
    case alerts(isEmpty: Bool)
    case dialog([KeyHint])
  }

  struct Item: Sendable {
    let binding: KeyBinding
    let hint: KeyBinding.Hint
  }

  /// The hints from left to right.
  let items: [Item]
  /// Indices into `items`, in the order in which hints are kept if not all fit.
  let priority: [Int]

  /// Selects the bindings by their first command. The hints in `hints` replace those of the key table.
  private init(_ shown: [Command], priority: [Command], _ hints: [Command: KeyBinding.Hint] = [:]) {
    items = shown.map { command in
      guard let binding = KeyBinding.all.first(where: { $0.commands[0].command == command }),
        let hint = hints[command] ?? binding.hint
      else { preconditionFailure("'\(command)' has no hint") }
      return Item(binding: binding, hint: hint)
    }
    self.priority = priority.compactMap { shown.firstIndex(of: $0) }
  }
}

extension Footer.Kind {
  /// True if the rows of matches or an open match are in front.
  var isOfMatches: Bool {
    switch self {
    case .feed, .recording, .match, .pastMatch: true
    case .help, .inspector, .account, .columns, .history, .alerts, .dialog: false
    }
  }

  /// The bindings to show; nil for a dialog, whose keys are its own.
  var footer: Footer? {
    switch self {
    case .feed: .feed
    case .recording: .recording
    case .match(let isSplit): isSplit ? .splitMatch : .match
    case .pastMatch(let isSplit): isSplit ? .splitPastMatch : .pastMatch
    case .help: .help
    case .inspector: .inspector
    case .account: .account
    case .columns: .columns
    case .history: .history
    case .alerts(let isEmpty): isEmpty ? .noAlerts : .alerts
    case .dialog: nil
    }
  }
}

extension Footer {
  private static let feed = Footer(
    [.alerts, .open, .find, .sort, .cycleOdds, .command, .space, .addAlert] + rest,
    priority: mostUsed + [.faster, .space, .addAlert] + leastUsed)
  private static let recording = Footer(
    [.alerts, .space, .left, .open, .find, .sort, .cycleOdds, .command, .addAlert] + rest,
    priority: [.quit, .help, .alerts, .space, .left] + mostUsed.dropFirst(3) + [.addAlert] + leastUsed)

  private static let rest: [Command] = [
    .cycleThrottle, .faster, .channel(0), .freeze, .reconnect, .damage, .wholeScreen, .inspect, .write, .cycleTheme,
    .counters, .account, .logInOrOut, .endSession, .help, .quit,
  ]
  private static let mostUsed: [Command] = [
    .quit, .help, .alerts, .account, .logInOrOut, .open, .find, .cycleThrottle, .endSession, .sort, .cycleOdds,
    .command,
  ]
  private static let leastUsed: [Command] = [
    .freeze, .reconnect, .channel(0), .inspect, .write, .cycleTheme, .damage, .wholeScreen, .counters,
  ]

  private static let match = Footer(matchKeys + [.help, .quit], priority: matchPriority, matchHints)
  private static let splitMatch = Footer(
    matchKeys + [.find, .sort, .help, .quit], priority: matchPriority + [.find, .sort], matchHints)

  private static let matchKeys: [Command] = [
    .close, .previousMatch, .up, .alerts, .space, .left, .addAlert, .calculate, .cycleOdds, .cycleThrottle, .freeze,
    .reconnect, .command,
  ]
  private static let matchPriority: [Command] = [
    .close, .previousMatch, .quit, .help, .alerts, .space, .left, .up, .addAlert, .cycleThrottle, .calculate,
    .cycleOdds, .freeze, .reconnect, .command,
  ]
  private static let pastMatch = Footer(pastMatchKeys + [.help, .quit], priority: matchPriority, matchHints)
  private static let splitPastMatch = Footer(
    pastMatchKeys + [.find, .sort, .help, .quit], priority: matchPriority + [.find, .sort], matchHints)
  private static let pastMatchKeys: [Command] = [
    .close, .previousMatch, .up, .alerts, .cycleOdds, .cycleThrottle, .freeze, .reconnect, .command,
  ]
  private static let matchHints: [Command: KeyBinding.Hint] = [.up: .pair(.hintSelect), .space: .pause(else: nil)]

  private static let help = Footer(
    [.close, .find, .up, .quit], priority: [.close, .find, .quit, .up],
    [.find: .word(.hintSearch), .up: .pair(.hintScroll)])
  private static let inspector = Footer(
    [.close, .up, .reconnect, .write, .help, .quit], priority: [.close, .quit, .help, .up, .reconnect, .write],
    [.up: .pair(.hintScroll)])
  private static let account = Footer(
    [.close, .up, .logInOrOut, .endSession, .help, .quit],
    priority: [.close, .quit, .logInOrOut, .help, .up, .endSession], [.up: .pair(.hintScroll)])
  private static let columns = Footer(
    [.close, .space, .columnUp, .up, .help, .quit], priority: [.close, .space, .columnUp, .quit, .up, .help],
    [.space: .word(.hintSwitch), .columnUp: .pair(.hintMove), .up: .pair(.hintSelect)])
  private static let history = Footer(
    [.close, .open, .up, .help, .quit], priority: [.close, .open, .quit, .help, .up], [.up: .pair(.hintSelect)])
  private static let alerts = Footer(
    [.close, .open, .deleteAlert, .up, .help, .quit], priority: [.close, .open, .deleteAlert, .quit, .help, .up],
    [.open: .word(.hintShow), .up: .pair(.hintSelect)])
  private static let noAlerts = Footer([.close, .help, .quit], priority: [.close, .quit, .help])
}

extension BoardState {
  /// Returns the kind of hints for the topmost open part.
  func footerKind(_ layout: Layout) -> Footer.Kind {
    if let dialog { return .dialog(dialog.hints(settings.keys, words)) }
    switch overlay?.content {
    case .help: return .help
    case .inspector: return .inspector
    case .account: return .account
    case .columns: return .columns
    case .history: return .history
    case .alerts: return .alerts(isEmpty: alerts.rules.active.isEmpty && alerts.log.events.isEmpty)
    case nil: break
    }
    if isPastMatchShown { return .pastMatch(isSplit: layout.isSplit) }
    if isDetailShown { return .match(isSplit: layout.isSplit) }
    return clock.playback == nil ? .feed : .recording
  }
}
