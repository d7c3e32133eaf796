/// The health of a channel: its counters, its memory, its latency and its freshness.
public struct ChannelHealth: Hashable, Sendable {
  /// The topic of the channel.
  public var topic: Topic
  /// The counters of received messages and records, since the channel began.
  public var received: FeedCounters
  /// The number of values replaced by a newer one before a reader or observer received them.
  public var conflated: Int
  /// The memory of the channel's tables, texts and values, in bytes. Pending records are bounded and not counted.
  public var memory: Int
  /// The median delay from the time of the last change in a message to the receipt of the message, in milliseconds, by
  /// the clocks of both machines. Nil if no message had such a time.
  public var lagMedian: Int?
  /// The 99th percentile of that delay, in milliseconds. Nil if no message had such a time.
  public var lagP99: Int?
  /// The freshness of the channel's prices, and the time since which it applies.
  public var freshness: Freshness
  /// The number of readers that receive changes of the whole channel.
  public var readers: Int
  /// The number of observers of a single match, market or outcome, or of the channel's freshness.
  public var observers: Int

  package init(
    topic: Topic, received: FeedCounters = FeedCounters(), conflated: Int = 0, memory: Int = 0, lagMedian: Int? = nil,
    lagP99: Int? = nil, freshness: Freshness, readers: Int = 0, observers: Int = 0
  ) {
    self.topic = topic
    self.received = received
    self.conflated = conflated
    self.memory = memory
    self.lagMedian = lagMedian
    self.lagP99 = lagP99
    self.freshness = freshness
    self.readers = readers
    self.observers = observers
  }
}
