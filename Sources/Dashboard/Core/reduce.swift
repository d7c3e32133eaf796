import OddsFeed
import TerminalCore

extension BoardState {
  /// Applies an action and returns the effects to perform. The only function that changes the state.
  package mutating func reduce(_ action: Action, at now: FrameTime) -> [Effect] {
    switch action {
    case .channelUpdated(let update):
      apply(update, at: now)
      return watch(update, at: now)
    case .topicReplaced(let update):
      replaceTopic(update, at: now)
      return watch(update, at: now)
    case .topicRefused: pages?.refused()
    case .pagesDue: return missingPages()
    case .healthReceived(let health, let id): inspector?.apply(health, requestID: id, at: now.uptime)
    case .keyPressed(let key):
      switch focus.top {
      case .dialog(let dialog): return press(key, in: dialog, at: now)
      case .prompt(let prompt): return press(key, in: prompt, at: now) + nextPage()
      case .overlay, .detail, nil: return press(key, at: now) + nextPage()
      }
    case .mousePressed(let mouse): return press(mouse, at: now) + nextPage()
    case .settingsChanged(let settings):
      configure(settings, at: now)
      return configureAlerts(at: now)
    case .channelsChanged(let channels): return apply(channels, at: now)
    case .matchOpened(let id, let known, let hasTopic): matchOpened(id, known, hasTopic: hasTopic, at: now)
    case .matchUpdated(let update):
      takeDetail(update, at: now)
      return watchOpenMatch(at: now)
    case .messageReceived(let message): show(message, at: now)
    case .accountFound(let canEndSession): account = BoardAccount(canEndSession: canEndSession)
    case .accountChanged(let status): return apply(status, at: now)
    case .terminalAnswered(let answer): apply(answer)
    case .resized(let size):
      self.size = size
      scroll()
      scrollDetail()
      return nextPage()
    case .playbackMoved(let playback):
      apply(playback, at: now)
    case .frameDue:
      if frozenChanges == nil, case let released = throttle.release(at: now.uptime), !released.isEmpty {
        let second = second(at: now)
        changeRows { $0.update(released, at: now.uptime, second: second) }
      }
      releaseDetail(at: now)
      settleOrder(at: now.uptime)
      nextRowDeadline = overlay == nil ? expireRows(at: now.uptime) : nil
      meters.tick(at: now.uptime)
      renewFilter(at: now)
      if let until = note?.until, until <= now.uptime { note = nil }
      return requestHealth(at: now.uptime) + tickAlerts(at: now)
    case .painted(let report): count(report)
    }
    return []
  }

  mutating func apply(_ update: ChannelUpdate, at now: FrameTime) {
    let second = second(at: now)
    if isLocked, update.staleness.grade.isTrusted, frozenChanges == nil {
      // NB: A match left pending in the throttle would show a price from before the lock as a live one.
      let kept = throttle.change(to: throttle.interval)
      changeRows { $0.update(kept, at: now.uptime, second: second) }
    }
    if isLocked, update.staleness.grade.isTrusted { trustedSince = second }
    apply(update)
    endedAt = connection == .ended ? endedAt ?? now.uptime.wholeSeconds : nil
    staleness = update.staleness
    lastSign = update.lastSign
    inspector?.channelChanged()
    isLoaded = update.isLoaded
    meters.totals.oddsUpdates += update.oddsUpdates - counted.oddsUpdates
    meters.totals.conflated += update.conflated - counted.conflated
    counted.oddsUpdates = update.oddsUpdates
    counted.conflated = update.conflated
    takeDetail(ofChannel: update, at: now)
    if frozenChanges != nil {
      missed += update.changed.count + update.removed.count
      for match in update.changed { frozenChanges!.updateValue(match, forKey: match.id) }
      for id in update.removed { frozenChanges!.updateValue(nil, forKey: id) }
      return
    }
    show(update.changed, removed: update.removed, at: now)
    meters.totals.conflated += throttle.merged - counted.merged
    counted.merged = throttle.merged
  }

  private mutating func show(_ changed: [Match], removed: [MatchID], at now: FrameTime) {
    for id in removed { throttle.forget(id) }
    let changed = sift(changed).compactMap { throttle.offer($0, at: now.uptime) }
    let second = second(at: now)
    changeRows { rows in
      for id in removed { rows.remove(id) }
      rows.update(changed, at: now.uptime, second: second)
    }
    countFound()
    if isLoaded { pages?.count(rows.total) }
  }

  private mutating func expireRows(at now: Duration) -> Duration? {
    let visible = visible
    let expiries = [rows.expire(visible.held, at: now), rows.expire(visible.scrolled, at: now)]
    return expiries.compactMap { $0 }.min()
  }

  private mutating func count(_ report: FrameReport) {
    if report.isStatusOnly { return }
    meters.totals.frames += 1
    meters.totals.bytes += report.bytes
    meters.totals.rows += report.rows
    meters.totals.changesPainted += report.changes
    meters.totals.painting += report.duration
  }

  mutating func show(_ message: StatusMessage, at now: FrameTime) {
    note = (message, now.uptime + StatusMessage.length)
  }

  /// Opens a tab. Does nothing if it is open or does not exist.
  mutating func open(_ tab: Tab, at now: FrameTime) -> [Effect] {
    if case .channel(let index) = tab, !channels.indices.contains(index) { return [] }
    return tab == self.tab ? [] : reopen(tab, at: now)
  }

  mutating func reopen(_ tab: Tab, at now: FrameTime) -> [Effect] {
    let closing = closeDetail(at: now)
    self.tab = tab
    pages = firstPage
    alerts.leave()
    rows = rows.emptied
    throttle = Throttle(interval: throttle.interval)
    counted = (0, 0, 0)
    // A new channel starts unfrozen: it has not shown a screen to freeze.
    frozenChanges = nil
    missed = 0
    isLoaded = false
    (topic, source, apiProblem) = (.requested, .none, nil)
    staleness = Freshness(.locked, since: now.wall)
    lastSign = nil
    openedAt = now.uptime
    (cursor, top, staysAtTop) = (0, 0, true)
    overlay = inspector == nil ? nil : Overlay(.inspector(Inspector()))
    return closing + [.openChannel(requestedTopic)] + requestHealth(at: now.uptime)
  }

  mutating func unfreeze(at now: FrameTime) {
    let kept = frozenChanges ?? [:]
    frozenChanges = nil
    missed = 0
    trustedSince = second(at: now)
    show(kept.values.compactMap { $0 }, removed: kept.compactMap { $1 == nil ? $0 : nil }, at: now)
    showDetail(at: now)
  }
}
