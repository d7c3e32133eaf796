import OddsModel
import TerminalCore

extension BoardState {
  mutating func press(_ key: Key, now: FrameTime) -> [Effect] {
    if let effects = pressInAlerts(key, now: now) { return effects }
    return settings.keys[key].map { perform($0, now: now) } ?? []
  }

  mutating func perform(_ command: Command, now: FrameTime) -> [Effect] {
    switch command {
    case .quit: return [.quit]
    case .channel(let index): return open(.channel(index), now: now)
    case .nextChannel: return open(.channel(tab.number % channels.count), now: now)
    // The watch list is before the first channel.
    case .previousChannel: return open(.channel((max(1, tab.number) + channels.count - 2) % channels.count), now: now)
    case .right where isDetailShown && clock.playback == nil: return perform(.nextMatch, now: now)
    case .left where isDetailShown && clock.playback == nil: return perform(.previousMatch, now: now)
    case .right: return clock.playback == nil ? perform(.nextChannel, now: now) : [.seek(Playback.step)]
    case .left: return clock.playback == nil ? perform(.previousChannel, now: now) : [.seek(.zero - Playback.step)]
    case .space: return clock.playback == nil ? perform(.pin, now: now) : perform(.pause, now: now)
    case .sort: cycleOrder(now: now)
    case .reverse: reverseOrder(now: now)
    case .pin: return togglePin(now: now)
    case .watch: return watch(now: now)
    case .cycleOdds: write(settings.odds.next, now: now)
    case .open where overlay?.content == .alerts: jumpToAlert(now: now)
    case .open: return openOrCloseDetail(now: now)
    case .nextMatch: return openDetail(by: 1, now: now)
    case .previousMatch: return openDetail(by: -1, now: now)
    case .find: openPrompt(.find)
    case .command: openPrompt(.command)
    case .nextFound, .previousFound: jump(backwards: command == .previousFound, now: now)
    case .showAll: toggleShowAll(now: now)
    case .addAlert:
      if overlay == nil {
        openPrompt(.command, text: "alert \(proposedAlert)")
      }
    case .alerts: toggleAlerts()
    case .cycleTheme: cycleTheme(now: now)
    case .mouse: toggleMouse(now: now)
    case .copy: return copyRow(now: now)
    case .write: openPrompt(.command, text: "write \(now.screenFile)")
    case .reconnect: return canReconnect ? [.reconnect] : []
    case .pause: return clock.playback == nil ? [] : [.togglePause]
    case .help: toggle(.help)
    case .inspect: return toggleInspector(now: now.uptime)
    case .account: toggle(.account)
    case .logInOrOut: logInOrOut()
    case .endSession: return canEndSession ? [.endSession] : []
    case .close where isDetailShown: return closeDetail(now: now)
    case .close: if overlay == nil { clearFound(now: now) } else { overlay = nil }
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .top: move(command, now: now)
    case .bottom:
      move(command, now: now)
      return lastPage()
    case .cycleThrottle:
      let at = Throttle.steps.firstIndex { $0 > list.throttle.interval } ?? 0
      set(\.throttle, to: Throttle.steps[at], now: now)
    case .faster: return changeRate(up: true)
    case .slower: return changeRate(up: false)
    case .freeze: if list.isFrozen { unfreeze(now: now) } else { list.freeze() }
    case .damage: statusBar.showsDamage.toggle()
    case .wholeScreen: statusBar.paintsWholeScreen.toggle()
    }
    return []
  }

  private mutating func move(_ command: Command, now: FrameTime) {
    let page = max(1, isDetailShown ? detailHeight : list.height - (overlay == nil ? list.stickyCount : 0))
    let movement: Movement =
      switch command {
      case .up: .by(-1)
      case .down: .by(1)
      case .pageUp: .by(-page)
      case .pageDown: .by(page)
      case .halfPageUp: .by(-max(1, page / 2))
      case .halfPageDown: .by(max(1, page / 2))
      case .top: .toFirst
      default: .toLast
      }
    move(movement, now: now)
  }

  /// Scrolls the open overlay, or moves the selection in the detail pane or the list.
  mutating func move(_ movement: Movement, now: FrameTime) {
    if overlay != nil {
      moveInOverlay(movement, now: now)
    } else if isDetailShown {
      detail!.move(movement, lines: detailHeight)
    } else {
      list.move(movement, now: now)
    }
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
