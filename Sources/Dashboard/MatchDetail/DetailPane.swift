import OddsFeed
import OddsHistory
import OddsModel

/// The pane of the open match: its prices, the state of its topic, and the selection and scrolling in it.
struct DetailPane: Sendable {
  let id: MatchID
  /// True for a match of the history that the channel does not carry. Its pane has the last known prices and does not
  /// change.
  let isFromHistory: Bool
  /// The time up to which the prices of a match of the history were known, in milliseconds since 1970; nil until they
  /// are read.
  private(set) var knownUntil: Int64?
  /// True if the feed sends all markets of the match on a topic of their own. Nil if not known yet.
  var hasTopic: Bool?
  /// The state of the subscription to that topic, or nil before its first update.
  var subscription: Subscription?
  /// The match as shown, or nil if nothing is known of it.
  private(set) var match: Match?
  /// The latest state of the match, which may not be shown yet.
  private(set) var newest: Match?
  /// True if the match has been removed or does not exist, or is one of the history.
  var isGone: Bool
  /// True if the channel has carried the match and does not any more.
  var hasLeftChannel = false
  /// True if the prices received now are known to be valid, or were valid when the feed ended.
  var isTrusted = false
  /// True if the prices could be shown as live at the last update, apart from the trading status of the match.
  var wasLive = false
  /// True if prices could not be shown as live for a time since the screen was frozen, so that those on the screen may
  /// be from before.
  var isOutdated = false
  /// The change that was last made to the match by the REST interface, in place of the stream. The stream's next update
  /// leaves out a state that is the same.
  var interimChange: InterimChange?
  /// True if the prices received now are recorded: they are known, and the match has not been closed.
  var isRecorded = false
  /// True if the match was received from its own topic.
  private(set) var isOwn = false
  private(set) var list = DetailList()
  /// The selected outcome, whose price the chart shows.
  var chosen: OutcomeKey? {
    didSet { if chosen != oldValue { cursor = nil } }
  }
  /// The outcomes that are marked for a dutch bet, all of one market.
  private(set) var marks: Set<OutcomeKey> = []
  /// The second of the chart's time cursor, in `FeedClock`. Nil if there is no cursor.
  private(set) var cursor: Int?
  private(set) var scroll = ScrollPosition()
  /// The flashes of prices that have just changed.
  private(set) var flashes: [OutcomeKey: Flash] = [:]
  /// The second of `FeedClock` that is shown.
  var second: Int
  /// The wall time of uptime zero in milliseconds since 1970, as of the opening of the pane.
  private let epoch: Int64
  var throttle: Throttle

  struct Subscription: Equatable, Sendable {
    var topic: TopicState
    var freshness: Freshness
  }

  enum InterimChange: Sendable {
    case changed(Match)
    case removed
  }

  init(_ id: MatchID, isFromHistory: Bool = false, throttle: Duration, second: Int, now: FrameTime) {
    self.id = id
    self.isFromHistory = isFromHistory
    isGone = isFromHistory
    self.throttle = Throttle(interval: throttle, scope: .allMarkets)
    self.second = second
    epoch = now.wall - Int64(now.uptime / .milliseconds(1))
  }

  /// Returns the wall time of a second of uptime, in milliseconds since 1970. NB: Seconds of a recording are no uptime.
  func wall(of second: Int) -> Int64 { epoch + Int64(second) * 1000 }

  /// Shows a match of the history as it was last known. The chart ends there.
  mutating func show(_ known: LastKnownMatch, _ format: OddsFormat, now: Duration) {
    knownUntil = known.end
    second = Int((Double(known.end - epoch) / 1000).rounded(.down))
    _ = show(known.match, format, now: now)
  }

  /// Stores the latest state of the match. Returns the differences from the previous state.
  mutating func apply(_ match: Match, isOwn: Bool) -> [OutcomeChange] {
    self.isOwn = self.isOwn || isOwn
    isGone = false
    defer { newest = match }
    return OutcomeChange.all(from: newest, to: match)
  }

  /// Shows a state of the match and starts flashes for changed prices. Returns true if the list of rows has changed.
  mutating func show(_ match: Match, _ format: OddsFormat, now: Duration) -> Bool {
    let old = self.match
    self.match = match
    for change in OutcomeChange.all(from: old, to: match) {
      guard let before = change.before, let cell = change.cell else { continue }
      var highlighted = before
      highlighted.flash = flashes[change.key]
      flashes[change.key] = MatchRow.flash(from: highlighted, to: cell, now: now, format)
    }
    flashes = flashes.filter { $0.value.until > now }
    if let old, DetailList.isSame(old, match) { return false }
    let index = chosen.flatMap { list.position(of: $0) }
    list = DetailList(match)
    if chosen.flatMap({ list.position(of: $0) }) == nil { chosen = list.outcome(near: index ?? 0) }
    return true
  }

