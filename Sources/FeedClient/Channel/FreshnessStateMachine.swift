import OddsFeed

/// How far a channel's prices can be trusted, as a machine without a clock: what happens goes in with the time in
/// milliseconds since 1970, the new state comes out.
///
/// A channel is never suspended: the feed says so of markets and offers only, so rows alone are.
enum FreshnessStateMachine: Hashable {
  /// Nothing has been heard of the channel yet, or not since the line was lost or silent.
  case unheard(since: Int64, isUp: Bool)
  /// Heard of, though the line is not said to be up: its first dump may come before that is said.
  case early(since: Int64)
  case live(since: Int64)
  case delayed(since: Int64)
  /// There is no stream, and the REST interface answers instead; its data is as old as its last answer.
  case polled(since: Int64, line: Line)
  /// The feed is at its end. A recording may be wound back from there.
  case ended(since: Int64)
  /// The subscription is over.
  case released(since: Int64)

  /// The line of the stream that is missing.
  enum Line: Hashable { case down, up, over }

  enum Event {
    case line(HeartbeatMonitor.Grade)
    /// A message, or the dump where one is awaited, is applied.
    case heard
    /// The feed does not send the topic any more, or not now, though the line may be well.
    case unserved
    /// The REST interface answered.
    case polled
    /// It has not answered for too long, or failed too often.
    case apiLost
    case released
  }

  mutating func apply(_ event: Event, at now: Int64) {
    switch (event, self) {
    case (_, .released): break
    case (.released, _): self = .released(since: now)

    case (.heard, .unheard(let since, let isUp)): self = isUp ? .live(since: now) : .early(since: since)
    case (.heard, .polled(_, .over)): break
    case (.heard, .polled(_, let line)): self = line == .up ? .live(since: now) : .early(since: now)
    case (.heard, _): break

    case (.unserved, .live), (.unserved, .delayed): self = .unheard(since: now, isUp: true)
    case (.unserved, .early): self = .unheard(since: now, isUp: false)
    case (.unserved, _): break

    case (.polled, .unheard(_, let isUp)): self = .polled(since: now, line: isUp ? .up : .down)
    case (.polled, .ended): self = .polled(since: now, line: .over)
    case (.polled, _): break
    case (.apiLost, .polled(_, .over)): self = .ended(since: now)
    case (.apiLost, .polled(_, let line)): self = .unheard(since: now, isUp: line == .up)
    case (.apiLost, _): break

    case (.line(.over), .polled(let since, _)): self = .polled(since: since, line: .over)
    case (.line(.down), .polled(let since, _)): self = .polled(since: since, line: .down)
    case (.line(.sound), .polled(let since, _)): self = .polled(since: since, line: .up)

    case (.line(.over), .ended): break
    case (.line(.over), _): self = .ended(since: now)

    case (.line(.sound), .unheard(let since, _)): self = .unheard(since: since, isUp: true)
    case (.line(.sound), .early), (.line(.sound), .delayed): self = .live(since: now)
    case (.line(.sound), .ended): self = .unheard(since: now, isUp: true)
    case (.line(.sound), .live): break

    case (.line(.late), .live): self = .delayed(since: now)
    case (.line(.late), _): break

    case (.line(.down), .live), (.line(.down), .delayed): self = .unheard(since: now, isUp: false)
    case (.line(.down), .unheard(let since, _)): self = .unheard(since: since, isUp: false)
    // It had failed, and is tried again.
    case (.line(.down), .ended): self = .unheard(since: now, isUp: false)
    case (.line(.down), _): break

    // The connection holds, so the next message says that it works again.
    case (.line(.silent), .live), (.line(.silent), .delayed): self = .unheard(since: now, isUp: true)
    case (.line(.silent), _): break
    }
  }

  /// True where the stream's own dump is in and the line has not been lost since.
  var isHeard: Bool {
    switch self {
    case .early, .live, .delayed: true
    case .unheard, .polled, .ended, .released: false
    }
  }

  var isReleased: Bool { if case .released = self { true } else { false } }

  /// Nothing more will come, unless a recording is wound back.
  var isOver: Bool { staleness.grade == .closed }

  var staleness: Freshness {
    switch self {
    case .unheard(let since, _), .early(let since): Freshness(.locked, since: since)
    case .live(let since): Freshness(.live, since: since)
    case .delayed(let since), .polled(let since, _): Freshness(.delayed, since: since)
    case .ended(let since), .released(let since): Freshness(.closed, since: since)
    }
  }
}
