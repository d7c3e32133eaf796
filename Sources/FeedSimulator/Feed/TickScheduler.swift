/// Computes from the uptime how far to advance the book, and the interval between ticks.
package struct TickScheduler: Sendable {
  /// The time by which to advance the book, in milliseconds, and the number of odds updates to publish.
  package struct Due: Hashable, Sendable {
    package let elapsed: Int64
    package let updates: Int
  }

  /// The maximum number of ticks per second: more frames would not be visible.
  private static let maxTicks = 60.0
  /// The minimum number of ticks per second: matches start and goals are scored even at low rates.
  private static let fewestTicks = 1.0
  /// The time for which odds updates are made up after a stall, in seconds; 1.5 ticks if longer. Others are skipped.
  private static let longestStall = 0.25
  /// The maximum time that one tick advances the book, which bounds the changes of a tick, in milliseconds.
  private static let longestStep: UInt64 = 10_000
  /// The maximum time that is played step by step, in milliseconds. `skip(to:)` skips a longer one.
  static let longestCatchUp: UInt64 = 600_000

  /// The number of odds updates per second, within `SimulatorOptions.rateRange`.
  package private(set) var rate: Double
  /// The uptime up to which time was handed out, in nanoseconds.
  private var last: UInt64
  /// The fraction of an update that is not due yet, in 0 ..< 1.
  private var carry = 0.0

  /// Creates a scheduler. `uptime` is the current uptime, in nanoseconds.
  package init(rate: Double, uptime: UInt64) {
    self.rate = rate
    last = uptime
  }

  /// The interval between ticks, in nanoseconds.
  package var interval: UInt64 { UInt64(1_000_000_000 / min(max(rate, Self.fewestTicks), Self.maxTicks)) }

  /// Sets the rate in odds updates per second, clamped to `SimulatorOptions.rateRange`. NaN becomes the lower bound.
  package mutating func setRate(_ rate: Double) {
    let range = SimulatorOptions.rateRange
    self.rate = rate > range.lowerBound ? min(rate, range.upperBound) : range.lowerBound
  }

  /// Skips the time up to an uptime in nanoseconds if it is too long to be played. Returns the skipped time, in
  /// milliseconds; nil if there is nothing to skip.
  package mutating func skip(to uptime: UInt64) -> Int64? {
    guard uptime > last, case let behind = (uptime - last) / 1_000_000, behind > Self.longestCatchUp else { return nil }
    last += behind * 1_000_000
    return Int64(behind)
  }

  /// Returns the work due at an uptime in nanoseconds, since the last call.
  ///
  /// After a long stall each call advances by one step of at most 10 seconds. Only the last step has updates.
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
