import Algorithms
import OddsModel

/// The history of one price, with a resolution of one second. A history filled by `record` keeps the last six hours.
///
/// Times are whole seconds of `FeedClock`. Older steps are conflated in buckets that keep the lowest, the highest and
/// the last price: buckets of ten seconds beyond five minutes, and of one minute beyond forty minutes. Thus prices are
/// exact at the ends of buckets, which `reference(_:before:)` returns, and so is the price range of every bucket.
///
/// Such a history has at most 2,000 steps of 16 bytes, 32 KB, for any number of changes. A price that changes every
/// second for six hours has about 1,900; one that changes every five minutes has 72. A history read from a record
/// reaches back further and has up to `recordedLimit` steps.
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
    let state: State
    /// True if the price could not be bet on at some time within that second, or within its bucket before that second.
    fileprivate(set) var wasSuspended: Bool
    /// The price, or `noUnits`. An optional price would take eight more bytes.
    private let units: Int64

    private static let noUnits = Int64.min

    init(_ odds: DecimalOdds?, _ state: State, at second: Int) {
      self.second = Int32(clamping: second)
      self.state = state
      wasSuspended = state == .suspended
      units = odds?.units ?? Self.noUnits
    }

    var odds: DecimalOdds? { units == Self.noUnits ? nil : DecimalOdds(units: units) }

    /// Returns the step as it is in force at a later second.
    func restated(at second: Int32) -> Step {
      if self.second == second { return self }
      return Step(odds, state, at: Int(second))
    }

    fileprivate func isLike(_ other: Step) -> Bool { units == other.units && state == other.state }
  }

  /// The minimum age up to which prices are kept, in seconds.
  static let reach = 21_600
  /// The age up to which every second is kept, and the age beyond which the buckets are the coarse ones.
  private static let fineReach = 300
  private static let middleReach = 2400
  /// The lengths of buckets in seconds. The coarse ones consist of whole finer ones.
  private static let grain = 10
  private static let coarseGrain = 60
  /// The maximum number of steps.
  static let limit = 2000

  /// The steps in ascending order, at most one for each second.
  private(set) var steps: [Step] = []
  /// The first price observed.
  private(set) var opening: DecimalOdds?

  /// Records the price at a second. Between calls, the price is assumed to be constant.
  mutating func record(_ odds: DecimalOdds?, _ state: State, at second: Int) {
    append(Step(odds, state, at: second))
    if steps.count >= Self.limit { conflate(at: second) }
  }

  /// Appends a step. One within the second of the last step replaces it.
  mutating func append(_ step: Step) {
    var step = step
    if let last = steps.last {
      if last.isLike(step) { return }
      if last.second >= step.second {
        steps.removeLast()
        step.wasSuspended = step.wasSuspended || last.wasSuspended
        // The price changed and changed back within one second.
        if let before = steps.last, before.isLike(step), !step.wasSuspended || before.state == .suspended { return }
      }
    }
    if opening == nil { opening = step.odds }
    steps.append(step)
  }

  /// Sets the first price of this run, if it is known.
  mutating func keepOpening(_ odds: DecimalOdds?) { opening = odds ?? opening }

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
    let index = firstIndex(after: second)
    return index == 0 ? nil : steps[index - 1]
  }

  /// Returns the steps that begin within a range of seconds.
  func steps(in seconds: Range<Int>) -> ArraySlice<Step> {
    let (first, end) = (firstIndex(after: seconds.lowerBound - 1), firstIndex(after: seconds.upperBound - 1))
    return steps[first..<max(first, end)]
  }

  /// Returns the price at the end of a second, or nil if it is not known.
  func odds(at second: Int) -> DecimalOdds? {
    guard let step = step(at: second), step.state != .unknown else { return nil }
    return step.odds
  }

  private func firstIndex(after second: Int) -> Int { steps.partitioningIndex { Int($0.second) > second } }

  /// Removes the steps that are out of reach, and conflates those of old buckets.
  private mutating func conflate(at second: Int) {
    let expired = max(0, firstIndex(after: second - Self.reach) - 1)
    var remaining: [Step] = []
    remaining.reserveCapacity(Self.limit)
    var start = expired
    while start < steps.count {
      let bucket = Self.bucket(of: Int(steps[start].second), now: second)
      let end = steps[start...].prefix { Int($0.second) < bucket.upperBound }.endIndex
      Self.append(steps[start..<end], to: &remaining)
      start = end
    }
    steps = remaining
  }

  /// Conflates all steps in buckets of a number of seconds.
  mutating func conflate(inBucketsOf grain: Int) {
    var remaining: [Step] = []
    var start = 0
    while start < steps.count {
      let bucket = (Double(steps[start].second) / Double(grain)).rounded(.down)
      let end = steps[start...].prefix { (Double($0.second) / Double(grain)).rounded(.down) == bucket }.endIndex
      Self.append(steps[start..<end], to: &remaining)
      start = end
    }
    steps = remaining
  }

  /// Returns the bucket of a second: the seconds whose steps are conflated.
  private static func bucket(of second: Int, now: Int) -> Range<Int> {
    for (grain, age) in [(coarseGrain, middleReach), (grain, fineReach)] {
      let start = second / grain * grain
      if start + grain <= now - age { return start..<start + grain }
    }
    return second..<second + 1
  }

  /// Appends the steps of a bucket that are its lowest, its highest or its last price. Each keeps its second.
  private static func append(_ bucket: ArraySlice<Step>, to remaining: inout [Step]) {
    var low: (odds: DecimalOdds, index: Int)?
    var high: (odds: DecimalOdds, index: Int)?
    for index in bucket.indices where bucket[index].state == .live {
      guard let odds = bucket[index].odds else { continue }
      if low.map({ odds <= $0.odds }) ?? true { low = (odds, index) }
      if high.map({ odds >= $0.odds }) ?? true { high = (odds, index) }
    }
    let kept = [low?.index, high?.index, bucket.indices.last]
    var wasSuspended = false
    for index in bucket.indices {
      wasSuspended = wasSuspended || bucket[index].wasSuspended
      guard kept.contains(index) else { continue }
      var step = bucket[index]
      step.wasSuspended = wasSuspended
      remaining.append(step)
      wasSuspended = false
    }
  }
}

extension PriceHistory {
  /// Returns the second whose price a change is measured from: `span` seconds earlier, and for a span beyond the fine
  /// resolution rounded down to the last second of a bucket.
  static func reference(_ span: Int, before second: Int) -> Int {
    let at = second - span
    return span <= fineReach ? at : (at + 1) / grain * grain - 1
  }

  /// Returns the change of the price over `span` seconds, or since the opening price if nil, in tenths of a per cent.
  /// Returns nil if the change is not known or the price cannot be bet on.
  ///
  /// - Parameter opening: The opening price; nil for the first price of this run.
  func change(over span: Int?, at second: Int, opening: DecimalOdds? = nil) -> Int? {
    guard let last = step(at: second), last.state == .live, let odds = last.odds,
      let before = span.map({ self.odds(at: Self.reference($0, before: second)) }) ?? opening ?? self.opening
    else { return nil }
    return Int((Double(odds.units - before.units) * 1000 / Double(before.units)).rounded())
  }

  /// Returns the first second after `second` at which the reference price is that of another step; nil if none is.
  func nextChange(over span: Int, after second: Int) -> Int? {
    let index = firstIndex(after: Self.reference(span, before: second))
    guard index < steps.count else { return nil }
    let at = Int(steps[index].second)
    return span <= Self.fineReach ? at + span : (at / Self.grain + 1) * Self.grain - 1 + span
  }
}
