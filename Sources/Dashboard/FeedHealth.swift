package import OddsFeed

/// How the current channel does: what it received, what became of it, what it costs.
package struct FeedHealth: Hashable, Sendable {
  /// What the channel holds.
  package var topic: Topic
  /// What the channel has received since it began.
  package var received: FeedCounters
  /// Values that a newer one replaced before they were taken.
  package var conflated: Int
  /// What the channel's data takes, in bytes.
  package var memory: Int
  /// From a change to its receipt, in milliseconds, for half of all messages; nil where none told.
  package var lagMedian: Int?
  /// The same for 99 of 100 messages.
  package var lagP99: Int?
  /// How far the channel's prices can be trusted, and since when.
  package var staleness: Staleness
  /// Who takes changes of the whole channel.
  package var readers: Int
  /// Who observes a part of it.
  package var observers: Int

  /// The health of a channel that has received nothing, but for what is given.
  package init(
    topic: Topic, received: FeedCounters = FeedCounters(), conflated: Int = 0, memory: Int = 0, lagMedian: Int? = nil,
    lagP99: Int? = nil, staleness: Staleness, readers: Int = 0, observers: Int = 0
  ) {
    self.topic = topic
    self.received = received
    self.conflated = conflated
    self.memory = memory
    self.lagMedian = lagMedian
    self.lagP99 = lagP99
    self.staleness = staleness
    self.readers = readers
    self.observers = observers
  }
}
