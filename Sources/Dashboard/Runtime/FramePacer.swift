/// When the next frame may be drawn: so many a second at most, and on a line that takes its time, fewer.
struct FramePacer {
  /// How long a terminal may take for a frame and still count as fast.
  static let allowance = Duration.milliseconds(5)
  /// However slow the line, the board is not dead.
  static let longestRest = Duration.seconds(1)

  /// From one frame to the next.
  var interval: Duration
  private var begun = Duration.seconds(-1)
  private var restsUntil = Duration.seconds(-1)

  init(interval: Duration) { self.interval = interval }

  /// Uptime from which on a frame is due that no key has asked for.
  var next: Duration { max(begun + interval, restsUntil) }

  /// The feed was asked for a frame, or one was drawn.
  mutating func begin(at now: Duration) { begun = now }

  /// The terminal took that long for a frame. Half of its time at least is left to what else goes over the line, keys too.
  mutating func wrote(for time: Duration, until now: Duration) {
    restsUntil = now + min(max(.zero, time - Self.allowance), Self.longestRest)
  }
}
