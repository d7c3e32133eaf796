import Platform

/// The time limits of a session (Freshness.md, Reconnecting.md).
enum SessionTiming {
  static let heartbeat = Duration.seconds(5)
  /// The number of pings that may pass without a sign of life. When the next one is due, the connection counts as dead.
  static let maxMissed = 2
  /// The time limit for connecting including the WELCOME, and for each answer after that.
  static let patience = Duration.seconds(10)
  /// The time limit for the peer to close the connection after our GOODBYE.
  static let closeTimeout = Duration.milliseconds(250)
  /// The duration after which a session counts as a success.
  static let stableAfter = Duration.seconds(2)
  private static let minDelay = Duration.milliseconds(200)
  private static let maxDelay = Duration.seconds(30)

  /// Returns the delay before a retry, counted from 0, with full jitter: a random part of a bound that doubles.
  static func delay(beforeRetry number: Int, chance: Double) -> Duration {
    min(maxDelay, minDelay * (1 << min(number, 10))) * chance
  }

  /// Returns the delay before a feed under maintenance is asked again.
  static func maintenanceDelay(chance: Double) -> Duration { .seconds(10).jittered(chance: chance) }
}

/// The time of an event, with a random number for jitter.
struct SessionMoment {
  var uptime: Duration
  /// Milliseconds since 1970.
  var wall: Int64
  /// A random number from 0 to 1, for delays that must differ between clients.
  var chance: Double

  /// Returns the time of day after `delay`, in milliseconds since 1970.
  func wall(after delay: Duration) -> Int64 { wall + Int64(delay / .milliseconds(1)) }
}
