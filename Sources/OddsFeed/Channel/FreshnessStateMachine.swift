import OddsModel

/// The freshness of a channel's prices, as a state machine without a clock. Times are in milliseconds since 1970.
///
/// A channel is never suspended: the feed suspends markets and offers, so only rows can be suspended.
enum FreshnessStateMachine: Hashable {
  /// No data since the subscription began, or since the connection was lost or silent.
  case unheard(since: Int64, line: HeartbeatMonitor.Grade)
  /// Data was received before the connection was reported as up; the first dump may precede that report.
  case early(since: Int64)
  /// Data was received on a silent connection: it waited on its way for too long.
  case outdated(since: Int64)
  case live(since: Int64)
  case delayed(since: Int64)
  /// The stream is missing and the REST interface substitutes for it. The data is as old as its last answer.
  case polled(since: Int64, line: HeartbeatMonitor.Grade)
  /// The feed has ended. A recording can be rewound from there.
  case ended(since: Int64)
  case released(since: Int64)

  enum Event {
    case line(HeartbeatMonitor.Grade)
    /// A message was applied, or, if a dump is awaited, that dump.
    case heard
    /// The feed no longer sends the topic, for now or for good, though the connection may work.
    case unserved
    /// The REST interface answered.
    case polled
    /// The REST interface has not answered for too long, or failed too often.
    case apiLost
    case released
  }

  mutating func apply(_ event: Event, at now: Int64) {
    switch (event, self) {
    case (_, .released): break
    case (.released, _): self = .released(since: now)

    case (.heard, .unheard(_, .sound)), (.heard, .polled(_, .sound)): self = .live(since: now)
    case (.heard, .unheard(_, .late)): self = .delayed(since: now)
    case (.heard, .polled(let since, .late)): self = .delayed(since: since)
    case (.heard, .unheard(let since, .silent)): self = .outdated(since: since)
    case (.heard, .polled(_, .silent)): self = .outdated(since: now)
    case (.heard, .unheard(let since, .down)): self = .early(since: since)
    case (.heard, .polled(_, .down)): self = .early(since: now)

    case (.unserved, .live): self = .unheard(since: now, line: .sound)
    case (.unserved, .delayed): self = .unheard(since: now, line: .late)
    case (.unserved, .outdated): self = .unheard(since: now, line: .silent)
    case (.unserved, .early): self = .unheard(since: now, line: .down)

    case (.polled, .unheard(_, let line)): self = .polled(since: now, line: line)
    case (.polled, .ended): self = .polled(since: now, line: .over)
    case (.apiLost, .polled(_, .over)): self = .ended(since: now)
    case (.apiLost, .polled(_, let line)): self = .unheard(since: now, line: line)

    case (.line(let line), .polled(let since, _)): self = .polled(since: since, line: line)

    case (.line(.over), .ended): break
    case (.line(.over), _): self = .ended(since: now)

    case (.line(let line), .unheard(let since, _)): self = .unheard(since: since, line: line)
    // A failed connection is tried again.
    case (.line(.sound), .ended): self = .unheard(since: now, line: .sound)
    case (.line(.down), .ended): self = .unheard(since: now, line: .down)

    case (.line(.sound), .early), (.line(.sound), .outdated), (.line(.sound), .delayed): self = .live(since: now)
    case (.line(.late), .early), (.line(.late), .outdated), (.line(.late), .live): self = .delayed(since: now)
    // The connection is still open, so the next message in time shows that it works.
    case (.line(.silent), .live), (.line(.silent), .delayed): self = .unheard(since: now, line: .silent)
    case (.line(.silent), .early(let since)): self = .outdated(since: since)
    case (.line(.down), .live), (.line(.down), .delayed): self = .unheard(since: now, line: .down)
    case (.line(.down), .outdated(let since)): self = .unheard(since: since, line: .down)

    case (.heard, _), (.unserved, _), (.polled, _), (.apiLost, _): break
    case (.line(.sound), _), (.line(.late), _), (.line(.silent), _), (.line(.down), _): break
    }
  }

  /// True if the stream's own dump is applied and the connection was not lost since.
  var isHeard: Bool {
    switch self {
    case .early, .outdated, .live, .delayed: true
    case .unheard, .polled, .ended, .released: false
    }
  }

  var isReleased: Bool { if case .released = self { true } else { false } }

  /// True if nothing more will follow, unless a recording is rewound.
  var isOver: Bool { freshness.grade == .closed }

  var freshness: Freshness {
    switch self {
    case .unheard(let since, _), .early(let since), .outdated(let since): Freshness(.locked, since: since)
    case .live(let since): Freshness(.live, since: since)
    case .delayed(let since), .polled(let since, _): Freshness(.delayed, since: since)
    case .ended(let since), .released(let since): Freshness(.closed, since: since)
    }
  }
}
