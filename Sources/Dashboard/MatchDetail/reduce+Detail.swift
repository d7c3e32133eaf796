import OddsFeed
import TerminalCore

extension BoardState {
  /// Enter: opens the match under the cursor, or closes the one that is open.
  mutating func openOrCloseDetail(at now: FrameTime) -> [Effect] {
    guard overlay == nil else { return [] }
    if detail != nil { return closeDetail(at: now) }
    return openDetail(by: 0, at: now)
  }

  /// Opens the match that stands so many rows below the cursor, which goes there.
  mutating func openDetail(by step: Int, at now: FrameTime) -> [Effect] {
    guard overlay == nil, rows.count > 0, step == 0 || detail != nil else { return [] }
    if step != 0 { moveCursor(by: step, at: now) }
    let id = rows[cursor].id
    guard id != detail?.id else { return [] }
    forgetDetail(at: now)
    detail = DetailPane(id, throttle: throttle.interval, second: second(at: now), at: now)
    histories.begin(id)
    return [.openMatch(id)] + watchOpenMatch(at: now)
  }

  /// Returns what gives up the subscription, where there is one.
  mutating func closeDetail(at now: FrameTime) -> [Effect] {
    guard detail != nil else { return [] }
    forgetDetail(at: now)
    detail = nil
    return [.closeMatch] + watchOpenMatch(at: now)
  }

  /// What is not looked at is not known.
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

  /// The channel changed: until a match's own topic has it, what the channel carries is shown.
  mutating func takeDetail(ofChannel update: ChannelUpdate, at now: FrameTime) {
    // What a topic of its own does not have is gone, whatever the channel still carries.
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

  /// The match's own topic changed.
  mutating func takeDetail(_ update: ChannelUpdate, at now: FrameTime) {
    guard let pane = detail else { return }
    detail!.line = DetailPane.Line(
      isLoaded: update.isLoaded, topic: update.topic, staleness: update.staleness.grade)
    trackDetailTrust(at: now)
    // NB: the REST interface, which stands in for the stream, knows one market of a match: the channel has that, too.
    guard update.source == .stream else { return }
    if let match = update.changed.first(where: { $0.id == pane.id }) {
      takeDetail(match, isOwn: true, at: now)
    } else if update.removed.contains(pane.id) || update.isLoaded && !pane.isOwn {
      detail!.lose()
      trackDetailTrust(at: now)
    }
    // A notice takes a line.
    scrollDetail()
  }

  private mutating func takeDetail(_ match: Match, isOwn: Bool, at now: FrameTime) {
    let changes = detail!.take(match, isOwn: isOwn)
    trackDetailTrust(at: now)
    if detail!.isTrusted { histories.record(changes, of: match.id, at: second(at: now)) }
    // What has just been opened is shown on a frozen screen, too.
    guard frozenChanges == nil || detail!.match == nil else { return }
    if let shown = detail!.throttle.offer(match, at: now.uptime) { showDetail(shown, at: now) }
  }

  /// While prices may be dead, nobody knows them; when they live again, they are what they are then.
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
    // NB: what the channel carries may be a part of the match.
    if isOther, detail!.isOwn { histories.keep(only: detail!.list.keySet, of: match.id) }
    scrollDetail()
  }

  /// A frame is due: what the throttle has held long enough is shown, and time goes on.
  mutating func releaseDetail(at now: FrameTime) {
    guard detail != nil, frozenChanges == nil else { return }
    for match in detail!.throttle.release(at: now.uptime) { showDetail(match, at: now) }
    detail!.second = second(at: now)
  }

  /// The screen is frozen no more.
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

  /// Chooses the outcome on a line of the screen; false where there is none.
  mutating func chooseOutcome(at row: Int) -> Bool {
    guard let key = outcome(at: row) else { return false }
    detail!.chosen = key
    return true
  }
}
