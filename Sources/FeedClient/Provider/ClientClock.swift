#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The time, as the world gives it; tests give their own.
public struct ClientClock: Sendable {
  /// Monotonic time since some moment in the past.
  package let uptime: @Sendable () -> Duration
  /// Milliseconds since 1970.
  package let wall: @Sendable () -> Int64
  /// Returns at that uptime, or earlier where the task is cancelled.
  package let sleep: @Sendable (_ until: Duration) async -> Void

  /// A number from 0 to 1, by chance, for delays that must not coincide with those of others.
  package let chance: @Sendable () -> Double

  /// A world of those four: monotonic time, milliseconds since 1970, a sleep until an uptime that returns earlier where
  /// its task is cancelled, and a number from 0 to 1 by chance.
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

  /// The machine's time of day, in milliseconds since 1970.
  package static func wallTime() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  /// The machine's own clocks.
  public static var live: ClientClock {
    let start = ContinuousClock.now
    return ClientClock(
      uptime: { ContinuousClock.now - start },
      wall: wallTime,
      // NB: cancellation is the only error, and the caller looks for it.
      sleep: { until in try? await ContinuousClock().sleep(until: start + until) })
  }
}
