import OddsModel

/// The lowest and highest price in a sliding time window, for rules on moves. Memory is bounded because time is divided
/// into steps. The window can therefore extend up to one step further back than the rule says.
struct SlidingPriceRange: Hashable, Sendable {
  static let steps = 64

  private struct Point: Hashable, Sendable {
    /// The last step in which this was the price.
    var step: Int64
    var odds: DecimalOdds
  }

  /// The length of a step in nanoseconds.
  private let length: Int64
  private(set) var current: DecimalOdds?
  /// The uptime until which the current price was valid, if it cannot be bet on since.
  private var currentEnd: Duration?
  /// Earlier prices in ascending order. The first is the lowest.
  private var rising: [Point] = []
  /// Earlier prices in descending order. The first is the highest.
  private var falling: [Point] = []

  init(span: Duration) { length = max(1, Int64(span / .nanoseconds(1)) / Int64(Self.steps)) }

  /// Returns the step of a time, which is negative for a time before the program's start.
  private func step(_ time: Duration) -> Int64 {
    let (quotient, remainder) = Int64(time / .nanoseconds(1)).quotientAndRemainder(dividingBy: length)
    return remainder < 0 ? quotient - 1 : quotient
  }

  /// Records the current price. The previous price was valid until `until`, unless `end(at:)` ended it earlier.
  mutating func apply(_ odds: DecimalOdds, previousUntil until: Duration) {
    defer {
      current = odds
      currentEnd = nil
    }
    guard let old = current, old != odds else { return }
    let point = Point(step: step(currentEnd ?? until), odds: old)
    addRising(point)
    addFalling(point)
  }

  /// Adds prices from before all others, in ascending order of time. Each was valid until `until`.
  mutating func precede(by prices: [(odds: DecimalOdds, until: Duration)]) {
    let later = (rising, falling)
    restart()
    for price in prices {
      let point = Point(step: step(price.until), odds: price.odds)
      addRising(point)
      addFalling(point)
    }
    for point in later.0 { addRising(point) }
    for point in later.1 { addFalling(point) }
  }

  private mutating func addRising(_ point: Point) {
    while let last = rising.last, last.odds >= point.odds { rising.removeLast() }
    Self.append(point, to: &rising)
  }

  private mutating func addFalling(_ point: Point) {
    while let last = falling.last, last.odds <= point.odds { falling.removeLast() }
    Self.append(point, to: &falling)
  }

  /// Ends the current price, which can no longer be bet on. It was valid until `until`.
  mutating func end(at until: Duration) { if currentEnd == nil { currentEnd = until } }

  /// Appends a point. NB: of two prices in the same step, the first is the more extreme one and is kept.
  private static func append(_ point: Point, to points: inout [Point]) {
    if points.last?.step != point.step { points.append(point) }
  }

  /// Returns the most extreme earlier price in the window if the current price has moved by at least `percent` of it.
  mutating func moved(_ direction: AlertRule.Direction, by percent: AlertRule.Percent, now: Duration) -> DecimalOdds? {
    guard let current else { return nil }
    prune(now: now)
    if direction != .down, let low = rising.first?.odds, current.isBeyond(low, by: percent.hundredths) { return low }
    if direction != .up, let high = falling.first?.odds, current.isBeyond(high, by: -percent.hundredths) { return high }
    return nil
  }

  /// Removes the earlier prices that are no longer in the window.
  mutating func prune(now: Duration) {
    let first = step(now) - Int64(Self.steps)
    rising.removeAll { $0.step < first }
    falling.removeAll { $0.step < first }
  }

  /// The lowest and the highest earlier price.
  var lowest: DecimalOdds? { rising.first?.odds }
  var highest: DecimalOdds? { falling.first?.odds }

  /// Discards the earlier prices, so that moves are measured from the current price.
  mutating func restart() {
    rising = []
    falling = []
  }

  /// The number of earlier prices kept.
  var count: Int { rising.count + falling.count }
}

extension DecimalOdds {
  /// Returns true if the price is at least `hundredths` of a per cent above the other price, or below it if negative.
  func isBeyond(_ other: DecimalOdds, by hundredths: Int) -> Bool {
    // NB: the comparison is exact. The products can exceed 64 bits for extremely high prices.
    let (own, limit) = (
      units.multipliedFullWidth(by: 10_000), other.units.multipliedFullWidth(by: 10_000 + Int64(hundredths))
    )
    return hundredths < 0 ? own <= limit : own >= limit
  }
}

extension Comparison {
  private var isUpwards: Bool { self == .atLeast || self == .greater }

  /// Returns true if a reported price has moved back from the limit by at least the margin.
  func isBack(_ odds: DecimalOdds, _ limit: DecimalOdds, by margin: AlertRule.Percent) -> Bool {
    odds.isBeyond(limit, by: isUpwards ? -margin.hundredths : margin.hundredths)
  }

  /// Returns the price that arms the rule again after an alert: the one nearest to the limit for which `isBack` returns
  /// true.
  func rearms(_ limit: DecimalOdds, by margin: AlertRule.Percent) -> DecimalOdds {
    let share = 10_000 + Int64(isUpwards ? -margin.hundredths : margin.hundredths)
    return DecimalOdds(units: (limit.units * share + (isUpwards ? 0 : 9_999)) / 10_000)
  }
}
