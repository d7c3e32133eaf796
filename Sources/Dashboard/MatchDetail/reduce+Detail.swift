import OddsFeed
import OddsModel
import TerminalCore

extension BoardState {
  /// Opens the match under the cursor, or closes the open match.
  mutating func openOrCloseDetail(now: FrameTime) -> [Effect] {
    guard overlay == nil else { return [] }
    if detail != nil { return closeDetail(now: now) }
    return openDetail(by: 0, now: now)
  }

  /// Moves the cursor by a number of rows and opens the match there. Steps other than 0 require an open match.
  mutating func openDetail(by step: Int, now: FrameTime) -> [Effect] {
    guard overlay == nil, step == 0 || detail != nil else { return [] }
    if step != 0, list.rows.count > 0 { list.move(.by(step), now: now) }
    guard let id = list.selected?.id, id != detail?.id else { return [] }
    markDetailUnknown(now: now)
    detail = DetailPane(id, throttle: list.throttle.interval, second: second(now: now), now: now)
    histories.begin(id)
    return [.openMatch(id, of: requestedTopic)] + watchOpenMatch(now: now)
  }

  /// Closes the detail pane. Returns the effect that ends the subscription.
  mutating func closeDetail(now: FrameTime) -> [Effect] {
    guard detail != nil else { return [] }
    markDetailUnknown(now: now)
    detail = nil
    return [.closeMatch] + watchOpenMatch(now: now)
  }

  /// Marks the prices of the open match as unknown, because they are not observed after it is closed.
  private mutating func markDetailUnknown(now: FrameTime) {
    if let detail { histories.markUnknown(detail.id, at: second(now: now)) }
  }

  mutating func matchOpened(_ id: MatchID, _ known: Match?, hasTopic: Bool, now: FrameTime) {
    guard detail?.id == id else { return }
    detail!.hasTopic = hasTopic
    if let known {
      if !connection.isLocked || connection.state == .ended, let position = list.rows.position(of: id) {
        histories.seed(known, from: list.rows[position], since: list.trustedSince)
      }
      applyToDetail(known, isOwn: false, now: now)
    }
  }

  /// Applies a channel update. The match as the channel carries it is shown until its own topic delivers it.
  mutating func applyToDetail(channel update: ChannelUpdate, now: FrameTime) {
    // A match that its own topic does not have is gone, even if the channel still carries it.
    guard let pane = detail, !pane.isOwn, let hasTopic = pane.hasTopic, !(hasTopic && pane.isGone) else { return }
    if let match = update.changed.first(where: { $0.id == pane.id }) {
      applyToDetail(match, isOwn: false, now: now)
    } else {
      trackDetailTrust(now: now)
    }
    if !hasTopic, update.removed.contains(pane.id) {
      detail!.markGone()
      trackDetailTrust(now: now)
    }
  }

  /// Applies an update of the match's own topic.
  mutating func applyToDetail(_ update: ChannelUpdate, now: FrameTime) {
    guard let pane = detail else { return }
    detail!.subscription = DetailPane.Subscription(
      isLoaded: update.isLoaded, topic: update.topic, staleness: update.staleness.grade)
    trackDetailTrust(now: now)
    // NB: the REST interface, which replaces the stream when that is down, only has one market of the match. The
    // channel carries that market, too.
    guard update.source == .stream else { return }
    if let match = update.changed.first(where: { $0.id == pane.id }) {
      applyToDetail(match, isOwn: true, now: now)
    } else if update.removed.contains(pane.id) || update.isLoaded && !pane.isOwn {
      detail!.markGone()
      trackDetailTrust(now: now)
    }
    // A notice takes a row of the list.
    scrollDetail()
  }

  private mutating func applyToDetail(_ match: Match, isOwn: Bool, now: FrameTime) {
    let changes = detail!.apply(match, isOwn: isOwn)
    trackDetailTrust(now: now)
    if detail!.isTrusted { histories.record(changes, of: match.id, at: second(now: now)) }
    // A match that has just been opened is shown on a frozen screen, too.
    guard !list.isFrozen || detail!.match == nil else { return }
    if let shown = detail!.throttle.offer(match, now: now.uptime) { showDetail(shown, now: now) }
  }

  /// Updates whether prices can be trusted. Marks the history as unknown while they cannot, and records the current
  /// prices once they can again.
  private mutating func trackDetailTrust(now: FrameTime) {
    let isTrusted = isDetailKnown
    guard isTrusted != detail!.isTrusted else { return }
    detail!.isTrusted = isTrusted
    if !isTrusted {
      histories.markUnknown(detail!.id, at: second(now: now))
    } else if let match = detail!.newest {
      histories.record(OutcomeChange.all(from: nil, to: match), of: match.id, at: second(now: now))
    }
  }

  private mutating func showDetail(_ match: Match, now: FrameTime) {
    detail!.second = second(now: now)
    let isOther = detail!.show(match, settings.odds, now: now.uptime)
    // NB: the channel may carry only a part of the match.
    if isOther, detail!.isOwn { histories.retain(only: detail!.list.keySet, of: match.id) }
    scrollDetail()
  }

  /// Shows the match if the throttle releases it, and advances the time.
  mutating func releaseDetail(now: FrameTime) {
    guard detail != nil, !list.isFrozen else { return }
    for match in detail!.throttle.release(now: now.uptime) { showDetail(match, now: now) }
    detail!.second = second(now: now)
  }

  /// Shows the latest state of the match after the screen is unfrozen.
  mutating func showDetail(now: FrameTime) {
    if let newest = detail?.newest { showDetail(newest, now: now) }
  }

  mutating func changeDetailThrottle(now: FrameTime) {
    guard detail != nil else { return }
    for match in detail!.throttle.change(to: list.throttle.interval) where !list.isFrozen {
      showDetail(match, now: now)
    }
  }

  mutating func scrollDetail() {
    let lines = detailHeight
    detail?.scroll(lines: lines)
  }

  /// Selects the outcome in a row of the screen. Returns false if there is none.
  @discardableResult
  mutating func chooseOutcome(at row: Int) -> Bool {
    guard let key = outcome(at: row) else { return false }
    detail?.chosen = key
    return true
  }

  /// True if the detail pane is open and no overlay covers it.
  var isDetailShown: Bool { detail != nil && overlay == nil }

  /// The layout of the screen.
  var layout: Layout { Layout(size: size, hasPane: isDetailShown, hasTrend: !settings.isLowBandwidth) }

  /// The freshness of the prices in the detail pane, apart from the trading status of the match.
  var detailGrade: Freshness.Grade {
    guard let detail else { return connection.freshness.grade }
    if detail.isGone { return .closed }
    return detail.isOwn ? detail.subscription?.staleness ?? .locked : connection.freshness.grade
  }

  /// True if the prices in the detail pane are known: they can be trusted, or are the last ones of a feed that has
  /// ended.
  var isDetailKnown: Bool { detailGrade.isTrusted || connection.state == .ended && detail?.isGone != true }

  /// The number of rows for the list of markets in the detail pane.
  var detailHeight: Int { detailLayout?.list.count ?? 0 }

  private var detailLayout: DetailLayout? {
    detail.map { DetailLayout(Layout(size: size, hasPane: true), hasNotice: $0.notice != nil) }
  }

  /// Returns the outcome in a row of the screen.
  func outcome(at row: Int) -> OutcomeKey? {
    guard let detail, let layout = detailLayout, isDetailShown, layout.list.contains(row) else { return nil }
    let position = detail.scroll.first + row - layout.list.lowerBound
    return position < detail.list.count ? detail.list.key(position) : nil
  }
}
