import NIOCore

/// A rate limit on the messages of a client: a token bucket, plus one free answer per invocation or ping sent to the
/// client.
///
/// An answer is free for at least `answerTime`. A client that answers later, or not at all, cannot save free ones up.
struct TokenBucket {
  static let answerTime = TimeAmount.seconds(60)

  private let rate: Double
  private let burst: Double
  private var left: Double
  /// The number of invocations and pings of the current period that the client has not answered yet. A period lasts for
  /// at least `answerTime`.
  private var owed = 0
  /// The same, of the period before.
  private var owedBefore = 0
  private var periodEnd: NIODeadline
  private var counted: NIODeadline

  init(limits: ServerLimits, now: NIODeadline) {
    rate = limits.requestRate
    burst = limits.requestBurst
    left = burst
    periodEnd = now + Self.answerTime
    counted = now
  }

  /// Allows one free answer for each invocation or ping sent.
  mutating func sent(_ count: Int, now: NIODeadline) {
    if now >= periodEnd {
      owedBefore = owed
      owed = 0
      periodEnd = now + Self.answerTime
    }
    owed += count
  }

  /// Counts a message. Returns false if it exceeds the limit.
  mutating func consume(isAnswer: Bool, now: NIODeadline) -> Bool {
    if isAnswer, owedBefore > 0 {
      owedBefore -= 1
      return true
    }
    if isAnswer, owed > 0 {
      owed -= 1
      return true
    }
    left = min(burst, left + rate * Double((now - counted).nanoseconds) / 1e9)
    counted = now
    guard left >= 1 else { return false }
    left -= 1
    return true
  }
}
