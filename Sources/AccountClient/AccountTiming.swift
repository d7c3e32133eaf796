/// The delays and timeouts of the account (Reconnecting.md).
enum AccountTiming {
  /// The largest number of retries after a loss.
  static let maxRetries = 6
  /// The longest time to wait for the feed to acknowledge a logout.
  static let closeTimeout = Duration.seconds(2)

  /// Returns the delay before a retry, numbered from 0: min(0.2·2ⁿ, 30) seconds, without jitter.
  static func delay(beforeRetry number: Int) -> Duration { min(.milliseconds(200 << min(number, 10)), .seconds(30)) }

  /// Returns the delay from the issue of a token to its renewal: four fifths of its lifetime `life`, in milliseconds.
  static func renewal(ofLife life: Int64) -> Duration {
    // NB: if the local clock is ahead of the feed's, a new token can appear to be expired.
    life <= 0 ? .seconds(30) : max(.seconds(1), .milliseconds(life) * 0.8)
  }

  /// Returns the delay before a failed renewal is retried, from 1 to 30 seconds: a quarter of the remaining lifetime
  /// `left`, in milliseconds.
  static func renewalRetry(left: Int64) -> Duration {
    min(.seconds(30), max(.seconds(1), .milliseconds(max(0, left)) / 4))
  }
}
