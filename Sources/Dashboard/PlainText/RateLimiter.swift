/// A limit on the lines written: a number per second, and the same number at once.
struct RateLimiter: Hashable, Sendable {
  private let step: Duration
  private let most: Int
  /// The uptime at which the whole budget is available again.
  private var fullAt = Duration.zero

  init(perSecond: Int) {
    most = perSecond
    step = .seconds(1) / perSecond
  }

  /// The uptime from which a line may be written.
  var next: Duration { fullAt - step * (most - 1) }

  mutating func spend(at now: Duration) { fullAt = max(fullAt, now) + step }
}
