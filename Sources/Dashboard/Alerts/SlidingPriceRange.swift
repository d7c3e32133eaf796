import OddsFeed

/// What a price was in the last minutes, as far as a rule on its moves needs it: the lowest and the highest. Bounded by
/// cutting the time into steps: what is asked for reaches back up to a step further than the rule says.
struct SlidingPriceRange: Hashable, Sendable {
  /// Of the rule's time, how many steps there are.
  static let steps = 64

  private struct Point: Hashable, Sendable {
    /// The last step in which it was the price.
    var step: Int64
    var odds: DecimalOdds
  }

  /// A step's length in nanoseconds.
  private let length: Int64
  private(set) var current: DecimalOdds?
  /// Until when that was the price, where it could not be bet on since.
  private var currentEnd: Duration?
  /// Earlier prices, each higher than those before it: the first is the lowest.
  private var rising: [Point] = []
  /// Each lower than those before it.
  private var falling: [Point] = []

  init(span: Duration) {
    length = max(1, Int64(span / .nanoseconds(1)) / Int64(Self.steps))
  }

  private func step(_ time: Duration) -> Int64 { Int64(time / .nanoseconds(1)) / length }

  /// The price is another, or the same, now; what stood there before was good until then, unless it ended earlier.
  mutating func take(_ odds: DecimalOdds, previousUntil until: Duration) {
    defer { (current, currentEnd) = (odds, nil) }
    guard let old = current, old != odds else { return }
    let point = Point(step: step(currentEnd ?? until), odds: old)
    while let last = rising.last, last.odds >= old { rising.removeLast() }
    while let last = falling.last, last.odds <= old { falling.removeLast() }
    Self.append(point, to: &rising)
    Self.append(point, to: &falling)
  }

  /// There is no price that can be bet on; the last one was good until then.
  mutating func end(at until: Duration) { if currentEnd == nil { currentEnd = until } }

  /// NB: of two in a step the first is the farther one, and stays.
  private static func append(_ point: Point, to points: inout [Point]) {
    if points.last?.step != point.step { points.append(point) }
  }

  /// The price farthest from today's that way in the time up to now, where it is that far: that much or more of what it
  /// was then.
  mutating func moved(_ direction: AlertRule.Direction, by percent: AlertRule.Percent, at now: Duration) -> DecimalOdds?
  {
    guard let current else { return nil }
    let first = step(now) - Int64(Self.steps)
    rising.removeAll { $0.step < first }
    falling.removeAll { $0.step < first }
    if direction != .down, let low = rising.first?.odds, current.isBeyond(low, by: percent.hundredths) { return low }
    if direction != .up, let high = falling.first?.odds, current.isBeyond(high, by: -percent.hundredths) { return high }
    return nil
  }

  /// Moves are counted from today's price on.
  mutating func restart() {
    rising = []
    falling = []
  }

  /// How many earlier prices are kept.
  var count: Int { rising.count + falling.count }
}

extension DecimalOdds {
  /// Whether the price is so many hundredths of a per cent of another above it, or more, or with a minus below it.
  func isBeyond(_ other: DecimalOdds, by hundredths: Int) -> Bool {
    // NB: exact, and beyond 64 bits for a price that no feed should send.
    let (own, limit) = (
      units.multipliedFullWidth(by: 10_000), other.units.multipliedFullWidth(by: 10_000 + Int64(hundredths))
    )
    return hundredths < 0 ? own <= limit : own >= limit
  }
}

extension AlertRule.Comparison {
  func holds(_ odds: DecimalOdds, _ limit: DecimalOdds) -> Bool {
    switch self {
    case .atLeast: odds >= limit
    case .atMost: odds <= limit
    case .above: odds > limit
    case .below: odds < limit
    }
  }

  /// Whether a price that was told has come back by that much of the limit.
  func isBack(_ odds: DecimalOdds, _ limit: DecimalOdds, by margin: AlertRule.Percent) -> Bool {
    switch self {
    case .atLeast, .above: odds.isBeyond(limit, by: -margin.hundredths)
    case .atMost, .below: odds.isBeyond(limit, by: margin.hundredths)
    }
  }

  /// Where a price that was told is told of again, once it has been there.
  func rearms(_ limit: DecimalOdds, by margin: AlertRule.Percent) -> DecimalOdds {
    let sign: Int64 = self == .atLeast || self == .above ? -1 : 1
    return DecimalOdds(units: limit.units / 10_000 * (10_000 + sign * Int64(margin.hundredths)))
  }
}
