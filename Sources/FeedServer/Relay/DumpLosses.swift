import OddsModel

/// The topics whose dump seems to end the connection to the upstream feed, for example because it is too long.
///
/// All topics are requested again after a loss, so such a dump would end each connection.
///
/// A loss counts only if the connection had worked before: otherwise an upstream server that fails at once would make
/// all topics suspect. If it had not, a topic that no client has yet is not requested before a connection has worked,
/// so that the next loss counts.
struct DumpLosses {
  static let error = TopicError.refused("its dump ends the connection to the upstream feed")

  /// The time for which a loss is remembered, and for which a topic is refused after its second loss.
  let age: Duration
  /// The topics that have been suspected once, with the times.
  private var suspects: [Topic: Duration] = [:]
  private var refusals = RecentRefusals()
  /// True once something has arrived on the connection.
  private var hasWorked = false
  /// The topics that are not requested before a connection has worked.
  private var withheld: Set<Topic> = []

  init(age: Duration) { self.age = age }

  /// Notes a new connection.
  mutating func connectionBegan() { hasWorked = false }

  /// Notes that a frame or the answer to a ping has arrived on the connection.
  mutating func connectionWorked() {
    if hasWorked { return }
    hasWorked = true
    withheld = []
  }

  /// Handles a loss of the connection while the dump of a topic was awaited. Returns the error with which the topic
  /// ends; nil if it goes on.
  ///
  /// - Parameter isOpen: True if clients have the topic. Then it goes on after a connection that had not worked.
  mutating func handleLoss(of topic: Topic, isOpen: Bool, now: Duration) -> TopicError? {
    suspects = suspects.filter { now - $0.value < age }
    if !hasWorked {
      if isOpen { return nil }
      withheld.insert(topic)
      return .lost
    }
    guard suspects.removeValue(forKey: topic) != nil else {
      suspects[topic] = now
      return nil
    }
    refusals.add(Self.error, of: topic, until: now + age, now: now)
    return Self.error
  }

  /// Forgets a loss, because a dump of the topic has arrived.
  mutating func dumpArrived(_ topic: Topic) { suspects[topic] = nil }

  func error(of topic: Topic, now: Duration) -> TopicError? {
    withheld.contains(topic) ? .lost : refusals.error(of: topic, now: now)
  }
}
