import Localization
import OddsModel
import TerminalCore

extension BoardState {
  /// Passes a key to the topmost open part.
  mutating func press(_ key: Key, now: FrameTime) -> [Effect] {
    var effects: [Effect] = []
    switch focus.last {
    case .dialog:
      if account?.dialog == nil { return pressInCopyMenu(key) }
      let context = context(now)
      return account?.reduce(.keyPressed(key), context) ?? []
    // Keys that do not edit the line have no effect, except Ctrl-C.
    case .prompt: effects = key == .control("c") ? [.quit] : reducePrompt(.keyPressed(key), now: now)
    case .overlay, .detail, nil: effects = settings.keys[key].map { perform($0, now: now) } ?? []
    }
    return effects + nextPage(now: now)
  }

  mutating func perform(_ command: Command, now: FrameTime) -> [Effect] {
    if !isListShown, command.needsList { return [] }
    if isIdle(command) { return [.note(.historyNotLive)] }
    switch command {
    // The cursor.
    case .up: return move(.by(-1), now: now)
    case .down: return move(.by(1), now: now)
    case .pageUp: return move(.by(-page), now: now)
    case .pageDown: return move(.by(page), now: now)
    case .halfPageUp: return move(.by(-max(1, page / 2)), now: now)
    case .halfPageDown: return move(.by(max(1, page / 2)), now: now)
    case .top: return move(.toFirst, now: now)
    case .bottom: return move(.toLast, now: now) + (movesInList ? lastPage(now: now) : [])
    case .right where isRecording: return [.seek(Playback.step)]
    case .left where isRecording: return [.seek(.zero - Playback.step)]
    case .right: return perform(isDetailShown ? .nextMatch : .nextChannel, now: now)
    case .left: return perform(isDetailShown ? .previousMatch : .previousChannel, now: now)
    case .space: return toggleAtCursor(now: now)
    case .open: return openAtCursor(now: now)
    case .close: return closeTopmost(now: now)

    // The tabs.
    case .channel(let index): return open(tabNumbered: index + 1, now: now)
    case .nextChannel: return open(tabNumbered: tabNumber % numberedTabs + 1, now: now)
    // The first watch list is before the first channel.
    case .previousChannel:
      return open(tabNumbered: (max(1, tabNumber) + numberedTabs - 2) % numberedTabs + 1, now: now)
    case .watch: return open(.watchList(0), now: now)

    // The list.
    case .pin: return togglePin(now: now)
    case .group: return group(by: settings.grouping.next, now: now)
    case .fold: return toggleFold(now: now)
    case .foldAll: return toggleFold(isForAll: true, now: now)
    case .sort: return sort(by: RowOrder(nextOrder), now: now)
    case .reverse: return sort(by: RowOrder(settings.order.key, isReversed: !settings.order.isReversed), now: now)
    case .freeze: return toggleFreeze(now: now)
    case .find: return openSearch(now: now)
    case .nextFound: return jumpToFound(backwards: false, now: now)
    case .previousFound: return jumpToFound(backwards: true, now: now)
    case .showAll:
      if filterState.filter == nil { return [noFilterNote] }
      reduceFilter(.toggleShowAll, now: now)

    // The open match.
    case .nextMatch: return openDetail(by: 1, now: now)
    case .previousMatch: return openDetail(by: -1, now: now)
    case .chartEarlier: return reduceChart(.moveCursor(by: -1), now: now)
    case .chartLater: return reduceChart(.moveCursor(by: 1), now: now)
    case .chartShorter: return reduceChart(.setFrame(detail.frame.shorter), now: now)
    case .chartLonger: return reduceChart(.setFrame(detail.frame.longer), now: now)
    case .calculate: return openCalculator(now: now)
    case .mark: return isDetailShown ? detail.reduce(.toggleMark, context(now)) : []

    // The command line.
    case .command: return openPrompt(.command, now: now)
    case .addAlert: return overlay == nil ? openPrompt(.command, text: "alert \(proposedAlert)", now: now) : []
    case .write: return openPrompt(.command, text: "write \(now.screenFile)", now: now)

    // The overlays and dialogs.
    case .help: toggle(.help)
    case .account: toggle(.account)
    case .columns: toggleChooser()
    case .columnUp: return moveColumn(by: -1, now: now)
    case .columnDown: return moveColumn(by: 1, now: now)
    case .alerts:
      toggle(.alerts)
      if overlay != nil { return alerts.reduce(.read, context(now)) }
    case .deleteAlert: return overlay?.content == .alerts ? removeAlert(now: now) : []
    case .inspect:
      toggle(.inspector(Inspector()))
      return requestHealth(now: now)
    case .copy: return overlay == nil ? copyInView() : []
    case .copyMenu: return overlay == nil ? openCopyMenu() : []

    // The settings.
    case .cycleOdds:
      let odds = settings.odds.next
      return set(\.odds, to: odds, now: now) + [.note(.noteOdds, odds.name)]
    case .cycleTheme: return cycleTheme(now: now)
    case .cycleThrottle:
      let next = Throttle.steps.first { $0 > settings.throttle } ?? Throttle.steps[0]
      return set(\.throttle, to: next, now: now)
    case .mouse:
      settings.usesMouse.toggle()
      return [settings.usesMouse ? .note(.noteMouseOn) : .note(.noteMouseOff, settings.keys.name(of: .mouse, words))]
    case .damage: statusBar.reduce(.toggleDamage, now: now)
    case .wholeScreen: statusBar.reduce(.toggleWholeScreen, now: now)
    case .counters: statusBar.reduce(.toggleCounters, now: now)

    // The feed and the account.
    case .pause: return isRecording ? [.togglePause] : []
    case .faster: return changeRate(up: true)
    case .slower: return changeRate(up: false)
    case .reconnect: return canReconnect ? [.reconnect] : []
    case .logInOrOut: return logInOrOut(now: now)
    case .endSession: return account?.canEndSession == true ? [.endSession] : []
    case .quit: return [.quit]
    }
    return []
  }

