/// A price and an amount, both in ten-millionths.
struct PriceSize: Hashable, Sendable {
  var price: Int64 = 0
  /// The amount; 0 for an absent level.
  var size: Int64 = 0
}

/// The levels of a ladder by their index, 0 for the best price.
struct LevelLadder: Hashable, Sendable {
  /// The number of levels that are kept; a higher index is ignored. A subscription has at most 10.
  static let maxLevels: Int64 = 16

  /// The levels by index; absent ones have no size.
  private(set) var levels: [PriceSize] = []

  /// True if no level was ever set: the ladder is not subscribed, or its image was empty.
  var isUnused: Bool { levels.isEmpty }

  @inline(__always)
  mutating func set(_ level: Int64, _ price: Int64, _ size: Int64) {
    guard 0..<Self.maxLevels ~= level else { return }
    let index = Int(truncatingIfNeeded: level)
    if index >= levels.count {
      if size == 0 { return }
      levels.append(contentsOf: repeatElement(PriceSize(), count: index + 1 - levels.count))
    }
    levels[index] = size == 0 ? PriceSize() : PriceSize(price: price, size: size)
  }
}

/// The levels of a ladder by their price, ascending.
struct PriceLadder: Hashable, Sendable {
  private(set) var levels: [PriceSize] = []
  /// The sum of all amounts.
  private(set) var total: Int64 = 0

  mutating func set(_ price: Int64, _ size: Int64) {
    var low = 0
    var high = levels.count
    while low < high {
      let middle = (low + high) / 2
      if levels[middle].price < price { low = middle + 1 } else { high = middle }
    }
    if low < levels.count, levels[low].price == price {
      total = total &+ size &- levels[low].size
      if size == 0 { levels.remove(at: low) } else { levels[low].size = size }
    } else if size > 0 {
      total = total &+ size
      levels.insert(PriceSize(price: price, size: size), at: low)
    }
  }
}
