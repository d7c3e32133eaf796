import OddsFeed

/// How the favourite's price went, by its last changes: the lowest price of the main market, whoever's it is, so that it
/// goes on without a jump where another becomes the favourite. A change while a price of the market is held is none.
struct PriceTrend: Hashable, Sendable {
  /// How many changes are kept.
  static let most = 60

  /// From the oldest; nothing is taken for a row whose price has not changed yet.
  private(set) var prices: [Float] = []
  /// How many changes there were in all, those that are not kept too.
  private(set) var count = 0
  private var market: MarketID?

  init() {}

  /// Takes the prices of a match's main market. Another market's begin anew.
  mutating func take(_ prices: PriceTriple, of market: MarketID?) {
    if market != self.market {
      self.market = market
      (self.prices, count) = ([], 0)
    }
    guard let price = prices.liveFavourite else { return }
    let value = Float(price.units)
    if self.prices.last == value { return }
    if self.prices.count == Self.most { self.prices.removeFirst() }
    self.prices.append(value)
    count += 1
  }
}

extension PriceTriple {
  /// The lowest price; nil where one is held, or none is there.
  fileprivate var liveFavourite: DecimalOdds? {
    var lowest: DecimalOdds?
    for column in Self.indices where self[column].state != .none {
      guard self[column].state == .live, let odds = self[column].odds else { return nil }
      lowest = lowest.map { min($0, odds) } ?? odds
    }
    return lowest
  }
}
