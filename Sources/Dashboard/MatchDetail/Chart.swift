import OddsFeed

/// A chart of a price, drawn with braille characters of 2 × 4 points each, or with stars.
struct Chart: Equatable, Sendable {
  /// The rows from the top. Each element is the character of a cell, or nil if it is empty.
  private(set) var lines: [[Unicode.Scalar?]]
  /// For each cell of the axis, true if the price could not be bet on at some time.
  private(set) var held: [Bool]
  /// The lowest and highest price shown, or nil if there is none.
  private(set) var bounds: ClosedRange<DecimalOdds>?

  /// The lowest and highest price within a point, in ten-millionths.
  private struct Span {
    var low: Int64
    var high: Int64

    init(_ odds: DecimalOdds) { (low, high) = (odds.units, odds.units) }

    mutating func apply(_ odds: DecimalOdds) { (low, high) = (min(low, odds.units), max(high, odds.units)) }
  }

  /// Draws the history as known at `second` into `height` rows of cells.
  init(_ history: PriceHistory, _ window: ChartWindow, until second: Int, lines height: Int, _ shape: GlyphShape) {
    let columns = window.points / shape.across
    var held = Array(repeating: false, count: columns)
    let last = min(window.points - 1, window.point(of: second))
    let spans = (0..<window.points).map { point -> Span? in
      guard point <= last else { return nil }
      let (span, isHeld) = Self.span(history, window.seconds(of: point), until: second)
      if isHeld, point / shape.across < columns { held[point / shape.across] = true }
      return span
    }
    self.held = held
    lines = Array(repeating: Array(repeating: nil, count: columns), count: max(0, height))
    let shown = spans.compactMap(\.self)
    guard let low = shown.map(\.low).min(), let high = shown.map(\.high).max() else { return }
    bounds = DecimalOdds(units: low)...DecimalOdds(units: high)
    let top = height * shape.down - 1
    func level(_ units: Int64) -> Int {
      high == low ? top / 2 : top - Int((Double(units - low) / Double(high - low) * Double(top)).rounded())
    }
    for (point, span) in spans.enumerated() where point / shape.across < columns {
      guard let span else { continue }
      for y in level(span.high)...level(span.low) where y < height * shape.down {
        shape.put(point % shape.across, y % shape.down, into: &lines[y / shape.down][point / shape.across])
      }
    }
  }

  /// Returns the price range within a point, and whether the price was suspended. A price is valid until it changes, so
  /// the range includes the price before the point.
  private static func span(
    _ history: PriceHistory, _ seconds: Range<Int>, until second: Int
  ) -> (span: Span?, isHeld: Bool) {
    let end = min(seconds.upperBound, second + 1)
    var span: Span?
    var isHeld = false
    if let before = history.step(at: seconds.lowerBound - 1) {
      if before.state == .live {
        span = before.odds.map(Span.init)
      } else if history.step(at: seconds.lowerBound) == before {
        isHeld = before.state == .held
      }
    }
    for step in history.steps(in: seconds.lowerBound..<max(seconds.lowerBound, end)) {
      isHeld = isHeld || step.state == .held || step.wasHeld
      guard step.state == .live, let odds = step.odds else { continue }
      if span == nil { span = Span(odds) } else { span!.apply(odds) }
    }
    return (span, isHeld)
  }
}

/// The mapping of points to characters.
enum GlyphShape: Hashable, Sendable {
  case braille, stars

  /// The number of points in a cell, horizontally and vertically.
  var across: Int { self == .braille ? 2 : 1 }
  var down: Int { self == .braille ? 4 : 1 }

  /// The bits of the points of a braille character, by column from the top.
  private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  fileprivate func put(_ x: Int, _ y: Int, into character: inout Unicode.Scalar?) {
    switch self {
    case .braille: character = Unicode.Scalar((character?.value ?? 0x2800) | Self.bits[x][y])
    case .stars: character = "*"
    }
  }
}
