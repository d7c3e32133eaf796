import OddsHistory
import OddsModel

extension GlyphShape {
  /// The part of a candle at a level.
  private enum Part: Int {
    case none, wick, body
  }

  /// The characters of a cell with two levels, by the part at the upper and at the lower level.
  private static let halves: [[Unicode.Scalar?]] = [[nil, "╷", "╻"], ["╵", "│", "╽"], ["╹", "╿", "┃"]]

  /// Returns the rows that a candle covers, and the character in each: the body from the first to the last price, and
  /// wicks to the highest and lowest ones.
  func candle(_ candle: Candle, on scale: ClosedRange<DecimalOdds>, rows: Int) -> [(
    row: Int, character: Unicode.Scalar
  )] {
    let levels = self == .braille ? 2 : 1
    let top = rows * levels - 1
    func level(_ price: DecimalOdds) -> Int { scale.level(of: price, top) }
    let body = level(max(candle.open, candle.close))...level(min(candle.open, candle.close))
    let wick = level(candle.high)...level(candle.low)
    func part(_ level: Int) -> Part { body.contains(level) ? .body : wick.contains(level) ? .wick : .none }
    return (wick.lowerBound / levels...wick.upperBound / levels).compactMap { row in
      let upper = part(row * levels)
      let character: Unicode.Scalar? =
        levels == 1 ? (upper == .body ? "#" : "|") : Self.halves[upper.rawValue][part(row * levels + 1).rawValue]
      return character.map { (row, $0) }
    }
  }
}
