import OddsHistory
import OddsModel
package import TerminalCore

/// A chart of a price, drawn with braille characters of 2 × 4 points each, or with stars. A column in which the price
/// changed often is a candle.
struct Chart: Equatable, Sendable {
  /// Everything that a chart is drawn from.
  struct Input: Equatable, Sendable {
    let history: PriceHistory
    let window: ChartWindow
    /// The limits of alert rules on the price, in ascending order.
    var limits: [DecimalOdds] = []
    /// The number of rows.
    let height: Int
    let shape: GlyphShape
  }

  /// The rows from the top. Each element is the character of a cell, or nil if it is empty.
  private(set) var rows: [[Unicode.Scalar?]]
  /// The candle of each column that is drawn as one; nil for a column of the line.
  private(set) var candles: [Candle?]
  /// For each cell of the axis, true if the price could not be bet on at some time.
  private(set) var suspended: [Bool]
  /// The price range within each point, nil if there was no price to bet on.
  private(set) var points: [ClosedRange<DecimalOdds>?] = []
  /// The lowest and highest price on the scale, or nil if there is no price.
  private(set) var bounds: ClosedRange<DecimalOdds>?
  /// The limit whose line is in each row.
  private(set) var limits: [DecimalOdds?]
  /// The prices that label rows of the scale: the highest, the lowest and some between. Nil for a row without a label.
  private(set) var labels: [DecimalOdds?]

  init(_ input: Input) {
    let (window, shape, height) = (input.window, input.shape, max(0, input.height))
    suspended = Array(repeating: false, count: window.columns)
    candles = (0..<window.columns).map { Self.candle(input.history, window.seconds(of: $0), newest: window.newest) }
    rows = Array(repeating: Array(repeating: nil, count: window.columns), count: height)
    limits = Array(repeating: nil, count: height)
    labels = limits
    for point in 0..<window.columns * shape.across {
      let (range, isSuspended) = Self.range(
        input.history, window.seconds(of: point, across: shape.across), newest: window.newest)
      points.append(range)
      if isSuspended { suspended[point / shape.across] = true }
    }
    let known = points.compactMap(\.self)
    guard let low = known.map(\.lowerBound).min(), let high = known.map(\.upperBound).max() else { return }
    let shown = input.limits.filter { Self.isNear($0, low...high) }
    let scale = min(low, shown.first ?? low)...max(high, shown.last ?? high)
    bounds = scale
    if height == 0 { return }
    labels = Self.labels(of: scale, count: height)
    let top = height * shape.down - 1
    for (point, range) in points.enumerated() {
      guard let range, candles[point / shape.across] == nil else { continue }
      for y in scale.level(of: range.upperBound, top)...scale.level(of: range.lowerBound, top) {
        shape.put(point % shape.across, y % shape.down, into: &rows[y / shape.down][point / shape.across])
      }
    }
    for (column, candle) in candles.enumerated() {
      guard let candle else { continue }
      for (row, character) in shape.candle(candle, on: scale, rows: height) { rows[row][column] = character }
    }
    for limit in shown { limits[scale.level(of: limit, top) / shape.down] = limit }
  }

  /// Returns true if a limit is on the scale. A limit that is far from all prices would flatten their line.
  private static func isNear(_ limit: DecimalOdds, _ prices: ClosedRange<DecimalOdds>) -> Bool {
    limit.units >= prices.lowerBound.units / 3 * 2 && limit.units <= prices.upperBound.units / 2 * 3
  }

