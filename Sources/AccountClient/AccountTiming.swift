/// The times of the account stream (FEED.md §6).
enum AccountTiming {
  /// How many retries follow a loss.
  static let mostRetries = 6

  /// The delay before a retry, the first of which is number 0: min(0.2·2ⁿ, 30) seconds, exactly.
  static func delay(beforeRetry number: Int) -> Duration { min(.milliseconds(200 << min(number, 10)), .seconds(30)) }
}
