import Algorithms
package import OddsModel

/// The price of an outcome over a time range, as a step function. Times are in milliseconds since 1970.
package struct PriceSeries: Hashable, Sendable {
  package enum State: UInt8, Sendable {
    case live
    /// Suspended, withdrawn or settled.
    case suspended
    /// No channel carried the price.
    case unknown
  }

  /// The price from a time on.
  package struct Step: Hashable, Sendable {
    package let time: Int64
    package let state: State
    /// The price; the last one while it is suspended or unknown. Nil if there was none.
    package let odds: DecimalOdds?

    package init(time: Int64, state: State, odds: DecimalOdds?) {
      self.time = time
      self.state = state
      self.odds = odds
    }
  }

  /// The steps in ascending order of time. Successive steps differ.
  package private(set) var steps: [Step] = []
  /// The number of recorded changes within the range. The begin or end of a time in which the price is known is none.
  package var changes = 0

  package init(steps: [Step] = []) { for step in steps { append(step) } }

  /// Combines changes with the times in which they are known.
  ///
  /// - Parameters:
  ///   - spans: The times in which the price was known, ascending and disjoint.
  ///   - next: Returns the next change, in ascending order of time; nil after the last one. The first may be before the
  ///     first span.
  init<Failure: Error>(
    spans: [Range<Int64>], _ next: () throws(Failure) -> RecordedChange?
  ) throws(Failure) {
    var change = try next()
    var step: Step?
    for span in spans {
      while let earlier = change, earlier.time <= span.lowerBound {
        step = Step(earlier)
        change = try next()
      }
      if let step { append(Step(time: span.lowerBound, state: step.state, odds: step.odds)) }
      while let later = change, later.time < span.upperBound {
        let new = Step(later)
        append(new)
        step = new
        change = try next()
      }
      if let step { append(Step(time: span.upperBound, state: .unknown, odds: step.odds)) }
    }
  }

  /// Appends a step. One at the time of the last step replaces it.
  private mutating func append(_ step: Step) {
    if steps.last?.time == step.time { steps.removeLast() }
    if let last = steps.last, last.state == step.state, last.odds == step.odds { return }
    steps.append(step)
  }

  /// Returns the step in force at a time; nil before the first one.
  package func step(at time: Int64) -> Step? {
    let index = index(after: time)
    return index == 0 ? nil : steps[index - 1]
  }

  /// Returns the index of the first step after a time.
  func index(after time: Int64) -> Int { steps.partitioningIndex { $0.time > time } }
}

extension PriceSeries.Step {
  fileprivate init(_ change: RecordedChange) {
    let isLive = change.isBettable && change.odds != nil
    self.init(time: change.time, state: isLive ? .live : .suspended, odds: change.odds)
  }
}
