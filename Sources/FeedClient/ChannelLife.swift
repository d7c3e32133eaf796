import OddsFeed

/// How far a channel's prices can be trusted, as a machine without a clock: what happens goes in with the time in
/// milliseconds since 1970, the new state comes out.
///
/// A channel is never suspended: the feed says so of markets and offers only, so rows alone are.
enum ChannelLife: Hashable {
  /// Nothing has been heard of the channel yet, or not since the line was lost or silent.
  case unheard(since: Int64, isUp: Bool)
  /// Heard of, though the line is not said to be up: its first dump may come before that is said.
  case early(since: Int64)
  case live(since: Int64)
  case delayed(since: Int64)
  /// The feed is at its end. A recording may be wound back from there.
  case ended(since: Int64)
  /// The subscription is over.
  case released(since: Int64)

  enum Event {
    case line(LinePulse.Grade)
    /// A message, or the dump where one is awaited, is applied.
    case heard
    case released
  }

  mutating func apply(_ event: Event, at now: Int64) {
    switch (event, self) {
    case (_, .released): break
    case (.released, _): self = .released(since: now)

    case (.heard, .unheard(let since, let isUp)): self = isUp ? .live(since: now) : .early(since: since)
    case (.heard, _): break

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
    case (.line(.down), _): break

    // The connection holds, so the next message says that it works again.
    case (.line(.silent), .live), (.line(.silent), .delayed): self = .unheard(since: now, isUp: true)
    case (.line(.silent), _): break
    }
  }

  var isReleased: Bool { if case .released = self { true } else { false } }

  /// Nothing more will come, unless a recording is wound back.
  var isOver: Bool { staleness.grade == .closed }

  var staleness: Staleness {
    switch self {
    case .unheard(let since, _), .early(let since): Staleness(.locked, since: since)
    case .live(let since): Staleness(.live, since: since)
    case .delayed(let since): Staleness(.delayed, since: since)
    case .ended(let since), .released(let since): Staleness(.closed, since: since)
    }
  }
}