  /// True if the match has ended or was removed.
  var isOver: Bool { isGone || match?.status == .ended }

  /// Returns the freshness of the prices, apart from the trading status of the match.
  func grade(_ connection: Connection) -> Freshness.Grade { isGone ? .closed : freshness(connection).grade }

  /// Returns the freshness of the topic that the match was received from. Prices of the channel are locked when it does
  /// not carry the match any more.
  func freshness(_ connection: Connection) -> Freshness {
    if isOwn { return subscription?.freshness ?? Freshness(.locked, since: 0) }
    let channel = connection.freshness
    return hasLeftChannel ? channel.worse(Freshness(.locked, since: channel.since)) : channel
  }

  /// True if the prices have no more changes: the match is gone, or only the channel had it and does not any more.
  private var hasNoMoreChanges: Bool { isGone || hasLeftChannel && !isOwn }

  /// Returns true if the prices received now can be shown as live, apart from the trading status of the match.
  func isLive(_ connection: Connection) -> Bool { !isGone && freshness(connection).isTrusted }

  /// Returns true if the prices on the screen can be shown as live.
  func showsLivePrices(_ connection: Connection) -> Bool {
    isLive(connection) && !isOutdated && match?.tradingStatus.isTrusted ?? true
  }

  /// Returns true if the prices on the screen can be copied as live and used in calculations. Those of a match that has
  /// changed while the screen is frozen cannot.
  func isCurrent(_ connection: Connection, isFrozen: Bool) -> Bool {
    showsLivePrices(connection) && !(isFrozen && newest != match)
  }

  /// Returns true if the prices are known: they can be trusted, or are the last ones of a feed that has ended.
  func isKnown(_ connection: Connection) -> Bool {
    grade(connection).isTrusted || connection.state == .ended && !hasNoMoreChanges
  }

  /// Returns true if prices received now belong in the chart: it is known how old they are, or they are the last ones
  /// of a feed that has ended.
  func isCharted(_ connection: Connection) -> Bool {
    !hasNoMoreChanges && (freshness(connection).hasKnownPrices || connection.state == .ended)
  }

  /// The match for the alert rules; nil if its own topic does not carry it or its prices cannot raise alerts.
  var watched: Match? {
    isOwn && !isGone && isTrusted && subscription?.freshness.hasKnownPrices ?? false ? newest : nil
  }

  /// Moves the selection among the outcomes and scrolls it into the view of `lines` rows.
  mutating func move(_ movement: Movement, lines: Int) {
    let outcomes = list.outcomes
    guard !outcomes.isEmpty else { return }
    let index = chosen.flatMap { list.rank(of: $0) } ?? 0
    chosen = list.key(outcomes[movement.target(from: index, count: outcomes.count)])
    scroll(lines: lines)
  }

  /// The selected outcome and its market, as shown.
  var chosenOutcome: (market: Market, outcome: Outcome)? {
    guard let match, let entry = chosen.flatMap({ list.position(of: $0) }).map({ list.entries[$0] }),
      let index = entry.outcome
    else { return nil }
    let market = match.markets[Int(entry.market)]
    return (market, market.outcomes[Int(index)])
  }

  /// Moves the time cursor by a column of the chart. A new cursor begins at the end that it moves away from.
  mutating func moveCursor(by step: Int, in window: ChartWindow) {
    if let cursor {
      self.cursor = window.cursor(movedFrom: window.cursor(at: cursor), by: step)
    } else {
      cursor = step < 0 ? window.cursor(movedFrom: window.newest, by: step) : window.cursor(at: 0)
    }
  }

  /// Marks the selected outcome, or removes its mark. Returns true if that removed the marks of another market.
  mutating func toggleMark() -> Bool {
    guard let chosen else { return false }
    // An outcome that is gone cannot be selected to remove its mark.
    marks = marks.filter { list.position(of: $0) != nil }
    let others = marks.filter { $0.market != chosen.market }
    marks.subtract(others)
    if marks.remove(chosen) == nil { marks.insert(chosen) }
    return !others.isEmpty
  }

  mutating func removeCursor() { cursor = nil }

  /// Scrolls the selected outcome into view, together with the title of its market if it is the first outcome of that.
  mutating func scroll(lines: Int) {
    guard lines > 0 else { return }
    scroll.limit(to: list.count, height: lines)
    guard let at = chosen.flatMap({ list.position(of: $0) }) else { return }
    let first = lines > 1 && at > 0 && list.isMarket(at - 1) ? at - 1 : at
    scroll.reveal(first..<min(at + 1 + list.ladderCount(below: at), first + lines), height: lines)
  }
}

extension Duration {
  var wholeSeconds: Int { Int(components.seconds) }
}
