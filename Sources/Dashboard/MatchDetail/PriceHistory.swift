import Algorithms
import OddsModel

/// The history of one price for at least the last half hour, with a resolution of one second.
///
/// Times are whole seconds of `FeedClock`. Of the steps older than five minutes, only one in ten seconds is kept. This
/// bounds the memory for any number of changes, and prices remain exact at the seconds that `reference(_:before:)`
/// returns.
struct PriceHistory: Hashable, Sendable {
  enum State: UInt8, Sendable {
    case live
    /// Suspended, withdrawn or settled.
    case suspended
    /// The price was not observed, or could not be trusted.
    case unknown
  }

  /// The price from a second on.
  struct Step: Hashable, Sendable {
    let second: Int32
    fileprivate(set) var state: State
    /// True if the price could not be bet on at some time within that second.
    fileprivate(set) var wasSuspended: Bool
    let odds: DecimalOdds?

    fileprivate func isLike(_ other: Step) -> Bool { odds == other.odds && state == other.state }
  }

  /// The minimum age up to which prices are kept, in seconds.
  static let reach = 2400
  private static let fineReach = 300
  private static let grain = 10
  private static let limit = 640

  /// The steps in ascending order, at most one for each second.
  private(set) var steps: [Step] = []
  /// The first price observed.
  private(set) var opening: DecimalOdds?

  /// Records the price at a second. Between calls, the price is assumed to be constant.
  mutating func record(_ odds: DecimalOdds?, _ state: State, at second: Int) {
    var step = Step(second: Int32(clamping: second), state: state, wasSuspended: state == .suspended, odds: odds)
    if let last = steps.last {
      if last.isLike(step) { return }
      if last.second >= step.second {
        steps.removeLast()
        step.wasSuspended = step.wasSuspended || last.wasSuspended
        // The price changed and changed back within one second.
        if let before = steps.last, before.isLike(step), !step.wasSuspended || before.state == .suspended { return }
      }
    }
    if opening == nil { opening = odds }
    steps.append(step)
    if steps.count > Self.limit { thin(at: second) }
  }

  /// Marks the price as unknown from a second on. The last price is kept.
  mutating func markUnknown(at second: Int) {
    if let last = steps.last, last.state != .unknown { record(last.odds, .unknown, at: second) }
  }

  /// Returns the history without the steps after a second.
  func rewound(to second: Int) -> PriceHistory {
    var history = self
    history.steps.removeAll { $0.second > second }
    if history.steps.isEmpty { history.opening = nil }
    return history
  }

  /// Returns the step in force at the end of a second, or nil before the first step.
  func step(at second: Int) -> Step? {
    let index = firstPlace(after: second)
    return index == 0 ? nil : steps[index - 1]
  }

  /// Returns the steps that begin within a range of seconds.
  func steps(in seconds: Range<Int>) -> ArraySlice<Step> {
    let (first, end) = (firstPlace(after: seconds.lowerBound - 1), firstPlace(after: seconds.upperBound - 1))
    return steps[first..<max(first, end)]
  }

  /// Returns the price at the end of a second, or nil if it is not known.
  func odds(at second: Int) -> DecimalOdds? {
    guard let step = step(at: second), step.state != .unknown else { return nil }
    return step.odds
  }

  private func firstPlace(after second: Int) -> Int { steps.partitioningIndex { Int($0.second) > second } }

  /// Removes the steps that are out of reach. Of older steps, keeps the last in each ten seconds.
  private mutating func thin(at second: Int) {
    let (fine, oldest) = (second - Self.fineReach, second - Self.reach)
    var remaining: [Step] = []
    remaining.reserveCapacity(Self.limit)
    for index in steps.indices {
      guard index + 1 < steps.count else {
        remaining.append(steps[index])
        break
      }
      let (at, next) = (Int(steps[index].second), Int(steps[index + 1].second))
      if next <= oldest { continue }
      if at / Self.grain == next / Self.grain, (at / Self.grain + 1) * Self.grain <= fine {
        steps[index + 1].wasSuspended = steps[index + 1].wasSuspended || steps[index].wasSuspended
        continue
      }
      remaining.append(steps[index])
    }
    steps = remaining
  }
}

extension PriceHistory {
  /// Returns the second whose price a change is measured from: `span` seconds earlier, rounded down to the last of ten
  /// seconds for spans beyond the fine resolution.
  static func reference(_ span: Int, before second: Int) -> Int {
    let at = second - span
    return span <= fineReach ? at : (at + 1) / grain * grain - 1
  }

  /// Returns the change of the price over `span` seconds, or since the first price if nil, in tenths of a per cent.
  /// Returns nil if the change is not known or the price cannot be bet on.
  func change(over span: Int?, at second: Int) -> Int? {
    guard let last = step(at: second), last.state == .live, let odds = last.odds,
      let before = span.map({ self.odds(at: Self.reference($0, before: second)) }) ?? opening
    else { return nil }
    return Int((Double(odds.units - before.units) * 1000 / Double(before.units)).rounded())
  }

  /// Returns the first second after `second` at which the reference price is that of another step; nil if none is.
  func nextChange(over span: Int, after second: Int) -> Int? {
    let index = firstPlace(after: Self.reference(span, before: second))
    guard index < steps.count else { return nil }
    let at = Int(steps[index].second)
    return span <= Self.fineReach ? at + span : (at / Self.grain + 1) * Self.grain - 1 + span
  }
}
