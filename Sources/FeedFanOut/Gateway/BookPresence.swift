/// The book that a gateway follows, by its heartbeats. A value: time comes in as an argument.
package struct BookPresence: Sendable {
  package enum Change: Hashable, Sendable {
    /// A book is heard: the first one, or one after a silence.
    case found(BookIdentity)
    /// A newer book took over from the one before.
    case replaced(BookIdentity)
    /// No book was heard for the timeout.
    case lost
    /// Messages from NATS are late, or what they bring was already old. The book counts as lost until that is over.
    case late
  }

  /// The newest term heard of, now or before; nil before the first.
  package private(set) var identity: BookIdentity?
  /// True while heartbeats arrive in time.
  package private(set) var isPresent = false
  private var isLate = false
  private var heard = Duration.zero
  /// The uptime at which the newest data that has arrived from this book was up to date; nil before its first sign of
  /// life.
  private var dataTime: Duration?
  private let timeout: Duration
  private let maxAge: Duration

  /// - Parameters:
  ///   - timeout: The time without a sign of life after which the book is lost.
  ///   - maxAge: The age at which the data that has arrived is too old.
  package init(timeout: Duration, maxAge: Duration) {
    self.timeout = timeout
    self.maxAge = maxAge
  }

  /// Notes a sign of life. One of an older term is ignored.
  ///
  /// - Parameter age: The age on arrival of the data that came before this sign of life: its age at the book, plus the
  ///   time that messages take.
  package mutating func receive(_ identity: BookIdentity, age: Duration = .zero, now: Duration) -> Change? {
    if let known = self.identity, identity < known { return nil }
    let isNewer = self.identity != identity
    let wasPresent = isPresent
    self.identity = identity
    heard = now
    if isNewer { dataTime = nil }
    dataTime = max(dataTime ?? now - age, now - age)
    // NB: Only `advance` loses a book whose data is too old: newer signs of life may have waited with this one.
    if isLate || !wasPresent && self.age(now: now) >= maxAge { return nil }
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
    let isLost = now - heard >= timeout
    guard isPresent, isLost || age(now: now) >= maxAge else { return nil }
    isPresent = false
    return isLost ? .lost : .late
  }

  /// Returns the age at `now` of the newest data that has arrived; zero before the first sign of life.
  package func age(now: Duration) -> Duration { dataTime.map { now - $0 } ?? .zero }

  /// Returns the time since the last sign of life; nil before the first.
  package func silence(now: Duration) -> Duration? { identity == nil ? nil : now - heard }
}
