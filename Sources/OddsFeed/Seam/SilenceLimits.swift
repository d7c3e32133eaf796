/// The silences of a feed after which its prices are no longer live (Freshness.md).
public struct SilenceLimits: Hashable, Sendable {
  /// The allowance for the round trip of a ping before a heartbeat counts as missed. Without it, a quiet connection
  /// would be delayed for a moment after every ping.
  static let grace = Duration.seconds(1)

  /// The silence after which prices are delayed. Nil if they never are.
  public var delayed: Duration?
  /// The silence after which prices are locked. Nil if they never are.
  public var locked: Duration?

  /// Creates both limits. Either may be the shorter one.
  public init(delayed: Duration?, locked: Duration?) {
    self.delayed = delayed
    self.locked = locked
  }

  /// Creates the limits of a connection with a heartbeat: prices are delayed after one missed heartbeat and locked
  /// after two.
  public init(heartbeat: Duration) {
    // NB: with a heartbeat no longer than the grace, both limits are equal: prices are locked without being delayed.
    self.init(delayed: min(heartbeat + Self.grace, heartbeat * 2), locked: heartbeat * 2)
  }

  /// Returns the time at which the first limit is reached after a sign of life at `last`. Nil if there are no limits.
  package func deadline(after last: Duration) -> Duration? {
    [delayed, locked].compactMap(\.self).min().map { last + $0 }
  }
}
