public import OddsFeed

/// What changed in a channel since its reader last asked, merged: the newest of each match, once.
public struct ChangeSet: Sendable {
  /// Matches that are new or differ from what the reader was last given, in no order.
  public var changed: [Match] = []
  /// Matches that are gone.
  public var removed: [MatchID] = []
  /// What the channel has received since it began.
  public var received = FeedCounters()
  /// How many changes of a match were merged into a later one of the same match before this reader asked, since
  /// the reader began.
  public var conflated = 0
  /// How the line to the feed is.
  public var connection = ConnectionState.idle
  /// False until the channel's first dump is in: it is not known yet, rather than empty.
  public var isLoaded = false
}

/// The board's order: start time ascending, matches without one last, id as tie-break.
public func precedes(_ left: Match, _ right: Match) -> Bool {
  let (a, b) = (left.startTime ?? .max, right.startTime ?? .max)
  return a != b ? a < b : left.id < right.id
}
