/// The time that a frame is drawn for; read once per frame.
package struct FrameTime: Hashable, Sendable {
  /// Monotonic time since the program began.
  package var uptime: Duration
  /// Milliseconds since 1970.
  package var wall: Int64
  /// What the local time zone adds to UTC, in seconds.
  package var zone: Int

  /// A moment.
  package init(uptime: Duration, wall: Int64, zone: Int) {
    self.uptime = uptime
    self.wall = wall
    self.zone = zone
  }

  /// The local time of day of a wall time, in minutes since midnight.
  func minuteOfDay(_ wall: Int64) -> Int {
    let minutes = (wall / 1000 + Int64(zone)) / 60
    return Int(((minutes % 1440) + 1440) % 1440)
  }

  /// How long until the local clock shows another minute.
  var untilNextMinute: Duration { .milliseconds(60_000 - (wall % 60_000)) }
}
