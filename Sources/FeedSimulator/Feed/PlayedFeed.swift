package import OddsModel

/// A feed that a server can play: the simulated book or a recording. A value type: its owner advances the time.
package protocol PlayedFeed: Sendable {
  /// The interval between calls of `advance(to:)`, in nanoseconds.
  var interval: UInt64 { get }
  /// Opens a topic: `advance(to:)` returns its updates from now on. Returns false if the topic does not exist.
  mutating func open(_ topic: Topic) -> Bool
  mutating func close(_ topic: Topic)
  /// Returns the current INITIAL_DUMP of a topic, open or not; nil if the topic does not exist.
  mutating func dump(of topic: Topic) -> [UInt8]?
  /// Advances to an uptime in nanoseconds and returns the messages of the open topics, in order. An INITIAL_DUMP among
  /// them replaces the earlier state.
  mutating func advance(to uptime: UInt64) -> [TopicMessages]
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
