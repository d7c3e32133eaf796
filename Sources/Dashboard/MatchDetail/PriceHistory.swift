import OddsFeed

/// How one price went, for at least the last half hour: what it was at the end of each second.
///
/// Times are whole seconds of `FeedTime`. What is older than five minutes is kept of one second in ten. So what a price was is
/// exact at the seconds that `reference(_:before:)` names, and the memory bounded, however often it changes.
struct PriceHistory: Hashable, Sendable {
  /// What can be thought of a price.
  enum State: UInt8, Sendable {
    /// It could be bet on.
    case live
    /// Suspended, withdrawn or settled.
    case held
    /// Nobody looked, or nobody could know.
    case unknown
  }

  /// What the price was from a second on.
  struct Step: Hashable, Sendable {
    let second: Int32
    fileprivate(set) var state: State
    /// Whether it could not be bet on at some time within that second.
    fileprivate(set) var wasHeld: Bool
    /// Ten-millionths; 0 where there was no price.
    fileprivate let units: Int64

    var odds: DecimalOdds? { units == 0 ? nil : DecimalOdds(units: units) }

    fileprivate func isLike(_ other: Step) -> Bool { units == other.units && state == other.state }
  }

  /// How far back a price is known.
  static let reach = 2400
  private static let fineReach = 300
  private static let grain = 10
  private static let most = 640

  /// Ascending by second, one a second at most.
  private(set) var steps: [Step] = []
  /// The first price that was seen.
  private(set) var opening: DecimalOdds?
  /// Grows with each change.
  private(set) var revision = 0

  init() {}

  /// What was a moment ago is the same now unless it is told here.
  mutating func record(_ odds: DecimalOdds?, _ state: State, at second: Int) {
    var step = Step(second: Int32(clamping: second), state: state, wasHeld: state == .held, units: odds?.units ?? 0)
    if let last = steps.last {
      if last.isLike(step) { return }
      if last.second >= step.second {
        steps.removeLast()
        step.wasHeld = step.wasHeld || last.wasHeld
        // Within a second it went and came back.
        if let before = steps.last, before.isLike(step), !step.wasHeld || before.state == .held {
          revision += 1
          return
        }
      }
    }
    if opening == nil { opening = odds }
    steps.append(step)
    revision += 1
    if steps.count > Self.most { thin(at: second) }
  }

  /// From now on nobody knows; the last price is remembered.
  mutating func lose(at second: Int) {
    if let last = steps.last, last.state != .unknown { record(last.odds, .unknown, at: second) }
  }

  /// The same without what was after a second.
  func rewound(to second: Int) -> PriceHistory {
    var history = self
    history.steps.removeAll { $0.second > second }
    if history.steps.isEmpty { history.opening = nil }
    history.revision += 1
    return history
  }

  /// What the price was at the end of a second; nil before the first.
  func step(at second: Int) -> Step? {
    let place = firstPlace(after: second)
    return place == 0 ? nil : steps[place - 1]
  }

  /// The steps within seconds.
  func steps(in seconds: Range<Int>) -> ArraySlice<Step> {
    let (first, end) = (firstPlace(after: seconds.lowerBound - 1), firstPlace(after: seconds.upperBound - 1))
    return steps[first..<max(first, end)]
  }

  /// What the price was at the end of a second, where that is known.
  func odds(at second: Int) -> DecimalOdds? {
    guard let step = step(at: second), step.state != .unknown else { return nil }
    return step.odds
  }

  private func firstPlace(after second: Int) -> Int {
    var (low, high) = (0, steps.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(steps[middle].second) <= second { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// Forgets what is out of reach, and of what is no longer fine all but one second in ten, the last with a change in it.
  private mutating func thin(at second: Int) {
    let (fine, oldest) = (second - Self.fineReach, second - Self.reach)
    var kept: [Step] = []
    kept.reserveCapacity(Self.most)
    for place in steps.indices {
      guard place + 1 < steps.count else {
        kept.append(steps[place])
        break
      }
      let (at, next) = (Int(steps[place].second), Int(steps[place + 1].second))
      if next <= oldest { continue }
      if at / Self.grain == next / Self.grain, (at / Self.grain + 1) * Self.grain <= fine {
        steps[place + 1].wasHeld = steps[place + 1].wasHeld || steps[place].wasHeld
        continue
      }
      kept.append(steps[place])
    }
    steps = kept
  }
}

extension PriceHistory {
  /// The second that a price is compared with: the one that long before, of long ago the last of ten.
  static func reference(_ span: Int, before second: Int) -> Int {
    let at = second - span
    return span <= fineReach ? at : (at + 1) / grain * grain - 1
  }

  /// By how much the price has moved over that many seconds, or since it was first seen, in tenths of a per cent; nil where
  /// it is not known, or cannot be bet on.
  func change(over span: Int?, at second: Int) -> Int? {
    guard let last = step(at: second), last.state == .live, let odds = last.odds,
      let before = span.map({ self.odds(at: Self.reference($0, before: second)) }) ?? opening
    else { return nil }
    return Int((Double(odds.units - before.units) * 1000 / Double(before.units)).rounded())
  }

  /// The first second after that one in which the price is compared with another of its steps; nil where there is none.
  func nextChange(over span: Int, after second: Int) -> Int? {
    let place = firstPlace(after: Self.reference(span, before: second))
    guard place < steps.count else { return nil }
    let at = Int(steps[place].second)
    return span <= Self.fineReach ? at + span : (at / Self.grain + 1) * Self.grain - 1 + span
  }
}
