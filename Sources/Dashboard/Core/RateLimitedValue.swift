/// A figure derived from prices that changes on the screen at most once a second, to its newest value. Slower figures
/// leave attention and bandwidth to the prices.
struct RateLimitedValue: Hashable, Sendable {
  private static let interval = Duration.seconds(1)

  /// The value on the screen, in tenths; nil if there is none.
  private(set) var shown: Int?
  private(set) var newest: Int?
  private var changedAt: Duration?

  /// Applies a new value. A figure that appears or disappears does so at once.
  mutating func apply(_ value: Int?, at now: Duration) {
    newest = value
    if value == nil || shown == nil { show(at: now) }
  }

  /// Shows the newest value if it is due. Returns the uptime at which it will be due; nil if no change is pending.
  mutating func settle(at now: Duration) -> Duration? {
    guard newest != shown else { return nil }
    if let changedAt, now < changedAt + Self.interval { return changedAt + Self.interval }
    show(at: now)
    return nil
  }

  private mutating func show(at now: Duration) {
    shown = newest
    changedAt = now
  }
}
