import OddsModel

extension Market {
  /// The price of the favourite: the lowest price of the market. An outcome that cannot be bet on counts with its last
  /// price.
  ///
  /// Nil while the favourite cannot be bet on, so that no other price replaces it, and while the favourite is unknown:
  /// an outcome that has had no price yet may be the favourite. If two outcomes have the lowest price, both must be
  /// bettable.
  var favourite: DecimalOdds? {
    var lowest: DecimalOdds?
    var isBettable = true
    for outcome in outcomes {
      guard let odds = outcome.lastOdds else { return nil }
      if let lowest, odds > lowest { continue }
      isBettable = outcome.isBettable && (isBettable || odds != lowest)
      lowest = odds
    }
    return isBettable ? lowest : nil
  }
}

/// The first price that the board has seen of each outcome of a match's main market.
struct OpeningPrices: Hashable, Sendable {
  private struct Opening: Hashable, Sendable {
    let outcome: OutcomeID
    var odds: DecimalOdds?
  }

  private var market: MarketID?
  /// The first price of each outcome, in the market's order.
  private var openings: [Opening] = []

  /// Applies the prices of a match's main market. Another market starts with no opening prices.
  mutating func apply(_ market: Market?) {
    let outcomes = market?.outcomes ?? []
    if market?.id != self.market { (self.market, openings) = (market?.id, []) }
    let isSame = outcomes.count == openings.count && zip(outcomes, openings).allSatisfy { $0.id == $1.outcome }
    if !isSame {
      openings = outcomes.map { outcome in
        openings.first { $0.outcome == outcome.id } ?? Opening(outcome: outcome.id, odds: nil)
      }
    }
    for (place, outcome) in outcomes.enumerated() where openings[place].odds == nil {
      openings[place].odds = outcome.lastOdds
    }
  }

  /// Returns the first price of the outcome that now has the given price; nil if several outcomes have it and their
  /// first prices differ.
  func opening(of favourite: DecimalOdds, in market: Market) -> DecimalOdds? {
    var found: DecimalOdds?
    for (outcome, opening) in zip(market.outcomes, openings) where outcome.lastOdds == favourite {
      if let found, found != opening.odds { return nil }
      found = opening.odds
    }
    return found
  }
}
