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
    let isRecording = clock.playback != nil
    switch command {
    case .quit: return [.quit]
    case .channel(let index): return open(tabNumbered: index + 1, now: now)
    case .nextChannel: return open(tabNumbered: tabNumber % numberedTabs + 1, now: now)
    // The first watch list is before the first channel.
    case .previousChannel:
      return open(tabNumbered: (max(1, tabNumber) + numberedTabs - 2) % numberedTabs + 1, now: now)
    case .right where isRecording: return [.seek(Playback.step)]
    case .left where isRecording: return [.seek(.zero - Playback.step)]
    case .right: return perform(isDetailShown ? .nextMatch : .nextChannel, now: now)
    case .left: return perform(isDetailShown ? .previousMatch : .previousChannel, now: now)
    case .space where columnChooser != nil, .open where columnChooser != nil: return toggleColumn(now: now)
    case .columns: toggleChooser()
    case .columnUp: return moveColumn(by: -1, now: now)
    case .columnDown: return moveColumn(by: 1, now: now)
    case .group: return group(by: settings.grouping.next, now: now)
    case .fold: return toggleFold(now: now)
    case .foldAll: return toggleFold(isForAll: true, now: now)
    case .space where isRecording: return perform(.pause, now: now)
    case .space where overlay == nil && !isDetailShown && list.selectedHeading != nil: return toggleFold(now: now)
    case .space: return perform(.pin, now: now)
    case .sort: return sort(by: RowOrder(nextOrder), now: now)
    case .reverse: return sort(by: RowOrder(settings.order.key, isReversed: !settings.order.isReversed), now: now)
    case .pin: return togglePin(now: now)
    case .watch: return open(.watchList(0), now: now)
    case .cycleOdds:
      let odds = settings.odds.next
      return set(\.odds, to: odds, now: now) + [.note(.noteOdds, odds.name)]
    case .open where overlay?.content == .alerts: return jumpToAlert(now: now)
    case .open where overlay?.search != nil: return jumpInHelp(backwards: false)
    case .open where overlay != nil: return []
    case .open where detail.pane == nil && list.selectedHeading != nil: return toggleFold(now: now)
    case .open: return detail.pane == nil ? openDetail(by: 0, now: now) : closeDetail(now: now)
    case .nextMatch: return openDetail(by: 1, now: now)
    case .previousMatch: return openDetail(by: -1, now: now)
    case .chartEarlier: return reduceChart(.moveCursor(by: -1), now: now)
    case .chartLater: return reduceChart(.moveCursor(by: 1), now: now)
    case .chartShorter: return reduceChart(.setFrame(detail.frame.shorter), now: now)
    case .chartLonger: return reduceChart(.setFrame(detail.frame.longer), now: now)
    case .find where overlay?.content == .help:
      return openPrompt(.search, text: overlay?.search?.text ?? "", now: now)
    case .find where detailCoversList: return []
    case .find:
      // The matching rows are to be visible.
      overlay = nil
      return openPrompt(.find, text: filterState.text, now: now)
    case .command: return openPrompt(.command, now: now)
    case .addAlert: return overlay == nil ? openPrompt(.command, text: "alert \(proposedAlert)", now: now) : []
    case .calculate where detail.pane == nil: return [.note(.calculatorNoMatch, settings.keys.name(of: .open, words))]
    case .calculate where overlay != nil: return []
    case .calculate:
      return openPrompt(.command, text: "calculate \(detail.lastTicket?.text ?? "back 10")", now: now)
    case .mark where isDetailShown: return detail.reduce(.toggleMark, context(now))
    case .mark: return []
    case .write: return openPrompt(.command, text: "write \(now.screenFile)", now: now)
    case .nextFound where overlay != nil: return jumpInHelp(backwards: false)
    case .previousFound where overlay != nil: return jumpInHelp(backwards: true)
    case .nextFound, .previousFound:
      return detailCoversList ? [] : jump(backwards: command == .previousFound, now: now)
    case .showAll:
      if filterState.filter == nil { return [noFilterNote] }
      reduceFilter(.toggleShowAll, now: now)
    case .alerts:
      toggle(.alerts)
      if overlay != nil { return alerts.reduce(.read, context(now)) }
    case .deleteAlert: return overlay?.content == .alerts ? removeAlert(now: now) : []
    case .cycleTheme: return cycleTheme(now: now)
    case .mouse:
      settings.usesMouse.toggle()
      return [settings.usesMouse ? .note(.noteMouseOn) : .note(.noteMouseOff, settings.keys.name(of: .mouse, words))]
    case .copy:
      if overlay != nil { return [] }
      return copyInView()
    case .copyMenu: return overlay == nil ? openCopyMenu() : []
    case .reconnect: return canReconnect ? [.reconnect] : []
    case .pause: return isRecording ? [.togglePause] : []
    case .help: toggle(.help)
    case .inspect:
      toggle(.inspector(Inspector()))
      return requestHealth(now: now)
    case .account: toggle(.account)
    case .logInOrOut:
      let context = context(now)
      // Without an account, the pane explains how to configure one.
      if account == nil { overlay = Overlay(.account) }
      return account?.reduce(.logInOrOut, context) ?? []
    case .endSession: return account?.canEndSession == true ? [.endSession] : []
    case .close where isDetailShown && detail.pane?.cursor != nil: return reduceChart(.removeCursor, now: now)
    case .close where isDetailShown && detail.ticket != nil: return detail.reduce(.calculate(nil), context(now))
    case .close where isDetailShown: return closeDetail(now: now)
    case .close where overlay?.search != nil: overlay?.search = nil
    case .close: if overlay == nil { reduceFilter(.clear, now: now) } else { overlay = nil }
    case .up: return move(.by(-1), now: now)
    case .down: return move(.by(1), now: now)
    case .pageUp: return move(.by(-page), now: now)
    case .pageDown: return move(.by(page), now: now)
    case .halfPageUp: return move(.by(-max(1, page / 2)), now: now)
    case .halfPageDown: return move(.by(max(1, page / 2)), now: now)
    case .top: return move(.toFirst, now: now)
    case .bottom: return move(.toLast, now: now) + (movesInList ? lastPage(now: now) : [])
    case .cycleThrottle:
      let next = Throttle.steps.first { $0 > settings.throttle } ?? Throttle.steps[0]
      return set(\.throttle, to: next, now: now)
    case .faster: return changeRate(up: true)
    case .slower: return changeRate(up: false)
    case .freeze: return toggleFreeze(now: now)
    case .damage: statusBar.reduce(.toggleDamage, now: now)
    case .wholeScreen: statusBar.reduce(.toggleWholeScreen, now: now)
    case .counters: statusBar.reduce(.toggleCounters, now: now)
    }
    return []
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
    return detail.pane.flatMap { pane in list.rows.all.first { $0.id == pane.id } }
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

  private mutating func openPrompt(_ kind: Prompt.Kind, text: String = "", now: FrameTime) -> [Effect] {
    statusBar.reduce(.clearMessage, now: now)
    return reducePrompt(.open(kind, text: text), now: now)
  }

  private mutating func reducePrompt(_ action: PromptBar.Action, now: FrameTime) -> [Effect] {
    let request = promptBar.reduce(action, completer)
    switch request {
    case .find(let text): reduceFilter(.find(text), now: now)
    case .clearFilter: reduceFilter(.clear, now: now)
    case .search(let text): searchHelp(text)
    case .enter(let prompt): return enter(prompt, now: now)
    case nil: break
    }
    return []
  }

  private var completer: Completer {
    Completer(
      channels: channels, watchLists: list.watch.lists.indices.map { title(ofWatchListAt: $0) },
      currentWatchList: title(ofWatchListAt: list.watch.current), settings: settings, rows: list.rows,
      alerts: alerts.engine,
      selected: isDetailShown ? detail.pane?.id : list.selected?.id)
  }

  private mutating func enter(_ prompt: Prompt, now: FrameTime) -> [Effect] {
    if prompt.kind == .find {
      reduceFilter(.find(prompt.text), now: now)
      return reducePrompt(filterState.error.map { .refused(prompt, $0) } ?? .accepted(prompt), now: now)
    }
    let closing = reducePrompt(.accepted(prompt), now: now)
    if prompt.kind == .search { return closing + enterHelpSearch() }
    do { return try closing + run(prompt.text, now: now) } catch {
      return reducePrompt(.refused(prompt, error), now: now)
    }
  }
}
