import OddsFeed
import Wording

extension BoardState {
  /// Takes other settings.
  mutating func use(_ settings: BoardSettings, at now: Moment) {
    if settings.odds != self.settings.odds { rows.write(settings.odds, at: now.uptime) }
    self.settings = settings
    keepOrder(at: now)
  }

  /// Has prices written otherwise, and says how.
  mutating func write(_ odds: OddsFormat, at now: Moment) {
    var settings = settings
    settings.odds = odds
    use(settings, at: now)
    tell(BoardNote(Sentence(.noteOdds, odds.name)), at: now)
  }
}

extension OddsFormat {
  /// What it is called.
  var name: Phrase {
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
