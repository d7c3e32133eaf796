package import Localization
import OddsModel
package import TerminalCore

extension BoardState {
  /// Applies the values that differ from the last configuration. Other values changed at run time stay.
  mutating func configure(_ new: BoardSettings, now: FrameTime) -> [Effect] {
    var merged = settings
    func adopt<Value: Equatable>(_ setting: WritableKeyPath<BoardSettings, Value>) {
      if new[keyPath: setting] != configured[keyPath: setting] { merged[keyPath: setting] = new[keyPath: setting] }
    }
    adopt(\.odds)
    adopt(\.marginMethod)
    adopt(\.kellyFraction)
    adopt(\.order)
    adopt(\.grouping)
    adopt(\.columns)
    adopt(\.theme)
    adopt(\.ownThemes)
    adopt(\.usesMouse)
    adopt(\.isLowBandwidth)
    adopt(\.throttle)
    adopt(\.keys)
    adopt(\.alerts)
    adopt(\.link)
    adopt(\.alertBell)
    adopt(\.alertNotify)
    configured = new
    let effects = use(merged, now: now)
    updateChooser()
    return effects
  }

  mutating func set<Value>(_ path: WritableKeyPath<BoardSettings, Value>, to value: Value, now: FrameTime) -> [Effect] {
    var settings = settings
    settings[keyPath: path] = value
    return use(settings, now: now)
  }

  private mutating func use(_ settings: BoardSettings, now: FrameTime) -> [Effect] {
    self.settings = settings
    let context = context(now)
    list.reduce(.settingsChanged, context)
    return detail.reduce(.settingsChanged, context)
  }

  /// The next key of the orders: the usual ones, then the other columns on the screen.
  var nextOrder: BoardColumn {
    let shown = layout.columns.placed.map(\.column)
    let keys = BoardColumn.usualOrders + shown.filter { !BoardColumn.usualOrders.contains($0) }
    let index = keys.firstIndex(of: settings.order.key).map { $0 + 1 } ?? 0
    return keys[index % keys.count]
  }

  /// Sorts the rows and shows a message, because not every order has a column to mark.
  mutating func sort(by order: RowOrder, now: FrameTime) -> [Effect] {
    set(\.order, to: order, now: now) + [
      .note(order.isReversed ? .noteSortedReversed : .noteSorted, order.key.entry.order)
    ]
  }

  /// The theme in use: `auto` resolves to the dark or the light theme.
  var theme: Theme { settings.theme == .auto ? (isOnLight ? .light : .dark) : settings.theme }

  mutating func cycleTheme(now: FrameTime) -> [Effect] {
    let themes = settings.themes.filter { $0.name != Theme.auto.name }
    let next = themes.firstIndex { $0.name == theme.name }.map { $0 + 1 } ?? 0
    let chosen = themes[next % themes.count]
    return set(\.theme, to: chosen, now: now) + [.note(.noteTheme, chosen.name)]
  }

  /// The bounds of the rate of a simulated feed, in odds updates per second.
  static let rateBounds = 0.1...100_000.0

  /// Changes the rate by one step of the series 0.1, 0.2, … 1, 2, … 10, 20, …, within `rateBounds`.
  mutating func changeRate(up: Bool) -> [Effect] {
    guard let old = rate else { return [] }
    var step = Self.rateBounds.lowerBound
    while up ? step * 10 <= old * 1.000_001 : step * 10 < old * 0.999_999 { step *= 10 }
    let stepped = ((old / step).rounded() + (up ? 1 : -1)) * step
    let new = min(max(stepped, Self.rateBounds.lowerBound), Self.rateBounds.upperBound)
    rate = new
    return new == old ? [] : [.setRate(new)]
  }
}

extension OddsFormat {
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

extension ThemeError {
  /// The message for the user, with the remedy.
  package var sentence: LocalizedMessage {
    switch self {
    case .unknownPart(let part): LocalizedMessage(.themeUnknownPart, part.cleaned, LocalizedMessage.list(Theme.parts))
    case .unknownWord(let word): LocalizedMessage(.themeUnknownWord, word.cleaned)
    }
  }
}
