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

  /// Data that may have waited for this time, or longer, is not a full sign of life.
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
  /// False if the server has never answered a ping within `answerTimeout`. Its pings say nothing about delays.
  private var isAwaited = true

  init(nextAt: Duration) { self.nextAt = nextAt }

  /// Records a ping that is sent now. Returns its number.
  mutating func ping(at now: Duration) -> UInt64 {
    lastNumber += 1
    if isAwaited {
      // NB: Not the oldest one, which shows the delay.
      if pending.count == Self.maxPending { pending.remove(at: 1) }
      pending.append(Ping(number: lastNumber, due: nextAt, sent: now))
      answerBy = answerBy ?? now + Self.answerTimeout
    }
    nextAt = now + SessionTiming.heartbeat
    return lastNumber
  }

  /// Records the answer to a ping. It answers earlier pings too (RFC 6455, 5.5.3). A number that was not sent, or nil, is
  /// no answer.
  mutating func answered(_ number: UInt64?, at now: Duration) {
    guard let number, number >= 1, number <= lastNumber else { return }
    isAwaited = true
    hasAnswered = true
    let answered = pending.prefix { $0.number <= number }
    guard let ping = answered.last else { return }
    roundTrip = now - ping.sent
    pending.removeFirst(answered.count)
    answerBy = pending.isEmpty ? nil : now + Self.answerTimeout
  }

  /// Records a pause of the reader, in which no answer can be seen.
  mutating func unread(at now: Duration) { if answerBy != nil { answerBy = now + Self.answerTimeout } }

  /// Ends the wait for an answer when its time is over. Returns true if the server has answered pings before: the
  /// connection does not work any more.
  mutating func expire(at now: Duration) -> Bool {
    guard let answerBy, now >= answerBy else { return false }
    if hasAnswered { return true }
    isAwaited = false
    pending = []
    self.answerBy = nil
    return false
  }

  /// Returns the time for which data that arrives now may have waited on its way, without the interval between two
  /// pings.
  func delay(at now: Duration) -> Duration {
    guard isAwaited else { return .zero }
    // With a constant delay, the next ping is younger than that when the answer arrives. So long round trips count too.
    let lastDelay = roundTrip < Self.maxDelay ? Duration.zero : roundTrip
    return max(Duration.zero, now - (pending.first?.due ?? nextAt), lastDelay)
  }
}
