/// The signs of life of a session that is live without a connection, because no topic needs one.
package struct IdleSigns: Hashable, Sendable {
  private let interval: Duration
  /// The time of the next sign of life; nil while a connection shows that the session is alive.
  package private(set) var nextAt: Duration?

  package init(interval: Duration) { self.interval = interval }

  /// Starts or ends the signs of life. Called at each event of the session.
  package mutating func update(isNeeded: Bool, at now: Duration) { nextAt = isNeeded ? nextAt ?? now + interval : nil }

  /// Returns true if a sign of life is due. The next one follows after the interval if it is still needed.
  package mutating func isDue(at now: Duration) -> Bool {
    guard let time = nextAt, now >= time else { return false }
    nextAt = nil
    return true
  }
}
