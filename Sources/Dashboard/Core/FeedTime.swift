import OddsFeed

/// The time by which prices are remembered. Of a recording that is its own time: paused it stands still, and at ten times
/// the pace a minute of it is a minute all the same. Of any other feed it is uptime, which stands still at the feed's end.
enum FeedTime: Hashable, Sendable {
  case uptime
  /// The feed ended at that second of uptime.
  case ended(Int)
  /// The play of a recording stood so at that uptime.
  case recording(Playback, at: Duration)

  /// The second that it is.
  func second(at now: Duration) -> Int {
    switch self {
    case .uptime: now.wholeSeconds
    case .ended(let second): second
    case .recording(let playback, let then): playback.position(after: now - then).wholeSeconds
    }
  }

  /// The uptime at which a second to come begins; nil where time stands still, or the feed's own frames take it along.
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

  /// The second by which prices are remembered now.
  func second(at now: FrameTime) -> Int { feedTime.second(at: now.uptime) }

  /// Takes the state of a recording's play. After a jump back, what was remembered of later seconds is forgotten; after a
  /// jump forward, the prices of the seconds between are unknown.
  mutating func take(_ playback: Playback, at now: FrameTime) {
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
