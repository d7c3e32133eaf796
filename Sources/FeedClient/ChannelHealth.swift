public import OddsFeed

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
  public var staleness: Staleness
  /// Who takes changes of the whole channel.
  public var readers: Int
  /// Who observes one match, market or outcome.
  public var observers: Int
}

extension ChannelStore {
  /// How the channel does. Costs more than a change: ask once a second, not once a message.
  public var health: ChannelHealth {
    ChannelHealth(
      topic: topic, received: state.counters, conflated: conflated, memory: state.memory,
      lagMedian: state.lag(percentile: 50), lagP99: state.lag(percentile: 99), staleness: staleness,
      readers: readerCount, observers: observerCount)
  }
}
