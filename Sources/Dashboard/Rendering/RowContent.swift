import Localization
import OddsFeed
import OddsModel
import TerminalCore

/// The content of one row of the screen: everything that its drawing reads. Compared for every row of every frame, and
/// only a row whose content has changed is drawn. Large cases are `indirect`, so that the others are small.
enum RowContent: Equatable {
  case blank
  indirect case header(HeaderContent)
  /// The column titles, with the mark of the order.
  case titles(RowOrder)
  indirect case match(MatchContent)
  /// The heading of a group of matches.
  indirect case heading(HeadingContent)
  /// A row of the open match's pane: over the rows (`detail`), or beside one (`split`).
  indirect case detail(DetailContent)
  indirect case split(RowContent, DetailContent)
  /// The title above an overlay, and a row of it or of the message in place of matches.
  indirect case paneTitle(PaneTitle)
  indirect case pane(PaneRow)
  /// A row partly covered by a dialog.
  indirect case covered(RowContent, DialogBox.Part)
  indirect case counters(CountersContent)
  /// A message in place of the hints.
  indirect case text(String, Style.Role)
  indirect case hints(HintsContent)
  indirect case prompt(PromptContent)
}

extension RowContent {
  /// Returns the number of prices that differ from those of the same match or outcome on this row before. A price that
  /// a dialog covers counts too.
  func changes(since old: RowContent) -> Int {
    switch (self, old) {
    case (.match(let new), .match(let old)): new.changes(since: old)
    case (.detail(let new), .detail(let old)): new.changes(since: old)
    case (.split(let new, let newDetail), .split(let old, let oldDetail)):
      new.changes(since: old) + newDetail.changes(since: oldDetail)
    case (.covered(let new, _), _): new.changes(since: old)
    case (_, .covered(let old, _)): changes(since: old)
    case (.split(let new, _), .match): new.changes(since: old)
    case (.match, .split(let old, _)): changes(since: old)
    case (.split(_, let new), .detail(let old)), (.detail(let new), .split(_, let old)): new.changes(since: old)
    default: 0
    }
  }
}

extension DetailContent {
  /// Returns 1 if both rows show the same outcome with different prices, otherwise 0.
  func changes(since old: DetailContent) -> Int {
    guard case .outcome(let new) = self, case .outcome(let old) = old, new.key == old.key else { return 0 }
    return new.cell.odds == old.cell.odds ? 0 : 1
  }
}

struct HeaderContent: Equatable {
  var feedName: String
  var channels: [BoardChannel]
  var tab: Tab
  /// The watch lists, the first one first; empty if the feed has no topic for them.
  var watchLists: [WatchList]
  var status: ConnectionStatus
  var playback: Playback?
  var balance: BoardAccount.Balance?
  var minuteOfDay: Int
  var isFrozen: Bool
}

struct CountersContent: Equatable {
  enum Lead: Equatable {
    /// The rates, and the loaded part of the channel. Low-bandwidth mode has no rates.
    case rates(Meters.Rates?, LoadedPart?)
    /// A text in place of the counters: the problems or, on a screen without a row of hints, a message.
    case text(String, Style.Role)
    /// The hint above the prompt.
    case hint(PromptHint)
  }

  /// The part at the left.
  var lead: Lead
  /// True if only frames and updates per second are shown.
  var isFolded: Bool
  /// The chips at the right, the most important first.
  var modes: [Mode]
}

struct HintsContent: Equatable {
  var kind: Footer.Kind
  var keys: KeyMap
  var hasUnreadAlerts: Bool
  /// The problems whose remedies replace the keys.
  var problems: [FeedError]
  var canReconnect: Bool
  var throttle: Duration
  var rate: Double?
  /// True if there is no other channel and no other watch list.
  var isOnlyChannel: Bool
  /// True if the recording is paused; nil if the feed is not a recording.
  var isPaused: Bool?
  /// Nil if there is no account.
  var isLoggedIn: Bool?
  var canEndSession: Bool
}

extension StatusMessage {
  fileprivate var role: Style.Role { isWarning ? .warning : .strong }
}

extension BoardState {
  /// The layout of the screen.
  var layout: Layout { Layout(layoutSource) }

  /// The values from which the layout is made.
  var layoutSource: LayoutSource {
    LayoutSource(
      size: size, hasPane: isDetailShown,
      columns: ColumnSource(
        chosen: settings.columns, hasTrend: !settings.isLowBandwidth, hasSports: list.rows.mixesSports,
        hasSides: list.rows.hasSides, showsMove: settings.order.key == .mover))
  }

