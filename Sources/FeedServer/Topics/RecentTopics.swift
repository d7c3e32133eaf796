import OddsModel

/// What was last learnt about topics, for a time.
struct RecentTopics<Value> {
  /// The number of kept values at which the old ones are dropped; all of them if none is old.
  static var maxCount: Int { 1024 }

  private var values: [Topic: (value: Value, until: Duration)] = [:]

  mutating func add(_ value: Value, of topic: Topic, until: Duration, now: Duration) {
    if values.count >= Self.maxCount { values = values.filter { $0.value.until > now } }
    if values.count >= Self.maxCount { removeAll() }
    values[topic] = (value, until)
  }

  func value(of topic: Topic, now: Duration) -> Value? {
    guard let kept = values[topic], kept.until > now else { return nil }
    return kept.value
  }

  mutating func remove(_ topic: Topic) { values[topic] = nil }

  mutating func removeAll() { values = [:] }
}
