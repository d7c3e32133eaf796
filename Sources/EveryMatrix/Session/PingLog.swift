import OddsFeed

/// The pings of a connection that are not answered yet. They show for how long data waits on its way (Freshness.md).
///
/// Answers and messages arrive in the order in which the server sent them. A message that arrives after the answer to a
/// ping was sent after that ping. One that arrives before the answer can be older than the ping.
struct PingLog: Hashable {
  private struct Ping: Hashable {
    let number: UInt64
    /// The time at which the ping was to be sent. It is sent later if the process was paused.
    let due: Duration
    let sent: Duration
  }

  /// Messages and answers that waited for this time leave the prices delayed.
  static let maxDelay = SilenceLimits(heartbeat: SessionTiming.heartbeat).delayed ?? .zero
  /// The time for which an answer is awaited, from the last answer or the first ping without one.
  static let answerTimeout = Duration.seconds(120)
  private static let maxPending = 32

  /// The time at which the next ping is due.
  private(set) var nextAt: Duration
  private var lastNumber: UInt64 = 0
  /// The pings without an answer, oldest first.
  private var pending: [Ping] = []
  /// The time between the last answered ping and its answer.
  private var roundTrip = Duration.zero
  /// The time at which an answer is no longer awaited; nil if there is no ping without an answer.
  private var answerBy: Duration?
  private var hasAnswered = false
  /// False if the server has never answered a ping within `answerTimeout`: it is not known how old its data is.
  private(set) var isAwaited: Bool

  init(nextAt: Duration, isAwaited: Bool) {
    self.nextAt = nextAt
    self.isAwaited = isAwaited
  }

  /// Records a ping that is sent now. Returns its number.
  mutating func ping(at now: Duration) -> UInt64 {
    lastNumber += 1
    // NB: Not the oldest one, which shows the delay.
    if pending.count == Self.maxPending { pending.remove(at: 1) }
    pending.append(Ping(number: lastNumber, due: nextAt, sent: now))
    if isAwaited { answerBy = answerBy ?? now + Self.answerTimeout }
    nextAt = now + SessionTiming.heartbeat
    return lastNumber
  }

  /// Records the answer to a ping. It answers earlier pings too (RFC 6455, 5.5.3). A number that was not sent, or nil, is
  /// no answer. Returns true if it answers a ping.
  mutating func answer(_ number: UInt64?, at now: Duration) -> Bool {
    guard let number, number <= lastNumber else { return false }
    let answered = pending.prefix { $0.number <= number }
    guard let ping = answered.last else { return false }
    isAwaited = true
    hasAnswered = true
    roundTrip = now - ping.sent
    pending.removeFirst(answered.count)
    answerBy = pending.isEmpty ? nil : now + Self.answerTimeout
    return true
  }

  /// Records a pause of the reader, in which no answer can be seen.
  mutating func unread(at now: Duration) { if answerBy != nil { answerBy = now + Self.answerTimeout } }

  /// Ends the wait for an answer when its time is over. Returns true if the server has answered pings before: the
  /// connection does not work any more.
  mutating func expire(at now: Duration) -> Bool {
    guard let end = answerBy, now >= end else { return false }
    // After a pause of the process, answers may wait to be read.
    if now - nextAt >= SessionTiming.heartbeat {
      answerBy = now + Self.answerTimeout
      return false
    }
    if hasAnswered { return true }
    isAwaited = false
    answerBy = nil
    return false
  }

  /// Returns the time for which data that arrives now may have waited on its way, without the interval between two
  /// pings.
  func delay(at now: Duration) -> Duration {
    guard isAwaited else { return Self.maxDelay }
    // With a constant delay, the next ping is younger than that when the answer arrives. So long round trips count too.
    let lastDelay = roundTrip < Self.maxDelay ? Duration.zero : roundTrip
    return max(Duration.zero, now - (pending.first?.due ?? nextAt), lastDelay)
  }
}
