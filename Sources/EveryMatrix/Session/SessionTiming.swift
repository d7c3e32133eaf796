import Platform

/// The time limits of a session (Freshness.md, Reconnecting.md).
enum SessionTiming {
  static let heartbeat = Duration.seconds(5)
  /// The number of pings that may pass without a sign of life. When the next one is due, the connection counts as dead.
  static let maxMissed = 2
  /// The time limit for connecting including the WELCOME, and for each answer after that.
  static let requestTimeout = Duration.seconds(10)
  /// The time limit for the peer to close the connection after our GOODBYE.
  static let closeTimeout = Duration.milliseconds(250)

  /// Returns the delay before a feed under maintenance is asked again.
  static func maintenanceDelay(chance: Double) -> Duration { .seconds(10).jittered(chance: chance) }
}