  /// True while a recording is played back.
  private var isRecording: Bool { clock.playback != nil }

  /// Toggles the selected column of the chooser. Elsewhere pauses or resumes a recording; for any other feed, folds the
  /// selected group or pins the selected row.
  private mutating func toggleAtCursor(now: FrameTime) -> [Effect] {
    if columnChooser != nil { return toggleColumn(now: now) }
    if isRecording { return [.togglePause] }
    return movesInList && list.selectedHeading != nil ? toggleFold(now: now) : togglePin(now: now)
  }

  /// Opens what is selected in the topmost part. Closes the detail pane if it is open.
  private mutating func openAtCursor(now: FrameTime) -> [Effect] {
    if columnChooser != nil { return toggleColumn(now: now) }
    if overlay?.content == .alerts { return jumpToAlert(now: now) }
    if historyChooser != nil { return openChosenPast(now: now) }
    if overlay?.search != nil { return jumpInHelp(backwards: false) }
    if overlay != nil { return [] }
    if detail.pane != nil { return closeDetail(now: now) }
    return list.selectedHeading == nil ? openDetail(by: 0, now: now) : toggleFold(now: now)
  }

  /// Closes the topmost part: the cursor of the chart, the bet calculator, the detail pane, the search of the help, the
  /// overlay or the filter.
  private mutating func closeTopmost(now: FrameTime) -> [Effect] {
    if isDetailShown {
      if detail.pane?.cursor != nil { return reduceChart(.removeCursor, now: now) }
      return detail.ticket == nil ? closeDetail(now: now) : detail.reduce(.calculate(nil), context(now))
    }
    if overlay?.search != nil {
      overlay?.search = nil
    } else if overlay != nil {
      overlay = nil
    } else {
      reduceFilter(.clear, now: now)
    }
    return []
  }

  /// Goes to the next or previous match of the filter, or of the search in the open help.
  private mutating func jumpToFound(backwards: Bool, now: FrameTime) -> [Effect] {
    if overlay != nil { return jumpInHelp(backwards: backwards) }
    return detailCoversList ? [] : jump(backwards: backwards, now: now)
  }

  /// Without an account, opens the pane that explains how to configure one.
  private mutating func logInOrOut(now: FrameTime) -> [Effect] {
    let context = context(now)
    if account == nil { overlay = Overlay(.account) }
    return account?.reduce(.logInOrOut, context) ?? []
  }

  /// The number of rows that a page scrolls.
  private var page: Int {
    max(1, isDetailShown ? detail.height(size) : list.height - (overlay == nil ? list.stickyCount : 0))
  }

  /// True if movements move the cursor of the list.
  private var movesInList: Bool { overlay == nil && !isDetailShown }

  /// The row under the cursor; if the open match's pane covers the rows, that match's row, even if a filter hides it.
  var rowInView: MatchRow? {
    guard detailCoversList else { return list.selected }
    return detail.pane.flatMap { list.rows.row(of: $0.id) }
  }

  /// Scrolls the open overlay, or moves the selection in the detail pane or the list.
  mutating func move(_ movement: Movement, now: FrameTime) -> [Effect] {
    if overlay != nil {
      moveInOverlay(movement, now: now)
    } else if isDetailShown {
      return detail.reduce(.move(movement), context(now))
    } else {
      list.reduce(.move(movement), context(now))
    }
    return []
  }

  /// Applies an action of the chart. An open overlay covers the chart.
  private mutating func reduceChart(_ action: MatchDetail.Action, now: FrameTime) -> [Effect] {
    if overlay != nil { return [] }
    return isDetailShown ? detail.reduce(action, context(now)) : [.note(.chartNone)]
  }
}
