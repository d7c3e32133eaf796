/// The book that a gateway follows, by its heartbeats. A value: time comes in as an argument.
package struct BookPresence: Sendable {
  package enum Change: Hashable, Sendable {
    /// A book is heard: the first one, or one after a silence.
    case found(BookIdentity)
    /// A newer book took over from the one before.
    case replaced(BookIdentity)
    /// No book was heard for the timeout.
    case lost
    /// Messages from NATS are late. The book counts as lost until that is over.
    case late
  }

  /// The newest term heard of, now or before; nil before the first.
  package private(set) var identity: BookIdentity?
  /// True while heartbeats arrive in time.
  package private(set) var isPresent = false
  private var isLate = false
  private var heard = Duration.zero
  private let timeout: Duration

  package init(timeout: Duration) { self.timeout = timeout }

  /// Notes a sign of life. One of an older term is ignored.
  package mutating func receive(_ identity: BookIdentity, now: Duration) -> Change? {
    if let known = self.identity, identity < known { return nil }
    let isNewer = self.identity != identity
    let wasPresent = isPresent
    self.identity = identity
    heard = now
    if isLate { return nil }
    isPresent = true
    if !wasPresent { return .found(identity) }
    return isNewer ? .replaced(identity) : nil
  }

  /// Notes that a term ends. The book is lost after `grace`, unless another one is heard.
  package mutating func end(_ identity: BookIdentity, grace: Duration, now: Duration) {
    if identity == self.identity { heard = min(heard, now - timeout + grace) }
  }

  /// Notes whether messages from NATS are late. Once they are not any more, the next sign of life finds the book again.
  package mutating func setLate(_ isLate: Bool) -> Change? {
    self.isLate = isLate
    guard isLate, isPresent else { return nil }
    isPresent = false
    return .late
  }

  /// Notes that time has passed.
  package mutating func advance(to now: Duration) -> Change? {
    guard isPresent, now - heard >= timeout else { return nil }
    isPresent = false
    return .lost
  }

  /// The time since the last sign of life; nil before the first.
  package func silence(now: Duration) -> Duration? { identity == nil ? nil : now - heard }
}
