import OddsModel
import TerminalCore

extension BoardState {
  mutating func press(_ key: Key, at now: FrameTime) -> [Effect] {
    if let effects = pressInAlerts(key, at: now) { return effects }
    return settings.keys[key].map { perform($0, at: now) } ?? []
  }

  mutating func perform(_ command: Command, at now: FrameTime) -> [Effect] {
    switch command {
    case .quit: return [.quit]
    case .channel(let place): return open(place, at: now)
    case .nextChannel: return open((channel + 1) % channels.count, at: now)
    case .previousChannel: return open((max(0, channel) + channels.count - 1) % channels.count, at: now)
    case .right where isDetailShown && playback == nil: return perform(.nextMatch, at: now)
    case .left where isDetailShown && playback == nil: return perform(.previousMatch, at: now)
    case .right: return playback == nil ? perform(.nextChannel, at: now) : [.seek(Playback.step)]
    case .left: return playback == nil ? perform(.previousChannel, at: now) : [.seek(.zero - Playback.step)]
    case .space: return playback == nil ? perform(.pin, at: now) : perform(.pause, at: now)
    case .sort: cycleOrder(at: now)
    case .reverse: reverseOrder(at: now)
    case .pin: return togglePin(at: now)
    case .watch: return watch(at: now)
    case .cycleOdds: write(settings.odds.next, at: now)
    case .open where alertPane != nil: jumpToAlert(at: now)
    case .open: return openOrCloseDetail(at: now)
    case .nextMatch: return openDetail(by: 1, at: now)
    case .previousMatch: return openDetail(by: -1, at: now)
    case .find: openPrompt(.find)
    case .command: openPrompt(.command)
    case .nextFound, .previousFound: jump(backwards: command == .previousFound, at: now)
    case .showAll: toggleShowAll(at: now)
    case .addAlert:
      if overlay == nil {
        openPrompt(.command, text: "alert \(proposedAlert)")
      }
    case .alerts: toggleAlerts()
    case .cycleTheme: cycleTheme(at: now)
    case .mouse: toggleMouse(at: now)
    case .copy: return copyRow(at: now)
    case .write: openPrompt(.command, text: "write \(now.screenFile)")
    case .reconnect: return canReconnect ? [.reconnect] : []
    case .pause: return playback == nil ? [] : [.togglePause]
    case .help: if case .help = overlay { overlay = nil } else { overlay = .help(scroll: 0) }
    case .inspect: return toggleInspector(at: now.uptime)
    case .account: if case .account = overlay { overlay = nil } else { overlay = .account(scroll: 0) }
    case .logInOrOut: logInOrOut()
    case .endSession: return canEndSession ? [.endSession] : []
    case .close where isDetailShown: return closeDetail(at: now)
    case .close: if overlay == nil { clearFound(at: now) } else { overlay = nil }
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .top: move(command, at: now)
    case .bottom:
      move(command, at: now)
      return lastPage()
    case .cycleThrottle:
      let at = Throttle.steps.firstIndex { $0 > throttle.interval } ?? 0
      set(\.throttle, to: Throttle.steps[at], at: now)
    case .faster: return changeRate(up: true)
    case .slower: return changeRate(up: false)
    case .freeze: if frozenChanges == nil { frozenChanges = [:] } else { unfreeze(at: now) }
    case .damage: showsDamage.toggle()
    case .wholeScreen: paintsWholeScreen.toggle()
    }
    return []
  }

  private mutating func move(_ command: Command, at now: FrameTime) {
    let page = max(1, isDetailShown ? detailLines : visibleRows - (overlay == nil ? held : 0))
    let step =
      switch command {
      case .up: -1
      case .down: 1
      case .pageUp: -page
      case .pageDown: page
      case .halfPageUp: -max(1, page / 2)
      case .halfPageDown: max(1, page / 2)
      case .top: Int.min / 2
      default: Int.max / 2
      }
    if command == .top, overlay == nil, !isDetailShown { top = 0 }
    move(by: step, at: now)
  }

  /// Moves by a number of rows: scrolls the open overlay, or moves the selection in the detail pane or the list.
  mutating func move(by step: Int, at now: FrameTime) {
    let page = max(1, visibleRows)
    if case .help(let scroll) = overlay {
      let last = max(0, helpLines.count - page)
      overlay = .help(scroll: max(0, min(scroll + step, last)))
      return
    }
    if case .account(let scroll) = overlay, let table = paneTable(at: now) {
      let last = max(0, table.count - page)
      overlay = .account(scroll: max(0, min(min(scroll, last) + step, last)))
      return
    }
    if alertPane != nil { return moveInAlerts(by: step) }
    if inspector != nil {
      let first = max(0, min(inspectorLines.lowerBound + step, lastInspectorLine))
      inspector?.scroll = first
      return
    }
    if isDetailShown { detail!.move(by: step, lines: detailLines) } else { moveCursor(by: step, at: now) }
  }

  /// The bounds of the rate of a simulated feed, in odds updates per second.
  static let rateBounds = 0.1...100_000.0

  /// Changes the rate by one step of the series 1, 2, … 10, 20, … 100, 200, …
  private mutating func changeRate(up: Bool) -> [Effect] {
    guard let old = rate else { return [] }
    var step = Self.rateBounds.lowerBound
    while up ? step * 10 <= old * 1.000_001 : step * 10 < old * 0.999_999 { step *= 10 }
    let stepped = ((old / step).rounded() + (up ? 1 : -1)) * step
    let new = min(max(stepped, Self.rateBounds.lowerBound), Self.rateBounds.upperBound)
    rate = new
    return new == old ? [] : [.setRate(new)]
  }
}
