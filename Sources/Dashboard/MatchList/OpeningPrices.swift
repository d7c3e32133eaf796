import OddsHistory
import OddsModel

/// The recorded opening prices of a match, and the rule for the opening price of an outcome.
struct RecordedOpenings: Hashable, Sendable {
  private var prices: [OutcomeKey: DecimalOdds] = [:]

  mutating func add(_ odds: DecimalOdds, of outcome: OutcomeKey) { prices[outcome] = odds }

  /// Returns the opening price of an outcome: the first recorded price, or else the first price of this run.
  func opening(of outcome: OutcomeKey, firstOfRun: DecimalOdds?) -> DecimalOdds? { prices[outcome] ?? firstOfRun }
}

/// The opening prices of a match's main market.
struct OpeningPrices: Hashable, Sendable {
  private struct Opening: Hashable, Sendable {
    let outcome: OutcomeID
    /// The first price of this run.
    var odds: DecimalOdds?
    var isFavourite = false
  }

  private var market: MarketID?
  /// The outcomes in the market's order.
  private var openings: [Opening] = []
  var recorded = RecordedOpenings()

  init(recorded: RecordedOpenings = RecordedOpenings()) { self.recorded = recorded }

  /// Applies the prices of a match's main market, and the price of its favourite. Another market starts with no prices
  /// of this run.
  mutating func apply(_ market: Market?, favourite: DecimalOdds?) {
    let outcomes = market?.outcomes ?? []
    if market?.id != self.market {
      self.market = market?.id
      openings = []
    }
    let isSame = outcomes.count == openings.count && zip(outcomes, openings).allSatisfy { $0.id == $1.outcome }
    if !isSame {
      openings = outcomes.map { outcome in
        openings.first { $0.outcome == outcome.id } ?? Opening(outcome: outcome.id, odds: nil)
      }
    }
    for (index, outcome) in outcomes.enumerated() {
      let odds = outcome.lastOdds
      if openings[index].odds == nil, odds != nil { openings[index].odds = odds }
      let isFavourite = favourite != nil && odds == favourite
      if openings[index].isFavourite != isFavourite { openings[index].isFavourite = isFavourite }
    }
  }

  /// The opening price of the favourite; nil if there is none, or if several outcomes are the favourite and their opening
  /// prices differ.
  var favourite: DecimalOdds? {
    guard let market else { return nil }
    var found: DecimalOdds?
    for opening in openings where opening.isFavourite {
      let key = OutcomeKey(market: market, outcome: opening.outcome)
      let odds = recorded.opening(of: key, firstOfRun: opening.odds)
      if let found, found != odds { return nil }
      found = odds
    }
    return found
  }

  /// Returns the first price of this run of an outcome of the main market.
  func firstOfRun(_ outcome: OutcomeKey) -> DecimalOdds? {
    outcome.market == market ? openings.first { $0.outcome == outcome.outcome }?.odds : nil
  }
}
