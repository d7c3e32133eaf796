package import OddsFeed

/// What a server plays: the simulated book, or a recording. A value; whoever holds it decides when time passes.
package protocol PlayedFeed: Sendable {
  /// From one call of `advance` to the next, in nanoseconds.
  var interval: UInt64 { get }
  /// Begins a topic: from now on `advance` tells its updates. False where there is no such topic.
  mutating func open(_ topic: Topic) -> Bool
  /// Ends a topic.
  mutating func close(_ topic: Topic)
  /// The INITIAL_DUMP of a topic as it is now, open or not; nil where there is no such topic.
  mutating func dump(of topic: Topic) -> [UInt8]?
  /// Plays what is due at an uptime in nanoseconds: the messages of the open topics, in order. An INITIAL_DUMP among them
  /// replaces what was there.
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
