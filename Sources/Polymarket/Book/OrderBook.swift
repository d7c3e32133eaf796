/// The orders for one token, by price. Prices and sizes are in ten-millionths; a size is a number of shares.
///
/// Each side is sorted with its worst price first, as Polymarket sends it, so that changes near the best price are
/// cheap.
struct OrderBook: Hashable, Sendable {
  enum Side: Hashable, Sendable {
    /// Orders to buy the token.
    case bid
    /// Orders to sell the token.
    case ask
  }

  typealias Level = MarketEventReader.Level

  /// The orders to buy, ascending by price: the best is the last.
  private(set) var bids: [Level] = []
  /// The orders to sell, descending by price: the best is the last.
  private(set) var asks: [Level] = []

  /// The price of a share that pays 1: 10,000,000.
  static let one: Int64 = 10_000_000

  /// Returns true if a share can cost this much: more than nothing and less than it can pay.
  static func isPrice(_ price: Int64) -> Bool { 0 < price && price < one }

  /// True if the best order to buy offers at least what the best order to sell asks. Such orders would have been
  /// matched, so one of them no longer exists.
  var isCrossed: Bool {
    guard let bid = bids.last, let ask = asks.last else { return false }
    return bid.price >= ask.price
  }

  /// Returns the prices at which the orders of a side differ from a stated best price: those that are better, and the
  /// stated one if it has no orders.
  func contradictions(_ side: Side, best: Int64) -> [Int64] {
    let levels = side == .bid ? bids : asks
    guard Self.isPrice(best) else { return levels.map(\.price) }
    let better = levels.reversed().prefix { side == .bid ? $0.price > best : $0.price < best }.map(\.price)
    let isMissing = levels.dropLast(better.count).last?.price != best
    return isMissing ? better + [best] : better
  }

  /// Sets the size at a price; 0 removes the level.
  mutating func set(_ side: Side, _ level: Level) {
    switch side {
    case .bid: Self.set(level, in: &bids) { $0 < $1 }
    case .ask: Self.set(level, in: &asks) { $0 > $1 }
    }
  }

  private static func set(_ level: Level, in levels: inout [Level], _ isWorse: (Int64, Int64) -> Bool) {
    var (low, high) = (0, levels.count)
    while low < high {
      let middle = (low + high) / 2
      if isWorse(levels[middle].price, level.price) { low = middle + 1 } else { high = middle }
    }
    let isKnown = low < levels.count && levels[low].price == level.price
    switch (isKnown, level.size > 0) {
    case (true, true): levels[low].size = level.size
    case (true, false): levels.remove(at: low)
    case (false, true): levels.insert(level, at: low)
    case (false, false): break
    }
  }
}
