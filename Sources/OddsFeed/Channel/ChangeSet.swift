public import OddsModel

/// The merged changes of a channel since its reader last asked: each changed match once, in its newest state.
public struct ChangeSet: Sendable {
  /// Matches that are new or differ from those last given to the reader, in no particular order.
  public var changed: [Match] = []
  /// The freshness of each match in `changed`, in the same order: its trading status (`live`, `locked`, `suspended` or
  /// `closed`) and the time since which it applies. A row is never fresher than its channel: show
  /// the worse of the two (`Freshness.worse(_:)`).
  public var changedFreshness: [Freshness] = []
  /// Matches that were removed.
  public var removed: [MatchID] = []
  /// True if further changes remain for the next call.
  public var hasMore = false
  /// The counts of everything that the channel has received since it was created.
  public var received = FeedCounters()
  /// The number of changes, since the reader was created, that were replaced by a later change of the same match before
  /// the reader asked.
  public var conflated = 0
  /// The state of the connection to the feed.
  public var connection = ConnectionState.idle
  /// The freshness of the channel's prices, including those that did not change.
  public var freshness = Freshness(.locked, since: 0)
  /// The time of the last sign of life of a connection whose prices are delayed, in milliseconds since 1970; nil
  /// otherwise.
  public var lastSign: Int64?
  /// True once the channel's first dump is applied. Until then, a channel without matches is unknown, not empty.
  public var isLoaded = false
  /// The state of the feed's answer to the subscription.
  public var topic = TopicState.requested
  /// The source of the channel's data.
  public var source = DataSource.none
  /// The reason why the last request to the REST interface failed; nil if it succeeded or there was none.
  public var apiProblem: FeedError?

  init(_ status: ChannelStatus, conflated: Int) {
    received = status.received
    connection = status.connection
    freshness = status.freshness
    lastSign = status.lastSign
    isLoaded = status.isLoaded
    topic = status.topic
    source = status.source
    apiProblem = status.apiProblem
    self.conflated = conflated
  }
}
