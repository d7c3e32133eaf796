package import OddsModel

/// The opening prices that a history file had when their outcomes appeared, and the matches that are no longer carried.
package struct OpeningBatch: Hashable, Sendable {
  package struct Price: Hashable, Sendable {
    package let match: MatchID
    package let market: MarketID
    package let outcome: OutcomeID
    /// The first price that was ever recorded.
    package let odds: DecimalOdds

    package init(match: MatchID, market: MarketID, outcome: OutcomeID, odds: DecimalOdds) {
      self.match = match
      self.market = market
      self.outcome = outcome
      self.odds = odds
    }
  }

  package var prices: [Price] = []
  /// The matches that no channel carries any more. They come before the prices of a match that has reappeared.
  package var gone: [MatchID] = []

  package init(prices: [Price] = [], gone: [MatchID] = []) {
    self.prices = prices
    self.gone = gone
  }

  package var isEmpty: Bool { prices.isEmpty && gone.isEmpty }
}
