import OddsModel
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
    case .topicRefused: list.pages?.refused()
    case .pagesDue: return missingPages()
    case .healthReceived(let health, let id): inspector?.apply(health, requestID: id, at: now.uptime)
    case .keyPressed(let key):
      switch focus.last {
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
      applyToDetail(update, at: now)
      return watchOpenMatch(at: now)
    case .messageReceived(let message): show(message, at: now)
    case .accountFound(let canEndSession): account = BoardAccount(canEndSession: canEndSession)
    case .accountChanged(let status): return apply(status, at: now)
    case .terminalAnswered(let answer): apply(answer)
    case .resized(let size):
      self.size = size
      list.resize(to: Layout.body(of: size).count)
      scrollDetail()
      return nextPage()
    case .playbackMoved(let playback):
      apply(playback, at: now)
    case .frameDue:
      list.frameDue(isVisible: overlay == nil, at: now, second: second(at: now))
      releaseDetail(at: now)
      statusBar.frameDue(at: now)
      renewFilter(at: now)
      return requestHealth(at: now.uptime) + tickAlerts(at: now)
    case .painted(let report): statusBar.count(report)
    }
    return []
  }

  mutating func apply(_ update: ChannelUpdate, at now: FrameTime) {
    let second = second(at: now)
    if connection.isLocked, update.staleness.grade.isTrusted { list.unlocked(at: now, second: second) }
    connection.apply(update)
    clock.apply(connection.state, at: now)
    inspector?.channelChanged()
    statusBar.count(update)
    applyToDetail(channel: update, at: now)
    list.apply(update, at: now, second: self.second(at: now))
    if !list.isFrozen { listChanged() }
  }

  private mutating func listChanged() {
    countFound()
    if connection.isLoaded { list.pages?.count(list.rows.total) }
    statusBar.count(merged: list.throttle.merged)
  }

  /// Opens a tab. Does nothing if it is open or does not exist.
  mutating func open(_ tab: Tab, at now: FrameTime) -> [Effect] {
    if case .channel(let index) = tab, !channels.indices.contains(index) { return [] }
    return tab == self.tab ? [] : reopen(tab, at: now)
  }

  mutating func reopen(_ tab: Tab, at now: FrameTime) -> [Effect] {
    let closing = closeDetail(at: now)
    self.tab = tab
    list.reset(isWatchList: isWatching, pages: firstPage)
    alerts.leave()
    statusBar.readerReplaced(isOther: true)
    connection.channelOpened(at: now)
    overlay = inspector == nil ? nil : Overlay(.inspector(Inspector()))
    return closing + [.openChannel(requestedTopic)] + requestHealth(at: now.uptime)
  }

  mutating func unfreeze(at now: FrameTime) {
    list.unfreeze(at: now, second: second(at: now))
    listChanged()
    showDetail(at: now)
  }
}
