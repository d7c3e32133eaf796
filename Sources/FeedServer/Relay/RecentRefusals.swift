import OddsModel

/// The topics that the upstream feed has refused of late, so that asking for them again costs it nothing.
struct RecentRefusals {
  /// The number of kept refusals at which the old ones are dropped; all of them if none is old.
  static let maxCount = 1024

  private var refusals: [Topic: (error: TopicError, until: Duration)] = [:]

  mutating func add(_ error: TopicError, of topic: Topic, until: Duration, now: Duration) {
    if refusals.count >= Self.maxCount { refusals = refusals.filter { $0.value.until > now } }
    if refusals.count >= Self.maxCount { removeAll() }
    refusals[topic] = (error, until)
  }

  func error(of topic: Topic, now: Duration) -> TopicError? {
    guard let refusal = refusals[topic], refusal.until > now else { return nil }
    return refusal.error
  }

  mutating func removeAll() { refusals = [:] }
}
