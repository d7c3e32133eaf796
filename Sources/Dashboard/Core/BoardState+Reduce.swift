import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// Applies an action and returns the effects to perform. The only function that changes the state.
  package mutating func reduce(_ action: Action, now: FrameTime) -> [Effect] {
    switch action {
    case .channelUpdated(let update): return apply(update, now: now) + reduceAlerts(.channelUpdated(update), now: now)
    case .topicReplaced(var update):
      update.removed = matches(missingIn: update)
      return replaceTopic(update, now: now) + reduceAlerts(.channelUpdated(update), now: now)
    case .topicRefused: list.reduce(.pageRefused, context(now))
    case .pagesDue: return missingPages(now: now)
    case .healthReceived(let health, let id): inspector?.reduce(.answered(health, id: id), now: now.uptime)
    case .keyPressed(let key): return press(key, now: now)
    case .mousePressed(let mouse): return press(mouse, now: now) + nextPage(now: now)
    case .settingsChanged(let new): return configure(new, now: now) + reduceAlerts(.settingsChanged, now: now)
    case .channelsChanged(let channels): return apply(channels, now: now)
    case .matchOpened(let id, let known, let hasTopic):
      let isKnown = connection.freshness.hasKnownPrices || connection.state == .ended
      let row = isKnown ? list.rows.position(of: id).map { list.rows[$0] } : nil
      return detail.reduce(
        .opened(id, known: known, hasTopic: hasTopic, row: row, trustedSince: list.trustedSince), context(now))
    case .matchUpdated(let update):
      return detail.reduce(.matchUpdated(update), context(now)) + watchOpenMatch(now: now)
    case .messageReceived(let message): statusBar.reduce(.show(message), now: now)
    case .accountFound(let canEndSession): account = BoardAccount(canEndSession: canEndSession)
    case .accountChanged(let status):
      let context = context(now)
      return account?.reduce(.statusChanged(status), context) ?? []
    case .terminalAnswered(.background(let color)): isOnLight = color.isLight
    case .terminalAnswered: break
    case .resized(let size):
      self.size = size
      list.reduce(.resized(height: Layout.body(of: size).count), context(now))
      revealSelectedEntry(now: now)
      return detail.reduce(.resized, context(now)) + nextPage(now: now)
    case .addressChanged(let current):
      feedName = current.name
      address = current.url
    case .openingsRead(let batch): list.reduce(.openingsRead(batch), context(now))
    case .pricesRead(let prices):
      // The list does not need the opening prices of a match that it does not have.
      let isPast = detail.pane.map { $0.isFromHistory && $0.id == prices.match } ?? false
      if !isPast, let opening = prices.openingBatch { list.reduce(.openingsRead(opening), context(now)) }
      return detail.reduce(.pricesRead(prices), context(now))
    case .historySearched(let search, let result): return receive(result, of: search, now: now)
    case .pastMatchRead(let id, let result): return detail.reduce(.pastMatchRead(id, result), context(now))
    case .alertHistoryRead(let answers): return reduceAlerts(.historyRead(answers), now: now)
    case .playbackMoved(let playback): return apply(playback, now: now)
    case .frameDue:
      let context = context(now)
      let version = list.rows.lastVersion
      list.reduce(.frameDue(isVisible: overlay == nil), context)
      // The throttle may have shown a change that was counted in its old state.
      if filterState.showsAll, list.rows.lastVersion != version { filterState.count(in: list.rows) }
      statusBar.reduce(.frameDue, now: now)
      reduceFilter(.frameDue, now: now)
      return detail.reduce(.frameDue, context) + requestHealth(now: now) + reduceAlerts(.frameDue, now: now)
    case .painted(let report): statusBar.reduce(.painted(report), now: now)
    }
    return []
  }

  /// Applies an update of the channel to all features but the alerts.
  private mutating func apply(_ update: ChannelUpdate, now: FrameTime) -> [Effect] {
    if !connection.isTrusted, update.freshness.isTrusted { list.reduce(.trusted, context(now)) }
    if !connection.freshness.hasKnownPrices, update.freshness.hasKnownPrices { list.reduce(.pricesKnown, context(now)) }
    connection.reduce(.channelUpdated(update), now: now)
    clock.apply(connection.state, now: now)
    inspector?.reduce(.channelUpdated, now: now.uptime)
    statusBar.reduce(.channelUpdated(update), now: now)
    let context = context(now)
    let effects = detail.reduce(.channelUpdated(update), context)
    list.reduce(.channelUpdated(update), context)
    if !list.isFrozen { listChanged(now: now) }
    return effects
  }

  /// Applies the content of another topic to all features but the alerts.
  private mutating func replaceTopic(_ update: ChannelUpdate, now: FrameTime) -> [Effect] {
    let movesToEnd = list.pages?.movesToEnd == true && list.pages?.requested != nil
    list.reduce(.pageLoaded, context(now))
    statusBar.reduce(.readerReplaced(isOther: false), now: now)
    let effects = apply(update, now: now)
    if movesToEnd { list.reduce(.move(.toLast), context(now)) }
    return effects
  }

  /// Returns the matches of the rows, of the alerts and of the pane that the content of another topic does not have. A
  /// match that is released from a watch list has no row any more.
  private func matches(missingIn update: ChannelUpdate) -> [MatchID] {
    var missing = Set(list.rows.all.map(\.id))
    missing.formUnion(alerts.engine.carriedMatches)
    if let pane = detail.pane, !pane.isFromHistory { missing.insert(pane.id) }
    return missing.subtracting(update.changed.map(\.id)).sorted()
  }

  private mutating func listChanged(now: FrameTime) {
    filterState.count(in: list.rows)
    statusBar.reduce(.merged(list.throttle.merged), now: now)
  }

  mutating func toggleFreeze(now: FrameTime) -> [Effect] {
    if !list.isFrozen {
      list.reduce(.freeze, context(now))
      return []
    }
    list.reduce(.unfreeze, context(now))
    listChanged(now: now)
    return detail.reduce(.unfrozen, context(now))
  }

  private mutating func apply(_ playback: Playback, now: FrameTime) -> [Effect] {
    let (old, before) = (clock.second(now: now.uptime), clock.playback)
    if playback.isPaused, before?.isPaused == false { statusBar.reduce(.paused, now: now) }
    clock.apply(playback, now: now)
    let context = context(now)
    guard let before, before.jumps != playback.jumps, context.second != old else { return [] }
    list.reduce(.jumped(from: old), context)
    return detail.reduce(.jumped(from: old), context)
  }

  // MARK: Filter

  mutating func reduceFilter(_ action: FilterSearch.Action, now: FrameTime) {
    guard filterState.reduce(action, pinned: list.rows.pinned, words: words, now: now) else { return }
    if let filter = filterState.hiding {
      list.reduce(.show(only: { filter.matches($0) }), context(now))
    } else {
      list.reduce(.show(only: nil), context(now))
    }
    filterState.count(in: list.rows)
  }

  /// Moves the cursor to the next or previous matching row, and wraps around at the ends.
  mutating func jump(backwards: Bool, now: FrameTime) -> [Effect] {
    guard let filter = filterState.filter else { return [noFilterNote] }
    let count = list.rows.count
    let steps = (1..<count + 1).lazy.map { backwards ? count - $0 : $0 }
    let rows = list.rows
    // The search starts before the first row of a group whose heading is selected, or at that row if it goes backwards.
    let first = rows.lineCount > 0 ? rows.firstPosition(atLine: list.cursor) : 0
    let isBeforeFirst = list.selectedHeading != nil && !backwards
    let start = isBeforeFirst ? (first + count - 1) % max(1, count) : first
    guard let step = steps.first(where: { filter.matches(rows[(start + $0) % count]) }) else {
      return [.show(StatusMessage(noMatchMessage, isWarning: true))]
    }
    let index = (start + step) % count
    let isAround =
      if backwards { index >= first } else if isBeforeFirst { index < first } else { index <= first }
    list.reduce(.moveCursorToRow(index), context(now))
    return isAround ? [.note(backwards ? .findFromStart : .findFromEnd)] : []
  }

  var noFilterNote: Effect { .note(.findNothing, settings.keys.name(of: .find, words)) }

  // MARK: Match detail

  /// Moves the cursor by a number of rows and opens the match there. Steps other than 0 require an open match.
  mutating func openDetail(by step: Int, now: FrameTime) -> [Effect] {
    guard overlay == nil, step == 0 || detail.pane != nil else { return [] }
    if step != 0 { list.reduce(.moveToRow(step), context(now)) }
    guard let id = list.selected?.id, id != detail.pane?.id || isPastMatchShown else { return [] }
    return detail.reduce(.open(id, of: requestedTopic), context(now)) + watchOpenMatch(now: now)
  }

  mutating func closeDetail(now: FrameTime) -> [Effect] {
    detail.pane == nil ? [] : detail.reduce(.close, context(now)) + watchOpenMatch(now: now)
  }

  /// Evaluates the rules that name an outcome against the open match, as its own topic carries it.
  mutating func watchOpenMatch(now: FrameTime) -> [Effect] {
    reduceAlerts(.openMatchUpdated(detail.pane?.watched), now: now)
  }

  /// True if the detail pane is open and no overlay covers it.
  var isDetailShown: Bool { detail.pane != nil && overlay == nil }

  // MARK: Alerts

  /// Applies an action to the alerts. The cursor of the open pane stays on its alert when others come above it.
  mutating func reduceAlerts(_ action: AlertStore.Action, now: FrameTime) -> [Effect] {
    let context = context(now)
    guard let overlay, overlay.content == .alerts else { return alerts.reduce(action, context) }
    let chosen = alerts.entry(overlay.selected)
    let effects = alerts.reduce(action, context) + alerts.reduce(.read, context)
    if case .event(let event) = chosen, let index = alerts.index(of: event), index != overlay.selected {
      moveInOverlay(.by(index - overlay.selected), now: now)
    }
    return effects
  }

  /// Deletes the selected rule, or toggles its silence if it belongs to the configuration.
  mutating func removeAlert(now: FrameTime) -> [Effect] {
    guard let overlay, case .rule(let rule) = alerts.entry(overlay.selected) else { return [] }
    let effects = reduceAlerts(.remove(id: rule.id), now: now)
    moveInOverlay(.by(0), now: now)
    return effects
  }

  /// Closes the pane and moves the cursor to the match of the selected entry. If the pane of an open match would cover
  /// that row, opens the match there.
  mutating func jumpToAlert(now: FrameTime) -> [Effect] {
    guard let overlay, let match = alerts.entry(overlay.selected)?.match else { return [] }
    guard let position = list.rows.position(of: match) else { return [.warning(.alertMatchElsewhere)] }
    self.overlay = nil
    list.reduce(.moveCursorToRow(position), context(now))
    return detailCoversList ? openDetail(by: 0, now: now) : []
  }

  /// The text of a rule on the selected outcome in the detail pane, or else on the row under the cursor; may be empty.
  var proposedAlert: String {
    isDetailShown ? detail.pane?.proposedRule ?? "" : list.selected.map { alerts.proposal(for: $0) } ?? ""
  }
}
