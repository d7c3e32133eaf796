package import OddsModel

/// The offsets of the topics that a book publishes in one term. A value: time comes in as an argument.
package struct PublishedTopics: Sendable {
  private struct Position {
    var last: UInt64
    var sent: Duration
  }

  private var positions: [Topic: Position] = [:]
  /// The greatest offset given to any message.
  private var highest: UInt64

  package init(_ identity: BookIdentity) { highest = identity.offset }

  package var count: Int { positions.count }

  /// The offset of the last message of a topic; nil if it is not open.
  package func last(_ topic: Topic) -> UInt64? { positions[topic]?.last }

  /// Opens a topic. Its offsets begin after all that were given in this term, so that those of a topic that was closed
  /// meanwhile never come twice.
  package mutating func open(_ topic: Topic, now: Duration) {
    highest += 1
    positions[topic] = Position(last: highest, sent: now)
  }

  package mutating func close(_ topic: Topic) { positions[topic] = nil }

  /// Numbers messages of a topic. Returns the offset of the first one; nil if the topic is not open.
  package mutating func append(_ count: Int, to topic: Topic, now: Duration) -> UInt64? {
    guard let last = positions[topic]?.last else { return nil }
    positions[topic] = Position(last: last + UInt64(count), sent: now)
    highest = max(highest, last + UInt64(count))
    return last + 1
  }

  /// Returns the topics that had no message for `interval`, with the offsets of their next ones.
  package mutating func quiet(for interval: Duration, now: Duration) -> [(topic: Topic, next: UInt64)] {
    let quiet = positions.filter { now - $0.value.sent >= interval }
    for topic in quiet.keys { positions[topic]!.sent = now }
    return quiet.map { ($0.key, $0.value.last + 1) }
  }
}
