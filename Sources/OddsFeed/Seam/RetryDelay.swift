/// The delays between attempts to connect (Reconnecting.md).
package enum RetryDelay {
  private static let minDelay = Duration.milliseconds(200)
  private static let maxDelay = Duration.seconds(30)
  /// The duration after which a connection counts as a success.
  package static let stableAfter = Duration.seconds(2)

  /// Returns the delay before a retry, counted from 0, with full jitter: a random part of a bound that doubles, from
  /// 0.2 s to 30 s. `chance` is a random number from 0 to 1.
  package static func delay(beforeRetry number: Int, chance: Double) -> Duration {
    min(maxDelay, minDelay * (1 << min(number, 10))) * chance
  }

  /// Returns the delay before a retry that the peer wants after `time` at the earliest. It is then up to a fifth
  /// longer, so that not all clients come at once.
  package static func delay(beforeRetry number: Int, atLeast time: Duration, chance: Double) -> Duration {
    max(delay(beforeRetry: number, chance: chance), time * (1 + chance / 5))
  }
}
