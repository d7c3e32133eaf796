package import OddsModel

/// A feed that a server can play: the simulated book or a recording. A value type: its owner advances the time.
package protocol PlayedFeed: Sendable {
  /// The interval between calls of `advance(to:)`, in nanoseconds.
  var interval: UInt64 { get }
  /// The rule that gives the form of a topic under which the feed opens it, so that equal requests share one topic. It
  /// does not change.
  var topicRule: TopicRule { get }
  /// Opens a canonical topic: `advance(to:)` returns its updates from now on. Serialises nothing. Returns false if the
  /// topic does not exist.
  mutating func open(_ topic: Topic) -> Bool
  mutating func close(_ topic: Topic)
  /// Returns a function that makes the current INITIAL_DUMP of a canonical topic; nil if the topic does not exist. An
  /// open topic exists. The function works on a copy of the state, so it can be called later and on any thread.
  mutating func dump(of topic: Topic) -> (@Sendable () -> [UInt8])?
  /// Advances to an uptime in nanoseconds and returns the messages of the open topics, in order. An INITIAL_DUMP among
  /// them replaces the earlier state: a feed that was not advanced for long skips that time instead of playing it.
  mutating func advance(to uptime: UInt64) -> [TopicMessages]
  /// The uptime at which the last message is due, in nanoseconds; nil if the feed does not end. It does not change.
  var end: UInt64? { get }
  /// True once `advance(to:)` has returned the last message. From then on the state is out of date.
  var hasEnded: Bool { get }
}

extension PlayedFeed {
  package var end: UInt64? { nil }
  package var hasEnded: Bool { false }
  package var topicRule: TopicRule { .verbatim }

  /// Returns the canonical form of a topic; nil if the feed never has the topic.
  package func canonical(_ topic: Topic) -> Topic? { topicRule.canonical(topic) }
}

/// Messages of one topic, in order.
package struct TopicMessages: Sendable {
  package let topic: Topic
  package let messages: [[UInt8]]

  package init(topic: Topic, messages: [[UInt8]]) {
    self.topic = topic
    self.messages = messages
  }
}
