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

/// The last prices of the main market's favourite. The favourite is the outcome with the lowest price, so the trend has
/// no jump when another outcome becomes the favourite.
struct PriceTrend: Hashable, Sendable {
  /// The most prices kept.
  static let limit = 60

  /// The prices, oldest first. Equal successive prices count once.
  private(set) var prices: [Float] = []
  /// The number of prices so far, including those no longer kept.
  private(set) var count = 0
  private(set) var market: MarketID?

  /// Records the price of the main market's favourite, if there is one. Another market starts a new trend.
  mutating func apply(_ favourite: DecimalOdds?, of market: MarketID?) {
    if market != self.market {
      self.market = market
      prices = []
      count = 0
    }
    guard let favourite else { return }
    let value = Float(favourite.units)
    if prices.last == value { return }
    if prices.count == Self.limit { prices.removeFirst() }
    prices.append(value)
    count += 1
  }
}

extension PriceTrend {
  /// The last price as a multiple of the first one kept, in millionths; nil before the first change.
  var slope: Int64? {
    guard count > 1, let first = prices.first, let last = prices.last, first > 0 else { return nil }
    return Int64((Double(last) / Double(first) * 1_000_000).rounded())
  }
}

/// A row's trend as heights from 0 up to a number of levels, from the left.
///
/// Drawn values keep their column until the width is full; then the newer half moves to the left. So most changes
/// redraw one cell.
struct Sparkline: Equatable {
  let heights: [Int]

  init(_ trend: PriceTrend, cells: Int, levels: Int) {
    let step = max(1, cells / 2)
    let beyond = max(0, trend.count - cells)
    let skipped = (beyond + step - 1) / step * step
    let shown = trend.prices.suffix(min(trend.count - skipped, trend.prices.count, max(0, cells)))
    guard let low = shown.min(), let high = shown.max() else {
      heights = []
      return
    }
    heights = shown.map { price in
      high == low ? levels / 2 : Int(((price - low) / (high - low) * Float(levels - 1)).rounded())
    }
  }
}
