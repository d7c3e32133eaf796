/// The times of the account (Reconnecting.md).
enum AccountTiming {
  /// How many retries follow a loss.
  static let mostRetries = 6
  /// What a feed may take to hear of a logout.
  static let closeTimeout = Duration.seconds(2)

  /// The delay before a retry, the first of which is number 0: min(0.2·2ⁿ, 30) seconds, exactly.
  static func delay(beforeRetry number: Int) -> Duration { min(.milliseconds(200 << min(number, 10)), .seconds(30)) }

  /// How long after it was given a token is renewed: at four fifths of its life, given in milliseconds.
  static func renewal(ofLife life: Int64) -> Duration {
    // NB: where our clock is ahead of the feed's, each new token looks as if its time were up.
    life <= 0 ? .seconds(30) : max(.seconds(1), .milliseconds(life) * 0.8)
  }

  /// The delay before a renewal that failed is tried again, with that much left, in milliseconds.
  static func renewalRetry(left: Int64) -> Duration {
    min(.seconds(30), max(.seconds(1), .milliseconds(max(0, left)) / 4))
  }
}

/// When something happens.
struct AccountMoment {
  /// Monotonic.
  var uptime: Duration
  /// Milliseconds since 1970.
  var wall: Int64

  /// The time of day after that, in milliseconds since 1970.
  func wall(after delay: Duration) -> Int64 { wall + Int64(delay / .milliseconds(1)) }
}
