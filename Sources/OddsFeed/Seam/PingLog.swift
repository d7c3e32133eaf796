/// The pings of a connection that are not answered yet. They show for how long data waits on its way (Freshness.md).
///
/// Answers and messages arrive in the order in which the server sent them. A message that arrives after the answer to a
/// ping was sent after that ping. One that arrives before the answer can be older than the ping.
package struct PingLog: Hashable, Sendable {
  private struct Ping: Hashable, Sendable {
    let number: UInt64
    /// The time at which the ping was to be sent. It is sent later if the process was paused.
    let due: Duration
    let sent: Duration
  }

  /// The time for which an answer is awaited, from the last answer or the first ping without one.
  private static let answerTimeout = Duration.seconds(120)
  private static let maxPending = 32

  /// The time between two pings.
  private let interval: Duration
  /// True if a connection whose server has never answered does not work. Otherwise it is not known how old its data is.
  private let requiresAnswers: Bool
  /// The time at which the next ping is due.
  package private(set) var nextAt: Duration
  private var lastNumber: UInt64 = 0
  /// The number of answers without a number.
  private var answerCount: UInt64 = 0
  /// The pings without an answer, oldest first.
  private var pending: [Ping] = []
  /// The time between the last answered ping and its answer.
  private var roundTrip = Duration.zero
  /// The time at which the last answered ping was sent, or the connection was opened. Everything that the server sent
  /// before has arrived.
  package private(set) var completeUntil: Duration
  /// The time at which an answer is no longer awaited; nil if there is no ping without an answer.
  private var answerBy: Duration?
  private var hasAnswered = false
  /// False if the server has never answered a ping within `answerTimeout`: it is not known how old its data is.
  package private(set) var isAwaited: Bool

  /// Creates the log of a connection that is opened now. The first ping is due after the interval.
  package init(interval: Duration, requiresAnswers: Bool, isAwaited: Bool = true, at now: Duration) {
    self.interval = interval
    self.requiresAnswers = requiresAnswers
    nextAt = now + interval
    completeUntil = now
    self.isAwaited = isAwaited
  }

  /// Records a ping that is sent now. Returns its number.
  package mutating func ping(at now: Duration) -> UInt64 {
    lastNumber += 1
    // NB: The oldest ping stays, because it shows the delay.
    if pending.count == Self.maxPending { pending.remove(at: 1) }
    pending.append(Ping(number: lastNumber, due: nextAt, sent: now))
    if isAwaited { answerBy = answerBy ?? now + Self.answerTimeout }
    nextAt = now + interval
    return lastNumber
  }

  /// Records the answer to a ping. It answers earlier pings too (RFC 6455, 5.5.3). A number that was not sent, or nil,
  /// is no answer. Returns true if it answers a ping.
  package mutating func answer(_ number: UInt64?, at now: Duration) -> Bool {
    guard let number, number <= lastNumber else { return false }
    let answered = pending.prefix { $0.number <= number }
    guard let ping = answered.last else { return false }
    isAwaited = true
    hasAnswered = true
    roundTrip = now - ping.sent
    completeUntil = ping.sent
    pending.removeFirst(answered.count)
    answerBy = pending.isEmpty ? nil : now + Self.answerTimeout
    return true
  }

  /// Records an answer without a number, of a server that answers each ping once. Without a ping it has no effect.
  package mutating func answerNext(at now: Duration) {
    guard answerCount < lastNumber else { return }
    answerCount += 1
    let end = answerBy
    // NB: After a lost answer all further ones seem to be late. So late answers do not prolong the wait, and the
    // connection is replaced.
    if answer(answerCount, at: now), roundTrip >= interval * 2, !pending.isEmpty { answerBy = end }
  }

  /// Records a pause of the reader, in which no answer can be seen.
  package mutating func unread(at now: Duration) { if answerBy != nil { answerBy = now + Self.answerTimeout } }

  /// Ends the wait for an answer when its time is over. Returns true if the connection does not work: the server has
  /// answered pings before, or is required to.
  package mutating func expire(at now: Duration) -> Bool {
    guard let end = answerBy, now >= end else { return false }
    // After a pause of the process, answers may wait to be read.
    if now - nextAt >= interval {
      answerBy = now + Self.answerTimeout
      return false
    }
    if hasAnswered || requiresAnswers { return true }
    isAwaited = false
    answerBy = nil
    return false
  }

  /// The shortest delay of data that leaves the prices delayed.
  private var slowDelay: Duration { SilenceLimits(heartbeat: interval).delayed ?? .zero }

  /// True if data that arrives now may have waited so long that the prices stay delayed.
  package func isSlow(at now: Duration) -> Bool { delay(at: now) >= slowDelay }

  /// Returns the time for which data that arrives now may have waited on its way, without the interval between two
  /// pings.
  package func delay(at now: Duration) -> Duration {
    guard isAwaited else { return slowDelay }
    // With a constant delay, the next ping is younger than that when the answer arrives. So long round trips count too.
    let lastDelay = roundTrip < slowDelay ? Duration.zero : roundTrip
    return max(Duration.zero, now - (pending.first?.due ?? nextAt), lastDelay)
  }
}