  /// Returns the current content of a row of the screen.
  func rowContent(_ at: Int, _ layout: Layout, _ pane: OpenPane?, now: FrameTime) -> RowContent {
    if let prompt = promptBar.prompt, at == layout.hints ?? layout.size.rows - 1 {
      return .prompt(promptContent(prompt, layout))
    }
    if layout.body.contains(at) { return bodyContent(at - layout.body.lowerBound, layout, pane) }
    switch at {
    case layout.titles: return pane?.title ?? .titles(settings.order)
    case layout.counters: return countersContent(layout)
    case layout.hints:
      if let message = statusBar.message {
        return .text(words.text(message.sentence), message.role)
      }
      let kind = footerKind(layout)
      return .hints(
        HintsContent(
          kind: kind, keys: settings.keys, hasUnreadAlerts: alerts.log.unread > 0,
          problems: showsProblemsBelowRows && kind.isOfMatches ? connection.problems : [], canReconnect: canReconnect,
          throttle: list.throttle.interval, rate: rate, isOnlyChannel: numberedTabs == 1,
          isPaused: clock.playback?.isPaused, isLoggedIn: account?.status.isLoggedIn,
          canEndSession: account?.canEndSession ?? false))
    default:
      return .header(
        HeaderContent(
          feedName: feedName, channels: channels, tab: tab, watchLists: shownWatchLists,
          status: connectionStatus(now: now), playback: clock.playback?.shown, balance: account?.balance,
          minuteOfDay: now.local.minuteOfDay(now.wall), isFrozen: list.isFrozen))
    }
  }

  private func countersContent(_ layout: Layout) -> RowContent {
    let lead: CountersContent.Lead =
      if layout.hints != nil, let promptHint {
        .hint(promptHint)
      } else if layout.hints == nil, let message = statusBar.message {
        .text(words.text(message.sentence), message.role)
      } else if showsProblemsBelowRows {
        .text(words.text(connection.problems.map(\.localizedMessage), joinedBy: .joinedClauses), .warning)
      } else {
        .rates(settings.isLowBandwidth ? nil : statusBar.meters.rates, loaded)
      }
    return .counters(CountersContent(lead: lead, isFolded: statusBar.foldsCounters, modes: modes))
  }

  /// True if the problems are shown below the rows. Without rows they are shown in place of the rows.
  private var showsProblemsBelowRows: Bool { list.rows.count > 0 && !connection.problems.isEmpty }

  private func bodyContent(_ index: Int, _ layout: Layout, _ pane: OpenPane?) -> RowContent {
    // NB: `if let` would copy the pane for each row.
    if pane == nil {
      guard let line = list.line(atRow: index) else { return .blank }
      if let position = list.rows.position(atLine: line) {
        return .match(matchContent(position, layout.columns.shown))
      }
      guard case .heading(let number) = list.rows.line(line) else { return .blank }
      return headingContent(number, isSelected: line == list.cursor).map { .heading($0) } ?? .blank
    }
    return pane?.content(index) ?? .blank
  }

  /// Returns the uptime at which the account pane changes by itself; nil if it is closed or does not.
  func nextAccountDeadline(after now: FrameTime) -> Duration? {
    overlay?.content == .account ? account?.nextDeadline(after: now) : nil
  }

  /// Returns the uptime at which the change of a favourite's price over one or five minutes gets another value because
  /// time has passed; nil if none does.
  private func nextMove(after now: FrameTime) -> Duration? {
    if list.isFrozen { return nil }
    return list.rows.favouriteMoves?.nextSecond.flatMap { clock.uptime(of: $0, after: now.uptime) }
  }

  /// Returns the uptime at which the visible content changes by itself, besides the pane of the open match, whose
  /// deadline `BoardPainter` has.
  package func nextDeadline(after now: FrameTime) -> Duration {
    let deadlines = [
      connection.nextDeadline(connectionContext, after: now), inspector?.nextDeadline, list.nextDeadline,
      nextAccountDeadline(after: now), alerts.nextDeadline(after: now),
      statusBar.nextDeadline, clock.nextDeadline, nextMove(after: now), filterState.nextDeadline(after: now),
      list.isFrozen ? nil : detail.pane?.throttle.nextDeadline,
    ]
    return deadlines.compactMap(\.self).reduce(now.uptime + now.untilNextMinute, min)
  }
}
