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
    case .channel(let index): return open(.channel(index), at: now)
    case .nextChannel: return open(.channel(tab.number % channels.count), at: now)
    // The watch list is before the first channel.
    case .previousChannel: return open(.channel((max(1, tab.number) + channels.count - 2) % channels.count), at: now)
    case .right where isDetailShown && clock.playback == nil: return perform(.nextMatch, at: now)
    case .left where isDetailShown && clock.playback == nil: return perform(.previousMatch, at: now)
    case .right: return clock.playback == nil ? perform(.nextChannel, at: now) : [.seek(Playback.step)]
    case .left: return clock.playback == nil ? perform(.previousChannel, at: now) : [.seek(.zero - Playback.step)]
    case .space: return clock.playback == nil ? perform(.pin, at: now) : perform(.pause, at: now)
    case .sort: cycleOrder(at: now)
    case .reverse: reverseOrder(at: now)
    case .pin: return togglePin(at: now)
    case .watch: return watch(at: now)
    case .cycleOdds: write(settings.odds.next, at: now)
    case .open where overlay?.content == .alerts: jumpToAlert(at: now)
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
    case .pause: return clock.playback == nil ? [] : [.togglePause]
    case .help: toggle(.help)
    case .inspect: return toggleInspector(at: now.uptime)
    case .account: toggle(.account)
    case .logInOrOut: logInOrOut()
    case .endSession: return canEndSession ? [.endSession] : []
    case .close where isDetailShown: return closeDetail(at: now)
    case .close: if overlay == nil { clearFound(at: now) } else { overlay = nil }
    case .up, .down, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .top: move(command, at: now)
    case .bottom:
      move(command, at: now)
      return lastPage()
    case .cycleThrottle:
      let at = Throttle.steps.firstIndex { $0 > list.throttle.interval } ?? 0
      set(\.throttle, to: Throttle.steps[at], at: now)
    case .faster: return changeRate(up: true)
    case .slower: return changeRate(up: false)
    case .freeze: if list.isFrozen { unfreeze(at: now) } else { list.freeze() }
    case .damage: statusBar.showsDamage.toggle()
    case .wholeScreen: statusBar.paintsWholeScreen.toggle()
    }
    return []
  }

  private mutating func move(_ command: Command, at now: FrameTime) {
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
    move(movement, at: now)
  }

  /// Scrolls the open overlay, or moves the selection in the detail pane or the list.
  mutating func move(_ movement: Movement, at now: FrameTime) {
    if overlay != nil {
      moveInOverlay(movement, at: now)
    } else if isDetailShown {
      detail!.move(movement, lines: detailHeight)
    } else {
      list.move(movement, at: now)
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
