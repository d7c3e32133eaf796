import OddsModel

/// The clock by which past prices are recorded. For a recording it is the recording's own time: it stops while paused,
/// and a minute is a minute at any speed. For any other feed it is uptime, which stops at the feed's end.
struct FeedClock: Hashable, Sendable {
  /// The playback of a recording; nil for any other feed.
  private(set) var playback: Playback?
  /// The uptime at which `playback` was received.
  private var receivedAt = Duration.zero
  /// The second of uptime at which the feed ended; not used for a recording.
  private var endedAt: Int?

  /// True if the feed is live, or its recording is playing.
  var isRunning: Bool { playback?.isMoving ?? (endedAt == nil) }

  func second(now: Duration) -> Int {
    playback.map { $0.position(after: now - receivedAt).wholeSeconds } ?? endedAt ?? now.wholeSeconds
  }

  /// Returns the uptime at which a future second begins. Nil if the clock is stopped, or at maximum speed, where the
  /// feed's own frames advance it.
  func uptime(of second: Int, after now: Duration) -> Duration? {
    if let playback { return playback.wait(until: .seconds(second)).map { max(now, receivedAt + $0) } }
    return endedAt == nil ? .seconds(second) : nil
  }

  mutating func apply(_ playback: Playback, now: FrameTime) {
    self.playback = playback
    receivedAt = now.uptime
  }

  mutating func apply(_ connection: ConnectionState, now: FrameTime) {
    endedAt = connection == .ended ? endedAt ?? now.uptime.wholeSeconds : nil
  }

  /// The uptime at which another position of a recording is shown; nil if it is not known.
  var nextDeadline: Duration? { playback?.timeToNextSecond.map { receivedAt + $0 } }
}
