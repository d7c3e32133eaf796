import OddsModel

/// The topics whose dump seems to end the connection to the upstream feed, for example because it is too long.
///
/// All topics are requested again after a loss, so such a dump would end each connection.
struct DumpLosses {
  static let error = TopicError.refused("its dump ends the connection")

  /// The time for which a loss is remembered, and for which a topic is refused after its second loss.
  let age: Duration
  /// The topics that have been suspected once, with the times.
  private var suspects: [Topic: Duration] = [:]
  private var refusals = RecentRefusals()

  init(age: Duration) { self.age = age }

  /// Records a loss of the connection while the dump of a topic was awaited. Returns true if the topic is refused from
  /// now on, because this is its second loss.
  mutating func add(_ topic: Topic, now: Duration) -> Bool {
    suspects = suspects.filter { now - $0.value < age }
    guard suspects.removeValue(forKey: topic) != nil else {
      suspects[topic] = now
      return false
    }
    refusals.add(Self.error, of: topic, until: now + age, now: now)
    return true
  }

  /// Forgets a loss, because a dump of the topic has arrived.
  mutating func dumpArrived(_ topic: Topic) { suspects[topic] = nil }

  func error(of topic: Topic, now: Duration) -> TopicError? { refusals.error(of: topic, now: now) }
}
