import NIOCore

/// A rate limit on the messages of a client: a token bucket, plus one free answer per invocation or ping sent to the client.
struct TokenBucket {
  private let rate: Double
  private let burst: Double
  private var left: Double
  /// The number of invocations and pings that the client has not answered yet.
  private var owed = 0
  private var counted: NIODeadline

  init(limits: ServerLimits, now: NIODeadline) {
    rate = limits.requestRate
    burst = limits.requestBurst
    left = burst
    counted = now
  }

  /// Allows one free answer for each invocation or ping sent.
  mutating func sent(_ count: Int) { owed += count }

  /// Counts a message. Returns false if it exceeds the limit.
  mutating func consume(isAnswer: Bool, now: NIODeadline) -> Bool {
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
