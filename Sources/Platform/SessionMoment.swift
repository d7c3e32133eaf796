/// The time of an event of a state machine, with a random number for jitter.
package struct SessionMoment: Sendable {
  package var uptime: Duration
  /// The time of day, in milliseconds since 1970.
  package var wall: Int64
  /// A random number from 0 to 1, for delays that must differ between clients.
  package var chance: Double

  package init(uptime: Duration, wall: Int64, chance: Double) {
    self.uptime = uptime
    self.wall = wall
    self.chance = chance
  }

  /// Creates the present moment of a clock.
  package init(_ clock: ClientClock) {
    self.init(uptime: clock.uptime(), wall: clock.wall(), chance: clock.chance())
  }

  /// Returns the time of day after `delay`, in milliseconds since 1970.
  package func wall(after delay: Duration) -> Int64 { wall + Int64(delay / .milliseconds(1)) }
}
