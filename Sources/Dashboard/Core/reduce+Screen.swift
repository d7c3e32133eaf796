package import Localization
import OddsModel
package import TerminalCore

// Theme, window title and clipboard.
extension BoardState {
  /// The theme in use: `auto` resolves to the dark or the light theme.
  var theme: Theme { settings.theme == .auto ? (isOnLight ? .light : .dark) : settings.theme }

  mutating func apply(_ answer: TerminalAnswer) {
    if case .background(let color) = answer { isOnLight = color.isLight }
  }

  /// Switches to the theme after the one in use.
  mutating func cycleTheme(now: FrameTime) {
    let themes = settings.themes.filter { $0.name != Theme.auto.name }
    let next = themes.firstIndex { $0.name == theme.name }.map { $0 + 1 } ?? 0
    settings.theme = themes[next % themes.count]
    show(StatusMessage(LocalizedMessage(.noteTheme, settings.theme.name)), now: now)
  }

  mutating func copyRow(now: FrameTime) -> [Effect] {
    guard let row = list.selected else {
      show(StatusMessage(LocalizedMessage(.noteNoRow), isWarning: true), now: now)
      return []
    }
    let text = text(of: row)
    show(StatusMessage(LocalizedMessage(.noteCopied, text)), now: now)
    return [.terminal(.copy(text))]
  }

  /// Returns a row's match, prices and overround as shown on the screen.
  func text(of row: MatchRow) -> String {
    let isTrusted = !connection.isLocked && row.tradingStatus.isTrusted
    var parts = [row.labels.name.cleaned]
    for column in PriceTriple.indices {
      let cell = row.prices[column]
      switch cell.state {
      case .none: break
      case .suspended: parts.append(words(.rowSuspended))
      case .closed: parts.append("-")
      case .live:
        let price = cell.odds.map { "\(ShortText($0, settings.odds, point: words.decimalPoint))" } ?? ""
        parts.append(isTrusted ? price : "\(price)\(Glyphs(glyphs).doubt)")
      }
    }
    if let overround = row.overround.shown {
      parts.append("\(ShortText(tenths: overround, point: words.decimalPoint)) %")
    }
    return parts.joined(separator: "  ")
  }

  /// Returns the title of the terminal's window; empty in low-bandwidth mode.
  func title(now: FrameTime) -> String {
    if settings.isLowBandwidth { return "" }
    let title = channelTitle
    // An idle connection before the first dump is not a problem.
    guard connection.isLoaded || connection.state != .idle,
      let lastingProblem = connectionStatus(now: now).lastingProblem(words)
    else {
      return words(.titleBoard, title)
    }
    return words(.titleTrouble, title, lastingProblem)
  }
}

extension Theme.Problem {
  /// The message for the user, with the remedy.
  package var sentence: LocalizedMessage {
    switch self {
    case .unknownPart(let part): LocalizedMessage(.themeUnknownPart, part.cleaned, LocalizedMessage.list(Theme.parts))
    case .unknownWord(let word): LocalizedMessage(.themeUnknownWord, word.cleaned)
    }
  }
}
