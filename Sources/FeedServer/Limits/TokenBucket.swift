import NIOCore

/// How many messages a client may send yet: so many a second, some more at once, and one for each invocation it was sent.
struct TokenBucket {
  private let rate: Double
  private let burst: Double
  private var left: Double
  /// Answers to invocations that are to come.
  private var owed = 0
  private var counted: NIODeadline

  init(limits: ServerLimits, now: NIODeadline) {
    rate = limits.requestRate
    burst = limits.requestBurst
    left = burst
    counted = now
  }

  /// So many invocations were sent.
  mutating func sent(_ invocations: Int) { owed += invocations }

  /// Takes one message; false where it is too many.
  mutating func take(isAnswer: Bool, now: NIODeadline) -> Bool {
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
