import CLibrary

/// A source of time and randomness. Tests supply their own.
public struct ClientClock: Sendable {
  /// Returns the monotonic time since an arbitrary moment in the past.
  package let uptime: @Sendable () -> Duration
  /// Returns the time of day, in milliseconds since 1970.
  package let wall: @Sendable () -> Int64
  /// Returns at the given uptime, or earlier if the task is cancelled.
  package let sleep: @Sendable (_ until: Duration) async -> Void

  /// Returns a random number from 0 to 1, for delays that must differ between clients.
  package let chance: @Sendable () -> Double

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - uptime: Returns monotonic time.
  ///   - wall: Returns milliseconds since 1970.
  ///   - sleep: Returns at the given uptime, or earlier if its task is cancelled.
  ///   - chance: Returns a random number from 0 to 1.
  public init(
    uptime: @escaping @Sendable () -> Duration, wall: @escaping @Sendable () -> Int64,
    sleep: @escaping @Sendable (_ until: Duration) async -> Void,
    chance: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.uptime = uptime
    self.wall = wall
    self.sleep = sleep
    self.chance = chance
  }

  /// Returns the machine's time of day, in milliseconds since 1970.
  package static func wallTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static let start = ContinuousClock.now

  /// A clock that reads the machine's own clocks. Uptimes of all parts of a process can be compared.
  public static var live: ClientClock {
    ClientClock(
      uptime: { ContinuousClock.now - start },
      wall: wallTime,
      // NB: Cancellation is the only error, and the caller checks for it.
      sleep: { until in try? await ContinuousClock().sleep(until: start + until) })
  }
}

extension Duration {
  /// Returns the duration varied by up to a fifth, for a random number from 0 to 1.
  package func jittered(chance: Double) -> Duration { self * (0.8 + 0.4 * chance) }
}
