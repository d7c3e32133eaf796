/// A figure that follows from the prices and is read at leisure: it changes at most once a second, to the newest
/// value, so that the eye, and the line to the terminal, are left to the prices.
struct RateLimitedValue: Hashable, Sendable {
  private static let interval = Duration.seconds(1)

  /// What is shown: a count of tenths; nil where there is none.
  private(set) var shown: Int?
  private(set) var newest: Int?
  private var changedAt: Duration?

  /// Takes a new value. A figure that appears or goes does so at once.
  mutating func take(_ value: Int?, at now: Duration) {
    newest = value
    if value == nil || shown == nil { show(at: now) }
  }

  /// Shows the newest value if the time has come; returns when it will, nil where nothing waits.
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
