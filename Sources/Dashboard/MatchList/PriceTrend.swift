import OddsModel

/// The last prices of the main market's favourite. The favourite is the outcome with the lowest price, so the trend has
/// no jump when another outcome becomes the favourite.
struct PriceTrend: Hashable, Sendable {
  /// The most prices kept.
  static let most = 60

  /// The prices, oldest first. Equal successive prices count once.
  private(set) var prices: [Float] = []
  /// The number of prices so far, including those no longer kept.
  private(set) var count = 0
  private var market: MarketID?

  init() {}

  /// Records the price of the main market's favourite, if there is one. Another market starts a new trend.
  mutating func apply(_ favourite: DecimalOdds?, of market: MarketID?) {
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
