/// How long a feed may be silent before its prices are no longer called live (Freshness.md).
public struct SilenceLimits: Hashable, Sendable {
  /// What the answer to a ping may take on its way before a heartbeat counts as missed; without it, a quiet line would
  /// be late for a moment after every ping.
  static let grace = Duration.seconds(1)

  /// Prices are delayed after this; nil where they never are.
  public var delayed: Duration?
  /// Prices are locked after this; nil where they never are.
  public var locked: Duration?

  /// Both limits, of which the shorter may be either.
  public init(delayed: Duration?, locked: Duration?) {
    self.delayed = delayed
    self.locked = locked
  }

  /// The limits of a line that gives a sign of life with each heartbeat: one may be missed, two may not.
  public init(heartbeat: Duration) {
    // NB: a heartbeat shorter than the grace is silent before it is late.
    self.init(delayed: min(heartbeat + Self.grace, heartbeat * 2), locked: heartbeat * 2)
  }

  /// When time alone changes something first, after a sign of life at `last`.
  package func deadline(after last: Duration) -> Duration? {
    [delayed, locked].compactMap(\.self).min().map { last + $0 }
  }
}
