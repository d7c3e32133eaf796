import Platform

/// The time of a history while it is written: the wall time, but it never goes back. When the wall clock is set back,
/// the time of the history is ahead of it, and passes at half the speed until the wall clock has caught up.
///
/// Wall times are in milliseconds since 1970.
struct HistoryClock {
  /// A difference between the times of the two clocks is a step of the wall clock from this size on, in milliseconds.
  private static let minStep: Int64 = 100
  /// The longest time by which the end of a file may be ahead of the wall clock, in milliseconds. A file that is
  /// further ahead has times that are not those of this machine.
  private static let maxLead: Int64 = 86_400_000

  /// A reading of both clocks at one moment.
  struct Reading {
    let wall: Int64
    let uptime: Duration
  }

  private struct Correction {
    /// The time by which the history is ahead up to `begin`.
    var lead: Int64 = 0
    /// The wall time from which the lead decreases.
    var begin: Int64 = 0

    func time(of wall: Int64) -> Int64 { lead == 0 ? wall : wall + max(0, lead - max(0, wall - begin) / 2) }
  }

  /// A step of the wall clock between two readings.
  private struct Step {
    /// The correction before the step.
    let earlier: Correction
    /// The wall times after the step. Others are from before it.
    let times: ClosedRange<Int64>
  }

  private var correction = Correction()
  private var last: Reading?
  /// The last step, until `forgetStep()`.
  private var step: Step?

  /// Compares the clocks with their last reading.
  mutating func update(_ reading: Reading) {
    defer { last = reading }
    guard let last else { return }
    let elapsed = Int64((reading.uptime - last.uptime) / .milliseconds(1))
    let size = reading.wall - last.wall - elapsed
    guard abs(size) >= Self.minStep else { return }
    if step == nil {
      let begin = last.wall + size
      let isBehind = reading.wall < last.wall
      step = Step(earlier: correction, times: begin...(isBehind ? reading.wall + (last.wall - reading.wall) / 2 : .max))
    }
    let lead = correction.time(of: last.wall) - last.wall
    correction = Correction(lead: max(0, lead - size), begin: reading.wall)
  }

  /// Begins at the end of a file if that is ahead. Returns false if it is not, or is too far ahead.
  mutating func begin(atEndOf file: Int64, wall: Int64) -> Bool {
    guard file > correction.time(of: wall), file - wall <= Self.maxLead else { return false }
    correction = Correction(lead: file - wall, begin: wall)
    return true
  }

  /// Returns the time of the history at a wall time since the last reading but one.
  func time(of wall: Int64) -> Int64 {
    if let step, !step.times.contains(wall) { return step.earlier.time(of: wall) }
    return correction.time(of: wall)
  }

  /// Notes that all times from before the last step are converted.
  mutating func forgetStep() { step = nil }
}

extension HistoryClock.Reading {
  init(_ clock: ClientClock) { self.init(wall: clock.wall(), uptime: clock.uptime()) }
}
