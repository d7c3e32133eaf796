/// The clock by which past prices are recorded. For a recording it is the recording's own time: it stops while paused,
/// and a minute is a minute at any speed. For any other feed it is uptime, which stops at the feed's end.
enum FeedTime: Hashable, Sendable {
  case uptime
  /// The feed ended at a second of uptime.
  case ended(Int)
  /// A recording with this playback state at an uptime.
  case recording(Playback, at: Duration)

  /// Returns the current second.
  func second(at now: Duration) -> Int {
    switch self {
    case .uptime: now.wholeSeconds
    case .ended(let second): second
    case .recording(let playback, let then): playback.position(after: now - then).wholeSeconds
    }
  }

  /// Returns the uptime at which a future second begins. Nil if the clock is stopped, or at maximum speed, where the
  /// feed's own frames advance it.
  func uptime(of second: Int, after now: Duration) -> Duration? {
    switch self {
    case .uptime: .seconds(second)
    case .ended: nil
    case .recording(let playback, let then): playback.wait(until: .seconds(second)).map { max(now, then + $0) }
    }
  }
}

extension BoardState {
  var feedTime: FeedTime {
    if let playback { return .recording(playback, at: playbackAt) }
    return endedAt.map { .ended($0) } ?? .uptime
  }

  /// Returns the current second of feed time.
  func second(at now: FrameTime) -> Int { feedTime.second(at: now.uptime) }

  /// Applies the state of a recording's playback. After a jump back, prices recorded for later seconds are removed.
  /// After a jump forward, the prices of the skipped seconds are unknown.
  mutating func apply(_ playback: Playback, at now: FrameTime) {
    let old = second(at: now)
    let hasJumped = self.playback.map { $0.jumps != playback.jumps } ?? false
    if playback.isPaused, self.playback?.isPaused == false { meters.rest(at: now.uptime) }
    self.playback = playback
    playbackAt = now.uptime
    let second = second(at: now)
    guard hasJumped, second != old else { return }
    if second < old {
      histories.rewind(to: second)
      rows.rewind(to: second)
      trustedSince = min(trustedSince, second)
    } else {
      histories.loseAll(at: old)
      trustedSince = second
    }
    detail?.isTrusted = false
  }
}
