/// A movement of a selection or of a scrolled view.
enum Movement: Hashable, Sendable {
  /// By a number of rows; towards the first row if negative.
  case by(Int)
  case toFirst, toLast

  /// Returns the index moved to, within `0..<count`. Returns 0 if `count` is 0.
  func target(from index: Int, count: Int) -> Int {
    let last = max(0, count - 1)
    return switch self {
    case .by(let step): max(0, min(index + step, last))
    case .toFirst: 0
    case .toLast: last
    }
  }
}

/// The first visible row of a list that scrolls.
struct ScrollPosition: Hashable, Sendable {
  private(set) var first = 0

  /// Returns the visible rows. The position is limited so that the view is full if there are enough rows.
  func visible(of count: Int, height: Int) -> Range<Int> {
    let first = max(0, min(first, count - height))
    return first..<max(first, min(first + height, count))
  }

  mutating func move(_ movement: Movement, count: Int, height: Int) {
    let most = max(0, count - height)
    first = movement.target(from: min(first, most), count: most + 1)
  }

  /// Scrolls as little as possible so that rows are visible. If not all fit, the last one is.
  mutating func reveal(_ rows: Range<Int>, height: Int) {
    first = max(min(first, rows.lowerBound), rows.upperBound - height)
  }

  /// Limits the position so that the view is full if there are enough rows.
  mutating func limit(to count: Int, height: Int) { first = max(0, min(first, count - height)) }
}
