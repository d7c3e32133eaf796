package import OddsModel

/// A match of the history.
package struct RecordedMatch: Sendable {
  /// The row in the file.
  package let row: Int64
  /// The name of the feed.
  package let feed: String
  /// The match with its last prices, which may be out of date, and with all markets that it ever had.
  package let match: Match
  /// The rows of the markets and outcomes, in the order of `match.markets`.
  package let markets: [RecordedMarket]
  /// The time at which a channel last carried the match, in milliseconds since 1970.
  package let lastSeen: Int64
}

package struct RecordedMarket: Sendable {
  package let row: Int64
  /// The time up to which its prices were known, in milliseconds since 1970; `.max` while a channel carries the market.
  let end: Int64
  package let outcomes: [RecordedOutcome]
}

package struct RecordedOutcome: Sendable {
  package let row: Int64
  /// The time from which the times of its changes count, in milliseconds since 1970.
  package let begin: Int64
  /// The first price that was ever seen.
  package let opening: DecimalOdds?

  /// Returns true if the outcome has prices but was never offered: they are those of the last matched bets.
  package func hasLastTradedPricesOnly(_ series: PriceSeries) -> Bool {
    opening == nil && series.steps.contains { $0.odds != nil }
  }
}

/// The state of a match from a time on.
package struct MatchEvent: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  package let time: Int64
  package let status: MatchStatus
  package let score: Score?
}

/// A row of the history.
package struct RecordedChange: Hashable, Sendable {
  /// The time in milliseconds since 1970.
  package let time: Int64
  /// The price, rounded to thousandths; nil if there was none.
  package let odds: DecimalOdds?
  package let isBettable: Bool
}
