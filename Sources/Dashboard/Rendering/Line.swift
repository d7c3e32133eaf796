import OddsFeed
import TerminalCore

/// The content of one row of the screen: everything that its drawing reads. Compared for every row of every frame, and
/// only a row whose content has changed is drawn. Large cases are `indirect`, so that the others are small.
enum Line: Equatable {
  case blank
  indirect case header(HeaderLine)
  /// The column titles, with the mark of the order.
  case titles(RowOrder)
  indirect case match(MatchLine)
  /// A row of the message shown in place of matches.
  indirect case notice(Int, EmptyState)
  /// A row of the open match's pane: over the rows (`detail`), or beside one (`split`).
  indirect case detail(DetailLine)
  indirect case split(Line, DetailLine)
  /// The title above an overlay, and a row of it.
  indirect case paneTitle(PaneTitle)
  indirect case pane(PaneRow)
  /// A row partly covered by a dialog.
  indirect case covered(Line, DialogBox.Part)
  indirect case counters(Meters.Rates, LoadedLine?)
  /// The size of the loaded part, in place of the counters in low-bandwidth mode.
  case loaded(LoadedLine)
  /// The problems, in place of the counters.
  case problems([FeedError])
  indirect case hints(HintsLine)
  /// A message, in place of the hints.
  indirect case note(StatusMessage)
  indirect case prompt(PromptLine)
  /// The hint above the prompt, in place of the counters.
  indirect case aside(PromptHint)
  /// The filter and its result, in place of the counters on a screen without a row of hints.
  indirect case found(FoundLine)
}

extension Line {
  /// The pane's content on this row, also if a dialog covers part of it; nil if there is none.
  var detail: DetailLine? {
    switch self {
    case .detail(let line), .split(_, let line): line
    case .covered(let line, _): line.detail
    default: nil
    }
  }

  /// The match on this row, also if a dialog covers part of it; nil if there is none.
  var match: MatchLine? {
    switch self {
    case .match(let match): match
    case .covered(let line, _), .split(let line, _): line.match
    default: nil
    }
  }
}

extension DetailLine {
  /// Returns 1 if both rows show the same outcome with different prices, otherwise 0.
  func changes(since old: DetailLine) -> Int {
    guard case .outcome(let new) = self, case .outcome(let old) = old, new.key == old.key else { return 0 }
    return new.cell.odds == old.cell.odds ? 0 : 1
  }
}

struct HeaderLine: Equatable {
  var feedName: String
  var channels: [BoardChannel]
  var tab: Tab
  var hasWatchTab: Bool
  var status: ConnectionStatus
  var playback: PlaybackLine?
  var balance: BoardAccount.Balance?
  var minuteOfDay: Int
}

struct HintsLine: Equatable {
  var keys: KeyMap
  /// The number of unread alerts.
  var alerts: Int
  /// The problems whose remedies replace the keys.
  var problems: [FeedError]
  var found: FoundLine?
  var canReconnect: Bool
  var missed: Int?
  var damage: Meters.Rates?
  var paintsWholeScreen: Bool
  var throttle: Duration
  var rate: Double?
  /// True if there is no other channel.
  var isOnlyChannel: Bool
  /// True if the recording is paused; nil if the feed is not a recording.
  var isPaused: Bool?
  var account: AccountHints?
  /// The keys of the open dialog.
  var dialog: DialogHints?
}

extension BoardState {
  /// Returns the current content of a row of the screen.
  func line(_ at: Int, _ layout: Layout, _ pane: OpenPane?, at now: FrameTime) -> Line {
    if let prompt, at == promptLine(layout) { return .prompt(promptLine(prompt, layout)) }
    if layout.body.contains(at) { return bodyLine(at - layout.body.lowerBound, pane) }
    switch at {
    case layout.titles: return pane?.title ?? .titles(settings.order)
    case layout.counters where layout.hints != nil && promptAside != nil: return .aside(promptAside!)
    case layout.counters where layout.hints == nil && foundLine != nil: return .found(foundLine!)
    case layout.counters where standsByRows: return .problems(problems)
    case layout.counters where settings.isLowBandwidth: return loaded.map { .loaded($0) } ?? .blank
    case layout.counters: return .counters(meters.rates, loaded)
    case layout.hints where note != nil: return .note(note!.note)
    case layout.hints:
      return .hints(
        HintsLine(
          keys: settings.keys, alerts: alerts.log.unread, problems: standsByRows ? problems : [], found: foundLine,
          canReconnect: canReconnect,
          missed: frozenChanges == nil ? nil : missed, damage: showsDamage ? meters.rates : nil,
          paintsWholeScreen: paintsWholeScreen, throttle: throttle.interval, rate: rate,
          isOnlyChannel: channels.count == 1,
          isPaused: playback?.isPaused, account: accountHints, dialog: dialog.map(DialogHints.init)))
    default:
      return .header(
        HeaderLine(
          feedName: feedName, channels: channels, tab: tab, hasWatchTab: hasWatchTab, status: connectionStatus(at: now),
          playback: playback.map(PlaybackLine.init),
          balance: self.account?.balance, minuteOfDay: now.local.minuteOfDay(now.wall)))
    }
  }

  /// True if the problems are shown below the rows. Without rows they are shown in their place.
  private var standsByRows: Bool { rows.count > 0 && !problems.isEmpty }

  private func bodyLine(_ at: Int, _ pane: OpenPane?) -> Line {
    if let pane { return pane.line(at) }
    if let position = position(atLine: at) { return .match(matchLine(position)) }
    return rows.count == 0 ? .notice(at, notice) : .blank
  }

  /// Returns the uptime at which the visible content changes by itself.
  package func nextDeadline(after now: FrameTime) -> Duration {
    var next = now.uptime + now.untilNextMinute
    if let step = nextConnectionDeadline(after: now) { next = min(next, step) }
    if let step = nextAccountDeadline(after: now) { next = min(next, step) }
    if let question = inspector?.nextDeadline { next = min(next, question) }
    if let nextRowDeadline { next = min(next, nextRowDeadline) }
    if let note { next = min(next, note.until) }
    if let nextOrderDeadline { next = min(next, nextOrderDeadline) }
    if let step = alerts.nextDeadline(after: now) { next = min(next, step) }
    if let tick = meters.nextDeadline { next = min(next, tick) }
    if let wait = playback?.timeToNextSecond { next = min(next, playbackAt + wait) }
    if frozenChanges == nil, let release = throttle.nextDeadline { next = min(next, release) }
    if frozenChanges == nil, let release = detail?.throttle.nextDeadline { next = min(next, release) }
    return next
  }
}
