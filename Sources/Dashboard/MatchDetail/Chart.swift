import OddsModel

/// A chart of a price, drawn with braille characters of 2 × 4 points each, or with stars.
struct Chart: Equatable, Sendable {
  /// The rows from the top. Each element is the character of a cell, or nil if it is empty.
  private(set) var rows: [[Unicode.Scalar?]]
  /// For each cell of the axis, true if the price could not be bet on at some time.
  private(set) var suspended: [Bool]
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
    var suspended = Array(repeating: false, count: columns)
    let last = min(window.points - 1, window.point(of: second))
    let spans = (0..<window.points).map { point -> Span? in
      guard point <= last else { return nil }
      let (span, isSuspended) = Self.span(history, window.seconds(of: point), until: second)
      if isSuspended, point / shape.across < columns { suspended[point / shape.across] = true }
      return span
    }
    self.suspended = suspended
    rows = Array(repeating: Array(repeating: nil, count: columns), count: max(0, height))
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
        shape.put(point % shape.across, y % shape.down, into: &rows[y / shape.down][point / shape.across])
      }
    }
  }

  /// Returns the price range within a point, and whether the price was suspended. A price is valid until it changes, so
  /// the range includes the price before the point.
  private static func span(
    _ history: PriceHistory, _ seconds: Range<Int>, until second: Int
  ) -> (span: Span?, isSuspended: Bool) {
    let end = min(seconds.upperBound, second + 1)
    var span: Span?
    var isSuspended = false
    if let before = history.step(at: seconds.lowerBound - 1) {
      if before.state == .live {
        span = before.odds.map(Span.init)
      } else if history.step(at: seconds.lowerBound) == before {
        isSuspended = before.state == .suspended
      }
    }
    for step in history.steps(in: seconds.lowerBound..<max(seconds.lowerBound, end)) {
      isSuspended = isSuspended || step.state == .suspended || step.wasSuspended
      guard step.state == .live, let odds = step.odds else { continue }
      if span == nil { span = Span(odds) } else { span!.apply(odds) }
    }
    return (span, isSuspended)
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

/// The time range of a chart, divided into points of equal duration.
///
/// The window begins with the history and grows to the right. When it is full, each point covers more seconds. When it
/// covers the whole reach of the history, it advances by a quarter of its length. Thus a constant price changes only
/// one cell at a time.
struct ChartWindow: Hashable, Sendable {
  /// The first second, in `FeedClock`.
  let start: Int
  /// The duration of a point in seconds.
  let unit: Int
  let points: Int

  private static let units = [1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 1200, 2400]

  /// Creates a window from the first known second to the newest.
  init(points: Int, first: Int, newest: Int) {
    self.points = max(1, points)
    let wanted = min(newest - first + 1, PriceHistory.reach)
    unit = Self.units.first { [points = self.points] in points * $0 >= wanted } ?? PriceHistory.reach
    let length = self.points * unit
    let least = newest + 1 - length
    let step = max(1, self.points / 4) * unit
    start = least <= first ? first : (least + step - 1) / step * step
  }

  var seconds: Range<Int> { start..<start + points * unit }

  func seconds(of point: Int) -> Range<Int> { start + point * unit..<start + (point + 1) * unit }

  /// Returns the index of the point that contains a second.
  func point(of second: Int) -> Int { (second - start) / unit }
}
