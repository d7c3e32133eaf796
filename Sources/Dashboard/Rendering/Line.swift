import OddsModel
import TerminalCore

/// The content of one row of the screen, small enough to compare for every row of every frame. Only a row whose content
/// has changed is formatted. Larger cases that a screen shows once or a few times are `indirect`, so that the match
/// case stays small.
enum Line: Equatable {
  case blank
  indirect case header(HeaderLine)
  /// The column titles, with the mark of the order.
  case titles(RowOrder)
  case match(MatchLine)
  /// A row of the message shown in place of matches.
  indirect case notice(Int, EmptyState)
  /// A row of the help, for a key map.
  case help(Int, KeyMap)
  /// The title above the inspector: its visible lines, and the channel's topic.
  indirect case inspectorTitle(Range<Int>, Topic?)
  /// A line of the inspector, with the data of a health answer.
  indirect case inspector(Int, InspectorNews)
  /// A row of the open match's pane: over the rows (`detail`), or beside one (`split`).
  indirect case detail(DetailLine)
  indirect case split(Line, DetailLine)
  /// The title above the account or the alerts.
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
  /// True if the movement of the favourite's price replaces the overround.
  var showsMove: Bool
  /// False if the prices may be out of date.
  var isTrusted: Bool
  var odds: Odds
  /// The revision of the filter that found the match; 0 if none did.
  var filter = 0
  /// True if the match has an unread alert.
  var isAlerted = false

  /// The prices on the row, to count those that change.
  struct Odds: Equatable {
    var first: DecimalOdds?
    var middle: DecimalOdds?
    var last: DecimalOdds?
  }

  /// Returns the number of prices sent to the terminal again when this row replaces another.
  func changes(since old: MatchLine) -> Int {
    guard id == old.id, odds != old.odds else { return 0 }
    return (odds.first != old.odds.first ? 1 : 0) + (odds.middle != old.odds.middle ? 1 : 0)
      + (odds.last != old.odds.last ? 1 : 0)
  }
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
  /// True if the recording is paused; nil if the feed is not a recording.
  var isPaused: Bool?
  var account: AccountHints?
  /// The keys of the open dialog.
  var dialog: DialogHints?
}

extension BoardState {
  /// Returns the current content of a row of the screen.
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

  /// True if the problems are shown below the rows. Without rows they are shown in their place.
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

  /// Returns the uptime at which the visible content changes by itself.
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
