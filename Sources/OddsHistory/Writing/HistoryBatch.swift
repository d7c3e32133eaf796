package import OddsModel

package struct MarketKey: Hashable, Sendable {
  let match: MatchID
  let market: MarketID
}

package struct OutcomeKey: Hashable, Sendable {
  let market: MarketKey
  let outcome: OutcomeID
}

/// A price as the history has it.
package struct RecordedPrice: Hashable, Sendable {
  /// The price in thousandths, rounded half up; nil if the outcome has no price.
  var thousandths: Int64?
  var isBettable: Bool
  /// True if the price is that of the last matched bet of a feed without offers, which is no opening price. The file
  /// does not have it.
  var isTraded = false

  static let none = RecordedPrice(thousandths: nil, isBettable: false)

  init(thousandths: Int64?, isBettable: Bool) {
    self.thousandths = thousandths
    self.isBettable = isBettable
  }

  init(_ outcome: Outcome) {
    thousandths = outcome.offer?.odds?.thousandths
    isBettable = outcome.isBettable
    isTraded = outcome.offer?.status == .lastTraded
  }
}

/// A change to be written, in the order of the observations. Times are in milliseconds since 1970.
package enum HistoryEntry: Sendable {
  /// The names or the state of a match are new.
  case match(Match, time: Int64)
  /// The prices of a market are known from a time on, or the names of a market whose prices are known have changed.
  case begin(MarketKey, Market, time: Int64)
  case end(MarketKey, time: Int64)
  /// No channel carries a match any more.
  case gone(MatchID, time: Int64)
  /// An outcome of a known market is new or has another name.
  case outcome(OutcomeKey, Outcome, time: Int64)
  /// `isFirst` is true for the first price of an outcome that was not carried before. The file may have the same.
  case price(OutcomeKey, RecordedPrice, time: Int64, isFirst: Bool)
}
