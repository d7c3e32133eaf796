public import OddsFeed

/// What changed in a channel since its reader last asked, merged: the newest of each match, once.
public struct ChangeSet: Sendable {
  /// Matches that are new or differ from what the reader was last given, in no order.
  public var changed: [Match] = []
  /// What each of `changed`, in the same order, says of its own prices: `live`, `suspended` or `closed`, and since when it
  /// was received. A row is no better than its channel: show `staleness.worse(own)`.
  public var changedStaleness: [Freshness] = []
  /// Matches that are gone.
  public var removed: [MatchID] = []
  /// More has changed, and was left for the next time.
  public var hasMore = false
  /// What the channel has received since it began.
  public var received = FeedCounters()
  /// How many changes of a match were merged into a later one of the same match before this reader asked, since
  /// the reader began.
  public var conflated = 0
  /// How the line to the feed is.
  public var connection = ConnectionState.idle
  /// How far the channel's prices can be trusted, those that did not change too.
  public var staleness = Freshness(.locked, since: 0)
  /// When a line whose prices are delayed last gave a sign of life, in milliseconds since 1970; nil otherwise.
  public var lastSign: Int64?
  /// False until the channel's first dump is in: it is not known yet, rather than empty.
  public var isLoaded = false
  /// How the feed answers for the channel's topic.
  public var topic = TopicState.requested
  /// Where what the channel holds comes from.
  public var source = DataSource.none
  /// Why the last question to the REST interface had no answer; nil where it had one, or none was asked.
  public var apiProblem: FeedError?

  init(_ status: ChannelStatus, conflated: Int) {
    received = status.received
    connection = status.connection
    staleness = status.staleness
    lastSign = status.lastSign
    isLoaded = status.isLoaded
    topic = status.topic
    source = status.source
    apiProblem = status.apiProblem
    self.conflated = conflated
  }
}

/// The board's order: start time ascending, matches without one last, id as tie-break.
public func precedes(_ left: Match, _ right: Match) -> Bool {
  let (a, b) = (left.startTime ?? .max, right.startTime ?? .max)
  return a != b ? a < b : left.id < right.id
}
