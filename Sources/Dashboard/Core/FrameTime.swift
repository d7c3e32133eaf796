/// The time for which a frame is drawn, read once per frame.
package struct FrameTime: Hashable, Sendable {
  /// The monotonic time since the program began.
  package var uptime: Duration
  /// The wall time, in milliseconds since 1970.
  package var wall: Int64
  /// The local time zone's offset from UTC, in seconds.
  package var zone: Int

  /// Creates a time.
  package init(uptime: Duration, wall: Int64, zone: Int) {
    self.uptime = uptime
    self.wall = wall
    self.zone = zone
  }

  /// Returns the local time of day of a wall time, in minutes since midnight.
  func minuteOfDay(_ wall: Int64) -> Int {
    let minutes = (wall / 1000 + Int64(zone)) / 60
    return Int(((minutes % 1440) + 1440) % 1440)
  }

  /// The time until the local clock shows another minute.
  var untilNextMinute: Duration { .milliseconds(60_000 - (wall % 60_000)) }
}
