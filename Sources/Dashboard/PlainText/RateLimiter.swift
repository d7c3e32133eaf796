/// How many lines may be written: so many a second, and at most as many at once.
struct RateLimiter: Hashable, Sendable {
  private let step: Duration
  private let most: Int
  /// When the budget would be full, as if each line took its step.
  private var fullAt = Duration.zero

  init(perSecond: Int) {
    most = perSecond
    step = .seconds(1) / perSecond
  }

  /// Uptime from which on a line may be written.
  var next: Duration { fullAt - step * (most - 1) }

  mutating func spend(at now: Duration) { fullAt = max(fullAt, now) + step }
}
