/// How a channel does: what it received, what became of it, what it costs.
public struct ChannelHealth: Hashable, Sendable {
  /// What the channel holds.
  public var topic: Topic
  /// What the channel has received since it began.
  public var received: FeedCounters
  /// Values that took the place of one that a reader or observer had not taken yet.
  public var conflated: Int
  /// What the channel's tables, texts and values take, in bytes; what waits, which is bounded, not counted.
  public var memory: Int
  /// From the last change that a message tells of to its receipt, in milliseconds: half of all messages came within
  /// that. Nil where no message told.
  public var lagMedian: Int?
  /// The same for 99 of 100 messages.
  public var lagP99: Int?
  /// How far the channel's prices can be trusted, and since when.
  public var staleness: Freshness
  /// Who takes changes of the whole channel.
  public var readers: Int
  /// Who observes one match, market or outcome.
  public var observers: Int

  /// The health of a channel that has received nothing, but for what is given.
  package init(
    topic: Topic, received: FeedCounters = FeedCounters(), conflated: Int = 0, memory: Int = 0, lagMedian: Int? = nil,
    lagP99: Int? = nil, staleness: Freshness, readers: Int = 0, observers: Int = 0
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
