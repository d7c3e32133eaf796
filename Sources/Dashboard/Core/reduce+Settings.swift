import Localization
import OddsModel

extension BoardState {
  /// Applies the values that differ from the last configuration. Other values changed at run time stay.
  mutating func configure(_ new: BoardSettings, now: FrameTime) {
    var merged = settings
    func adopt<Value: Equatable>(_ setting: WritableKeyPath<BoardSettings, Value>) {
      if new[keyPath: setting] != configured[keyPath: setting] { merged[keyPath: setting] = new[keyPath: setting] }
    }
    adopt(\.odds)
    adopt(\.order)
    adopt(\.theme)
    adopt(\.ownThemes)
    adopt(\.usesMouse)
    adopt(\.isLowBandwidth)
    adopt(\.throttle)
    adopt(\.keys)
    adopt(\.alerts)
    adopt(\.alertBell)
    adopt(\.alertNotify)
    configured = new
    use(merged, now: now)
  }

  /// Applies settings.
  mutating func use(_ settings: BoardSettings, now: FrameTime) {
    if settings.odds != self.settings.odds { list.write(settings.odds, now: now) }
    if settings.throttle != self.settings.throttle { throttle(to: settings.throttle, now: now) }
    self.settings = settings
    list.sort(by: settings.order, now: now)
  }

  mutating func set<Value>(_ setting: WritableKeyPath<BoardSettings, Value>, to value: Value, now: FrameTime) {
    var settings = settings
    settings[keyPath: setting] = value
    use(settings, now: now)
  }

  /// Changes the throttle's interval. Pending matches are shown at once.
  private mutating func throttle(to interval: Duration, now: FrameTime) {
    list.throttle(to: interval, now: now, second: second(now: now))
    changeDetailThrottle(now: now)
  }

  /// Applies new channels. The current channel stays open if one of them has its name and its topic.
  mutating func apply(_ new: [BoardChannel], now: FrameTime) -> [Effect] {
    guard !new.isEmpty, new != channels else { return [] }
    let old = channel
    channels = new
    guard let old else { return [] }
    let same = new.firstIndex { $0.isCalled(old.name) } ?? 0
    if new[same].topic == old.topic {
      tab = .channel(same)
      return []
    }
    return reopen(.channel(same), now: now)
  }

  /// Changes the odds format and shows a message.
  mutating func write(_ odds: OddsFormat, now: FrameTime) {
    set(\.odds, to: odds, now: now)
    show(StatusMessage(LocalizedMessage(.noteOdds, odds.name)), now: now)
  }
}

extension OddsFormat {
  /// The key of the format's name.
  var name: MessageKey {
    switch self {
    case .decimal: .oddsDecimal
    case .fractional: .oddsFractional
    case .american: .oddsAmerican
    case .hongKong: .oddsHongKong
    case .malay: .oddsMalay
    case .indonesian: .oddsIndonesian
    case .implied: .oddsImplied
    }
  }
}
