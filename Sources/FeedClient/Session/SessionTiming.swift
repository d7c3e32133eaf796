/// The times of a session (Freshness.md, §6).
enum SessionTiming {
  /// From one ping to the next.
  static let heartbeat = Duration.seconds(5)
  /// How many pings may go without a sign of life: when the next is due, the line is dead.
  static let mostMissed = 2
  /// What a connection with its WELCOME may take, and each answer after that.
  static let patience = Duration.seconds(10)
  /// What a connection may take to its end once we have said goodbye.
  static let closeTimeout = Duration.milliseconds(250)
  /// A session that lasted that long was a success.
  static let stableAfter = Duration.seconds(2)
  private static let leastDelay = Duration.milliseconds(200)
  private static let mostDelay = Duration.seconds(30)

  /// The delay before a retry, the first of which is number 0, with full jitter: anything up to a bound that doubles.
  static func delay(beforeRetry number: Int, chance: Double) -> Duration {
    min(mostDelay, leastDelay * (1 << min(number, 10))) * chance
  }

  /// When a feed that is being worked on is asked again.
  static func maintenanceDelay(chance: Double) -> Duration { jittered(.seconds(10), chance: chance) }

  /// That time, a fifth more or less.
  static func jittered(_ time: Duration, chance: Double) -> Duration { time * (0.8 + 0.4 * chance) }
}

/// When something happens, and the chance of that moment.
struct SessionMoment {
  /// Monotonic.
  var uptime: Duration
  /// Milliseconds since 1970.
  var wall: Int64
  /// From 0 to 1, for what must not coincide with what others do.
  var chance: Double

  /// The time of day after that, in milliseconds since 1970.
  func wall(after delay: Duration) -> Int64 { wall + Int64(delay / .milliseconds(1)) }
}
