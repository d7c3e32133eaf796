import OddsModel
import TerminalCore

extension BoardState {
  /// Applies an action and returns the effects to perform. The only function that changes the state.
  package mutating func reduce(_ action: Action, now: FrameTime) -> [Effect] {
    switch action {
    case .channelUpdated(let update):
      apply(update, now: now)
      return watch(update, now: now)
    case .topicReplaced(let update):
      replaceTopic(update, now: now)
      return watch(update, now: now)
    case .topicRefused: list.pages?.refused()
    case .pagesDue: return missingPages()
    case .healthReceived(let health, let id): inspector?.apply(health, requestID: id, now: now.uptime)
    case .keyPressed(let key):
      switch focus.last {
      case .dialog(let dialog): return press(key, in: dialog, now: now)
      case .prompt(let prompt): return press(key, in: prompt, now: now) + nextPage()
      case .overlay, .detail, nil: return press(key, now: now) + nextPage()
      }
    case .mousePressed(let mouse): return press(mouse, now: now) + nextPage()
    case .settingsChanged(let settings):
      configure(settings, now: now)
      return configureAlerts(now: now)
    case .channelsChanged(let channels): return apply(channels, now: now)
    case .matchOpened(let id, let known, let hasTopic): matchOpened(id, known, hasTopic: hasTopic, now: now)
    case .matchUpdated(let update):
      applyToDetail(update, now: now)
      return watchOpenMatch(now: now)
    case .messageReceived(let message): show(message, now: now)
    case .accountFound(let canEndSession): account = BoardAccount(canEndSession: canEndSession)
    case .accountChanged(let status): return apply(status, now: now)
    case .terminalAnswered(let answer): apply(answer)
    case .resized(let size):
      self.size = size
      list.resize(to: Layout.body(of: size).count)
      scrollDetail()
      return nextPage()
    case .playbackMoved(let playback):
      apply(playback, now: now)
    case .frameDue:
      list.frameDue(isVisible: overlay == nil, now: now, second: second(now: now))
      releaseDetail(now: now)
      statusBar.frameDue(now: now)
      renewFilter(now: now)
      return requestHealth(now: now.uptime) + tickAlerts(now: now)
    case .painted(let report): statusBar.count(report)
    }
    return []
  }

  mutating func apply(_ update: ChannelUpdate, now: FrameTime) {
    let second = second(now: now)
    if connection.isLocked, update.staleness.grade.isTrusted { list.unlocked(now: now, second: second) }
    connection.apply(update)
    clock.apply(connection.state, now: now)
    inspector?.channelChanged()
    statusBar.count(update)
    applyToDetail(channel: update, now: now)
    list.apply(update, now: now, second: self.second(now: now))
    if !list.isFrozen { listChanged() }
  }

  private mutating func listChanged() {
    countFound()
    if connection.isLoaded { list.pages?.count(list.rows.total) }
    statusBar.count(merged: list.throttle.merged)
  }

  /// Opens a tab. Does nothing if it is open or does not exist.
  mutating func open(_ tab: Tab, now: FrameTime) -> [Effect] {
    if case .channel(let index) = tab, !channels.indices.contains(index) { return [] }
    return tab == self.tab ? [] : reopen(tab, now: now)
  }

  mutating func reopen(_ tab: Tab, now: FrameTime) -> [Effect] {
    let closing = closeDetail(now: now)
    self.tab = tab
    list.reset(isWatchList: tab == .watchList, pages: firstPage)
    alerts.leave()
    statusBar.readerReplaced(isOther: true)
    connection.channelOpened(now: now)
    overlay = inspector == nil ? nil : Overlay(.inspector(Inspector()))
    return closing + [.openChannel(requestedTopic)] + requestHealth(now: now.uptime)
  }

  mutating func unfreeze(now: FrameTime) {
    list.unfreeze(now: now, second: second(now: now))
    listChanged()
    showDetail(now: now)
  }
}
