import OddsFeed
import TerminalCore

/// What one line of the screen says, small enough to compare for every line of every frame; only a line that differs
/// is formatted. What there is one of, or few, lies elsewhere: no match's line is to be bigger for it.
enum Line: Equatable {
  case blank
  indirect case header(HeaderLine)
  /// The columns' titles, with the mark of an order.
  case titles(RowOrder)
  case match(MatchLine)
  /// A line of what stands in place of rows.
  indirect case notice(Int, EmptyState)
  /// A line of the help, as these keys make it.
  case help(Int, KeyMap)
  /// Above the inspector: which of its lines are in view, and of which channel.
  indirect case inspectorTitle(Range<Int>, Topic?)
  /// A line of the inspector as of an answer.
  indirect case inspector(Int, InspectorNews)
  /// A line of a match's own pane, over what stands there anyway, or beside it.
  indirect case detail(DetailLine)
  indirect case split(Line, DetailLine)
  /// Above the account, or the alerts.
  indirect case paneTitle(PaneTitle)
  indirect case pane(PaneRow)
  /// A line that a dialog stands upon.
  indirect case covered(Line, DialogBox.Part)
  indirect case counters(Meters.Rates, LoadedLine?)
  /// In their place on a slow line.
  case loaded(LoadedLine)
  /// In place of the counters.
  case problems([FeedError])
  indirect case hints(HintsLine)
  /// In place of the hints.
  indirect case note(StatusMessage)
  indirect case prompt(PromptLine)
  /// Above it, in place of the counters.
  indirect case aside(PromptHint)
  /// What is looked for, where there are no hints to tell.
  indirect case found(FoundLine)
}

extension Line {
  /// The line of a match's pane on it, as far as a dialog lets it be seen.
  var detail: DetailLine? {
    switch self {
    case .detail(let line), .split(_, let line): line
    case .covered(let line, _): line.detail
    default: nil
    }
  }

  /// The match that it shows, as far as a dialog lets it.
  var match: MatchLine? {
    switch self {
    case .match(let match): match
    case .covered(let line, _), .split(let line, _): line.match
    default: nil
    }
  }
}

extension DetailLine {
  /// Whether the price that it shows is another than the other line's, of the same outcome.
  func changes(since old: DetailLine) -> Int {
    guard case .outcome(let new) = self, case .outcome(let old) = old, new.key == old.key else { return 0 }
    return new.cell.odds == old.cell.odds ? 0 : 1
  }
}

struct HeaderLine: Equatable {
  var channels: [BoardChannel]
  var channel: Int
  var hasWatchTab: Bool
  var status: LineStatus
  var playback: PlaybackLine?
  var balance: BoardAccount.Balance?
  var minuteOfDay: Int
}

struct MatchLine: Equatable {
  var id: MatchID
  var revision: UInt64
  var isSelected: Bool
  var isPinned: Bool
  /// How far the favourite's price has moved stands in place of the overround.
  var showsMove: Bool
  /// False where the prices may be dead.
  var isTrusted: Bool
  var odds: Odds
  /// By which filter it has been found; 0 where it has not.
  var filter = 0
  /// Something was told of it that nobody has looked at.
  var isAlerted = false

  /// The prices shown, to count what changes.
  struct Odds: Equatable {
    var first: DecimalOdds?
    var middle: DecimalOdds?
    var last: DecimalOdds?
  }

  /// How many prices the terminal is sent anew when this line replaces another.
  func changes(since old: MatchLine) -> Int {
    guard id == old.id, odds != old.odds else { return 0 }
    return (odds.first != old.odds.first ? 1 : 0) + (odds.middle != old.odds.middle ? 1 : 0)
      + (odds.last != old.odds.last ? 1 : 0)
  }
}

struct HintsLine: Equatable {
  var keys: KeyMap
  /// How many alerts nobody has looked at.
  var alerts: Int
  /// What is wrong: what to do about it stands in place of keys.
  var problems: [FeedError]
  var found: FoundLine?
  var canReconnect: Bool
  var missed: Int?
  var damage: Meters.Rates?
  var paintsWholeScreen: Bool
  var throttle: Duration
  var rate: Double?
  /// Nil where the feed is no recording.
  var isPaused: Bool?
  var account: AccountHints?
  /// The keys that do something while a dialog is open.
  var dialog: DialogHints?
}

extension BoardState {
  /// What a line of the screen says now.
  func line(_ at: Int, _ layout: Layout, _ pane: (any ScrollablePane)?, at now: FrameTime) -> Line {
    if let prompt, at == promptLine(layout) { return .prompt(promptLine(prompt, layout)) }
    if layout.body.contains(at) { return bodyLine(at - layout.body.lowerBound, pane) }
    switch at {
    case layout.titles where pane != nil: return pane!.title(visibleRows)
    case layout.titles:
      return inspector.map { .inspectorTitle(inspectorLines, $0.health?.topic) } ?? .titles(settings.order)
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
          isPaused: playback?.isPaused, account: accountHints, dialog: dialog.map(DialogHints.init)))
    default:
      return .header(
        HeaderLine(
          channels: channels, channel: channel, hasWatchTab: hasWatchTab, status: lineStatus(at: now),
          playback: playback.map(PlaybackLine.init),
          balance: self.account?.balance, minuteOfDay: now.minuteOfDay(now.wall)))
    }
  }

  /// True where what is wrong stands below the rows; where there are none it stands in their place.
  private var standsByRows: Bool { rows.count > 0 && !problems.isEmpty }

  private func bodyLine(_ at: Int, _ pane: (any ScrollablePane)?) -> Line {
    switch overlay {
    case .help(let scroll): return .help(scroll + at, settings.keys)
    case .inspector(let inspector):
      let line = inspectorLines.lowerBound + at
      return inspectorLines.contains(line) ? .inspector(line, inspectorNews(inspector)) : .blank
    case .account, .alerts: return pane?.line(at, visibleRows) ?? .blank
    case nil: break
    }
    if let position = position(atLine: at) {
      var line = rows.line(position, isSelected: position == cursor, in: staleness.grade)
      line.filter = filterRevision(of: rows[position])
      line.isAlerted = alerts.log.unreadMatches.contains(line.id)
      return .match(line)
    }
    return rows.count == 0 ? .notice(at, notice) : .blank
  }

  /// The uptime at which what is visible changes by itself.
  package func nextChange(after now: FrameTime) -> Duration {
    var next = now.uptime + now.untilNextMinute
    if let step = nextLineStatus(after: now) { next = min(next, step) }
    if let step = nextAccountStep(after: now) { next = min(next, step) }
    if let question = inspector?.nextQuestion { next = min(next, question) }
    if let rowsExpire { next = min(next, rowsExpire) }
    if let note { next = min(next, note.until) }
    if let orderDue { next = min(next, orderDue) }
    if let step = alerts.nextStep(after: now) { next = min(next, step) }
    if let tick = meters.nextTick { next = min(next, tick) }
    if let wait = playback?.untilNextSecond { next = min(next, playbackAt + wait) }
    if frozenChanges == nil, let release = throttle.nextRelease { next = min(next, release) }
    if frozenChanges == nil, let release = detail?.throttle.nextRelease { next = min(next, release) }
    return next
  }
}
