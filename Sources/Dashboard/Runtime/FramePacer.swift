/// The schedule of frames: a limited rate, and a lower one on a slow connection to the terminal.
///
/// A frame in which the screen only changes by itself, such as the end of a highlight, waits for all frames before it.
/// It does not delay the next update.
struct FramePacer {
  /// The time for which a terminal may write a frame and still count as fast.
  static let allowance = Duration.milliseconds(5)
  /// The longest pause between frames, which keeps the board responsive on the slowest connection.
  static let longestRest = Duration.seconds(1)

  /// The least time between two frames.
  var interval: Duration
  /// The start of the last frame with updates or input; nil before the first one.
  private var begun: Duration?
  /// The start of the last frame of any kind.
  private var drawn: Duration?
  private var restsUntil = Duration.zero

  init(interval: Duration) { self.interval = interval }

  /// The uptime from which a frame not requested by input is due; nil before the first frame.
  var next: Duration? { begun.map { max($0 + interval, restsUntil) } }

  /// The uptime from which a frame for the screen's own changes is due; nil before the first frame.
  var nextTimed: Duration? { drawn.map { max($0 + interval, restsUntil) } }

  func isDue(now: Duration) -> Bool { next.map { $0 <= now } ?? true }

  /// Records that a frame has begun. `isTimed` is true if the screen only changes by itself.
  mutating func begin(now: Duration, isTimed: Bool = false) {
    drawn = now
    if !isTimed { begun = now }
  }

  /// Records that the terminal wrote a frame for `time` until `now`. A pause follows: `time` less `allowance`, at most
  /// `longestRest`. It leaves about half of the connection's time to other traffic, such as keys.
  mutating func wrote(for time: Duration, until now: Duration) {
    restsUntil = now + min(max(.zero, time - Self.allowance), Self.longestRest)
  }
}
