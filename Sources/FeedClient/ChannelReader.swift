import Locking
import OddsFeed

/// A match as readers are given it, with what it says of its own prices.
struct ShownMatch: Sendable {
  var match: Match
  var own: Staleness
}

/// How a channel stands, its matches aside.
struct ChannelStatus: Sendable {
  var received = FeedCounters()
  var connection = ConnectionState.idle
  var staleness = Staleness(.locked, since: 0)
  var lastSign: Int64?
  var isLoaded = false
  var topic = TopicState.requested
  var source = DataSource.none
  var apiProblem: FeedProblem?
}

/// What one reader of a channel has not taken yet: the newest of each match, so it is bounded by the number of
/// matches, however slow the reader is. Dropping the reader ends it.
///
/// The store posts, the reader takes; neither waits for the other.
public final class ChannelReader: Sendable {
  private struct Box {
    /// Nil for a match that is gone.
    var waiting: [MatchID: ShownMatch?] = [:]
    /// What the reader was last given: it hears only of what differs from that.
    var given: [MatchID: Match] = [:]
    var status = ChannelStatus()
    var conflated = 0
    var isPending = false
  }

  private let box = Locked(Box())
  private let onPending: @Sendable () -> Void
  /// Keeps the channel open as long as somebody reads it.
  private let share: ChannelSubscription?

  init(share: ChannelSubscription?, onPending: @escaping @Sendable () -> Void) {
    self.share = share
    self.onPending = onPending
  }

  /// What changed since the last call; nil where nothing did.
  public func take() -> ChangeSet? {
    box.withLock { box in
      guard box.isPending else { return nil }
      box.isPending = false
      var changes = ChangeSet(box.status, conflated: box.conflated)
      changes.changed.reserveCapacity(box.waiting.count)
      changes.changedStaleness.reserveCapacity(box.waiting.count)
      for (id, shown) in box.waiting {
        if let shown {
          if box.given.updateValue(shown.match, forKey: id) == shown.match { continue }
          changes.changed.append(shown.match)
          changes.changedStaleness.append(shown.own)
        } else if box.given.removeValue(forKey: id) != nil {
          changes.removed.append(id)
        }
      }
      box.waiting.removeAll(keepingCapacity: true)
      return changes
    }
  }

  /// Takes over the matches of those ids as they are now, nil for one that is gone, and how the channel stands; all at
  /// once, so that nobody takes half a message. Returns how many took the place of one that still waited.
  func post(_ ids: some Collection<MatchID>, _ status: ChannelStatus, match: (MatchID) -> ShownMatch?) -> Int {
    // Made before the lock is taken: the board takes it once a frame.
    let news = ids.map { ($0, match($0)) }
    let (isNews, conflated) = box.withLock { box in
      var conflated = 0
      for (id, match) in news where box.waiting.updateValue(match, forKey: id) != nil { conflated += 1 }
      box.conflated += conflated
      box.status = status
      defer { box.isPending = true }
      return (!box.isPending, conflated)
    }
    if isNews { onPending() }
    return conflated
  }
}