  /// Returns the price range within a point, and whether the price was suspended. A price is valid until it changes, so
  /// the range includes the price before the point. A point after the newest second, which can only be in the last
  /// column, has the newest price.
  private static func range(
    _ history: PriceHistory, _ seconds: Range<Int>, newest: Int
  ) -> (range: ClosedRange<DecimalOdds>?, isSuspended: Bool) {
    let end = min(seconds.upperBound, newest + 1)
    var range: ClosedRange<DecimalOdds>?
    var isSuspended = false
    if let before = history.step(at: min(seconds.lowerBound - 1, newest)) {
      if before.state == .live {
        range = before.odds.map { $0...$0 }
      } else if seconds.isEmpty || history.step(at: min(seconds.lowerBound, newest)) == before {
        isSuspended = before.state == .suspended
      }
    }
    for step in history.steps(in: seconds.lowerBound..<max(seconds.lowerBound, end)) {
      isSuspended = isSuspended || step.state == .suspended || step.wasSuspended
      guard step.state == .live, let odds = step.odds else { continue }
      range = range.map { min($0.lowerBound, odds)...max($0.upperBound, odds) } ?? odds...odds
    }
    return (range, isSuspended)
  }

  /// The minimum number of changes of a column that is drawn as a candle.
  static let candleChanges = 4

  /// Returns the candle of a column; nil if the price changed seldom.
  private static func candle(_ history: PriceHistory, _ seconds: Range<Int>, newest: Int) -> Candle? {
    let steps = history.steps(in: seconds.lowerBound..<max(seconds.lowerBound, min(seconds.upperBound, newest + 1)))
    guard steps.count >= candleChanges else { return nil }
    var candle: Candle?
    if let before = history.step(at: seconds.lowerBound - 1), before.state == .live, let odds = before.odds,
      steps.first.map({ Int($0.second) }) != seconds.lowerBound
    {
      candle = Candle(odds, isChange: false)
    }
    for step in steps where step.state == .live {
      guard let odds = step.odds else { continue }
      if candle == nil { candle = Candle(odds, isChange: true) } else { candle?.add(odds) }
    }
    return candle.flatMap { $0.changes >= candleChanges ? $0 : nil }
  }

  // MARK: Scale

  /// Returns the labels of a scale of one row or more.
  private static func labels(of bounds: ClosedRange<DecimalOdds>, count rows: Int) -> [DecimalOdds?] {
    var labels: [DecimalOdds?] = Array(repeating: nil, count: rows)
    let last = rows - 1
    if bounds.lowerBound == bounds.upperBound {
      labels[last / 2] = bounds.lowerBound
      return labels
    }
    let count = rows >= 9 ? 5 : min(3, rows)
    for index in 0..<count {
      let row = count > 1 ? index * last / (count - 1) : 0
      labels[row] = bounds.price(at: row, of: last)
    }
    return labels
  }
}

extension ClosedRange<DecimalOdds> {
  /// Returns the level of a price in points from the top, where the lowest price is at level `top`.
  func level(of price: DecimalOdds, _ top: Int) -> Int {
    let size = upperBound.units - lowerBound.units
    guard size > 0 else { return top / 2 }
    return top - Int((Double(price.units - lowerBound.units) / Double(size) * Double(top)).rounded())
  }

  /// Returns the price at a row from the top, where the lowest price is at row `last`.
  fileprivate func price(at row: Int, of last: Int) -> DecimalOdds {
    guard last > 0 else { return upperBound }
    return DecimalOdds(units: upperBound.units - (upperBound.units - lowerBound.units) * Int64(row) / Int64(last))
  }
}

/// The mapping of points to characters.
package enum GlyphShape: Hashable, Sendable {
  case braille, stars

  package init(_ glyphs: GlyphSet) { self = glyphs == .unicode ? .braille : .stars }

  /// The number of points in a cell, horizontally and vertically.
  package var across: Int { self == .braille ? 2 : 1 }
  package var down: Int { self == .braille ? 4 : 1 }

  /// The bits of the points of a braille character, by column from the top.
  private static let bits: [[UInt32]] = [[0x01, 0x02, 0x04, 0x40], [0x08, 0x10, 0x20, 0x80]]

  /// Draws a point of a cell.
  package func put(_ x: Int, _ y: Int, into character: inout Unicode.Scalar?) {
    switch self {
    case .braille: character = Unicode.Scalar((character?.value ?? 0x2800) | Self.bits[x][y])
    case .stars: character = "*"
    }
  }
}
