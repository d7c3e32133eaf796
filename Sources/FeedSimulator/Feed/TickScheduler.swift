/// Decides from uptime how much of the book is due, and how often to ask.
package struct TickScheduler: Sendable {
  /// What is due: milliseconds to let pass in the book, and odds updates to publish.
  package struct Due: Hashable, Sendable {
    package let elapsed: Int64
    package let updates: Int
  }

  /// Nobody sees more frames a second than this.
  private static let mostTicks = 60.0
  /// Matches start and goals are scored whatever the rate.
  private static let fewestTicks = 1.0
  /// After a stall at most this much is made up for; the rest is skipped. In seconds.
  private static let longestStall = 0.25
  /// A tick lets at most this much time pass, so that what one tick changes is bounded too. In milliseconds.
  private static let longestStep: UInt64 = 10_000

  /// Odds updates a second, within `SimulatorOptions.rateRange`.
  package private(set) var rate: Double
  /// In nanoseconds.
  private var last: UInt64
  /// The part of an update that was not due yet, below 1.
  private var carry = 0.0

  /// - Parameters:
  ///   - rate: Odds updates a second.
  ///   - uptime: In nanoseconds.
  package init(rate: Double, uptime: UInt64) {
    self.rate = rate
    last = uptime
  }

  /// From one tick to the next, in nanoseconds.
  package var interval: UInt64 {
    UInt64(1_000_000_000 / min(max(rate, Self.fewestTicks), Self.mostTicks))
  }

  /// Sets the rate, in odds updates a second, brought into `SimulatorOptions.rateRange`; not a number is the lowest.
  package mutating func setRate(_ rate: Double) {
    let range = SimulatorOptions.rateRange
    self.rate = rate > range.lowerBound ? min(rate, range.upperBound) : range.lowerBound
  }

  /// What is due at an uptime in nanoseconds, since the last time this was asked.
  ///
  /// After a long stall time passes step by step, a step each time this is asked; only the last brings updates.
  package mutating func advance(to uptime: UInt64) -> Due {
    guard uptime > last else { return Due(elapsed: 0, updates: 0) }
    let behind = (uptime - last) / 1_000_000
    let elapsed = min(behind, Self.longestStep)
    last += elapsed * 1_000_000
    guard elapsed == behind else { return Due(elapsed: Int64(elapsed), updates: 0) }
    let seconds = Double(elapsed) / 1000
    let longest = max(Self.longestStall, 1.5 * Double(interval) / 1_000_000_000)
    carry += rate * min(seconds, longest)
    let updates = carry.rounded(.down)
    carry -= updates
    return Due(elapsed: Int64(elapsed), updates: Int(updates))
  }
}
