import OddsFeed
import TerminalCore

extension BoardState {
  /// Opens the match under the cursor, or closes the open match.
  mutating func openOrCloseDetail(at now: FrameTime) -> [Effect] {
    guard overlay == nil else { return [] }
    if detail != nil { return closeDetail(at: now) }
    return openDetail(by: 0, at: now)
  }

  /// Moves the cursor by a number of rows and opens the match there. Steps other than 0 require an open match.
  mutating func openDetail(by step: Int, at now: FrameTime) -> [Effect] {
    guard overlay == nil, rows.count > 0, step == 0 || detail != nil else { return [] }
    if step != 0 { moveCursor(by: step, at: now) }
    let id = rows[cursor].id
    guard id != detail?.id else { return [] }
    forgetDetail(at: now)
    detail = DetailPane(id, throttle: throttle.interval, second: second(at: now), at: now)
    histories.begin(id)
    return [.openMatch(id, of: requestedTopic)] + watchOpenMatch(at: now)
  }

  /// Closes the detail pane. Returns the effect that ends the subscription.
  mutating func closeDetail(at now: FrameTime) -> [Effect] {
    guard detail != nil else { return [] }
    forgetDetail(at: now)
    detail = nil
    return [.closeMatch] + watchOpenMatch(at: now)
  }

  /// Marks the prices of the open match as unknown, because they are not observed after it is closed.
  private mutating func forgetDetail(at now: FrameTime) {
    if let detail { histories.lose(detail.id, at: second(at: now)) }
  }

  mutating func matchOpened(_ id: MatchID, _ known: Match?, hasTopic: Bool, at now: FrameTime) {
    guard detail?.id == id else { return }
    detail!.hasTopic = hasTopic
    if let known {
      if !isLocked || connection == .ended, let position = rows.position(of: id) {
        histories.seed(known, from: rows[position], since: trustedSince)
      }
      takeDetail(known, isOwn: false, at: now)
    }
  }

  /// Applies a channel update. The match as the channel carries it is shown until its own topic delivers it.
  mutating func takeDetail(ofChannel update: ChannelUpdate, at now: FrameTime) {
    // A match that its own topic does not have is gone, even if the channel still carries it.
    guard let pane = detail, !pane.isOwn, let hasTopic = pane.hasTopic, !(hasTopic && pane.isGone) else { return }
    if let match = update.changed.first(where: { $0.id == pane.id }) {
      takeDetail(match, isOwn: false, at: now)
    } else {
      trackDetailTrust(at: now)
    }
    if !hasTopic, update.removed.contains(pane.id) {
      detail!.lose()
      trackDetailTrust(at: now)
    }
  }

  /// Applies an update of the match's own topic.
  mutating func takeDetail(_ update: ChannelUpdate, at now: FrameTime) {
    guard let pane = detail else { return }
    detail!.line = DetailPane.Line(
      isLoaded: update.isLoaded, topic: update.topic, staleness: update.staleness.grade)
    trackDetailTrust(at: now)
    // NB: the REST interface, which replaces the stream when that is down, only has one market of the match. The
    // channel carries that market, too.
    guard update.source == .stream else { return }
    if let match = update.changed.first(where: { $0.id == pane.id }) {
      takeDetail(match, isOwn: true, at: now)
    } else if update.removed.contains(pane.id) || update.isLoaded && !pane.isOwn {
      detail!.lose()
      trackDetailTrust(at: now)
    }
    // A notice takes a row of the list.
    scrollDetail()
  }

  private mutating func takeDetail(_ match: Match, isOwn: Bool, at now: FrameTime) {
    let changes = detail!.apply(match, isOwn: isOwn)
    trackDetailTrust(at: now)
    if detail!.isTrusted { histories.record(changes, of: match.id, at: second(at: now)) }
    // A match that has just been opened is shown on a frozen screen, too.
    guard frozenChanges == nil || detail!.match == nil else { return }
    if let shown = detail!.throttle.offer(match, at: now.uptime) { showDetail(shown, at: now) }
  }

  /// Updates whether prices can be trusted. Marks the history as unknown while they cannot, and records the current
  /// prices once they can again.
  private mutating func trackDetailTrust(at now: FrameTime) {
    let isTrusted = isDetailKnown
    guard isTrusted != detail!.isTrusted else { return }
    detail!.isTrusted = isTrusted
    if !isTrusted {
      histories.lose(detail!.id, at: second(at: now))
    } else if let match = detail!.newest {
      histories.record(OutcomeChange.all(from: nil, to: match), of: match.id, at: second(at: now))
    }
  }

  private mutating func showDetail(_ match: Match, at now: FrameTime) {
    detail!.second = second(at: now)
    let isOther = detail!.show(match, settings.odds, at: now.uptime)
    // NB: the channel may carry only a part of the match.
    if isOther, detail!.isOwn { histories.keep(only: detail!.list.keySet, of: match.id) }
    scrollDetail()
  }

  /// Shows the match if the throttle releases it, and advances the time.
  mutating func releaseDetail(at now: FrameTime) {
    guard detail != nil, frozenChanges == nil else { return }
    for match in detail!.throttle.release(at: now.uptime) { showDetail(match, at: now) }
    detail!.second = second(at: now)
  }

  /// Shows the latest state of the match after the screen is unfrozen.
  mutating func showDetail(at now: FrameTime) {
    if let newest = detail?.newest { showDetail(newest, at: now) }
  }

  mutating func changeDetailThrottle(at now: FrameTime) {
    guard detail != nil else { return }
    for match in detail!.throttle.change(to: throttle.interval) where frozenChanges == nil {
      showDetail(match, at: now)
    }
  }

  mutating func scrollDetail() {
    let lines = detailLines
    detail?.scroll(lines: lines)
  }

  /// Selects the outcome in a row of the screen. Returns false if there is none.
  @discardableResult
  mutating func chooseOutcome(at row: Int) -> Bool {
    guard let key = outcome(at: row) else { return false }
    detail?.chosen = key
    return true
  }
}
