import OddsFeed

/// How the favourite's price went, by its last changes: the lowest price of the main market, whoever's it is, so that it
/// goes on without a jump where another becomes the favourite.
struct PriceTrend: Hashable, Sendable {
  /// How many changes are kept.
  static let most = 60

  /// From the oldest; nothing is taken for a row whose price has not changed yet.
  private(set) var prices: [Float] = []
  /// How many changes there were in all, those that are not kept too.
  private(set) var count = 0
  private var market: MarketID?

  init() {}

  /// Takes the price of the main market's favourite, if it has one now. Another market's begin anew.
  mutating func take(_ favourite: DecimalOdds?, of market: MarketID?) {
    if market != self.market {
      self.market = market
      (prices, count) = ([], 0)
    }
    guard let favourite else { return }
    let value = Float(favourite.units)
    if prices.last == value { return }
    if prices.count == Self.most { prices.removeFirst() }
    prices.append(value)
    count += 1
  }
}
