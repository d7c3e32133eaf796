import DequeModule
public import OddsFeed
import Platform

/// A match as readers are given it, with what it says of its own prices.
struct ShownMatch: Sendable {
  var match: Match
  var own: Freshness
}

/// The state of a channel apart from its matches. Times are in milliseconds since 1970.
package struct ChannelStatus: Sendable {
  var received = FeedCounters()
  package var connection = ConnectionState.idle
  package var staleness = Freshness(.locked, since: 0)
  var lastSign: Int64?
  var isLoaded = false
  package var topic = TopicState.requested
  var source = DataSource.none
  var apiProblem: FeedError?
}

/// What one reader of a channel has not taken yet: the newest of each match, so it is bounded by the number of
/// matches, however slow the reader is. Dropping the reader ends it.
///
/// The store posts, the reader takes; neither waits for the other.
public final class ChannelReader: Sendable {
  fileprivate struct Box {
    /// Nil for a match that is gone.
    var waiting: [MatchID: ShownMatch?] = [:]
    /// The matches that wait, in the order in which they began to; some have been taken since.
    var queue = Deque<MatchID>()
    /// What the reader was last given: it hears only of what differs from that.
    var given: [MatchID: Match] = [:]
    var status = ChannelStatus()
    /// Prices could be trusted when the reader last took something.
    var wasTrusted = false
    var conflated = 0
    var isPending = false
    /// The reader was told so, and has not looked since.
    var hasRung = false
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
  public func take() -> ChangeSet? { take(first: [], most: .max) }

  /// What changed of the matches that are wanted, and of at most so many others, those that wait longest; nil where
  /// nothing did. `hasMore` says that others were left: they come with the next calls, and nothing rings for them.
  ///
  /// Each match is as one whole message left it, but not all of them as the same one: between matches nothing holds that
  /// could be seen to be broken. Where it does matter nothing is left: when prices become trusted that were not, the
  /// ones from before are dead.
  public func take(first wanted: [MatchID], most: Int) -> ChangeSet? {
    box.withLock { box in
      guard box.isPending else { return nil }
      let isTrusted = box.status.staleness.grade < .locked
      var changes = ChangeSet(box.status, conflated: box.conflated)
      if box.waiting.count <= most || isTrusted != box.wasTrusted {
        box.takeAll(into: &changes)
      } else {
        box.take(wanted, most: most, into: &changes)
      }
      box.wasTrusted = isTrusted
      box.isPending = !box.waiting.isEmpty
      box.hasRung = box.isPending
      changes.hasMore = box.isPending
      return changes
    }
  }

  /// How the channel stands, without taking anything; what comes then rings again. It is loaded when the stream's dump
  /// is in, not what stands in for it.
  package func look() -> (isLoaded: Bool, topic: TopicState) {
    box.withLock { box in
      box.hasRung = false
      return (box.status.isLoaded && box.status.source == .stream, box.status.topic)
    }
  }

  /// A match as it was last taken; nil where it was not, or is gone.
  package func given(_ id: MatchID) -> Match? { box.withLock { $0.given[id] } }

  /// Takes over the matches of those ids as they are now, nil for one that is gone, and how the channel stands; all at
  /// once, so that nobody takes half a message. Returns how many took the place of one that still waited.
  func post(_ ids: some Collection<MatchID>, _ status: ChannelStatus, match: (MatchID) -> ShownMatch?) -> Int {
    // Made before the lock is taken: the board takes it once a frame.
    let news = ids.map { ($0, match($0)) }
    let (isNews, conflated) = box.withLock { box in
      var conflated = 0
      for (id, match) in news {
        if box.waiting.updateValue(match, forKey: id) == nil { box.queue.append(id) } else { conflated += 1 }
      }
      box.conflated += conflated
      box.status = status
      defer { (box.isPending, box.hasRung) = (true, true) }
      return (!box.hasRung, conflated)
    }
    if isNews { onPending() }
    return conflated
  }
}

extension ChannelReader.Box {
  fileprivate mutating func takeAll(into changes: inout ChangeSet) {
    changes.changed.reserveCapacity(waiting.count)
    changes.changedStaleness.reserveCapacity(waiting.count)
    for (id, shown) in waiting { give(shown, id, into: &changes) }
    waiting.removeAll(keepingCapacity: true)
    queue.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func take(_ wanted: [MatchID], most: Int, into changes: inout ChangeSet) {
    for id in wanted { if let shown = waiting.removeValue(forKey: id) { give(shown, id, into: &changes) } }
    var count = 0
    // NB: what was wanted, and waits again, is in the queue twice: it is taken at the first place.
    while count < most, let id = queue.popFirst() {
      guard let shown = waiting.removeValue(forKey: id) else { continue }
      give(shown, id, into: &changes)
      count += 1
    }
    if waiting.isEmpty { queue.removeAll(keepingCapacity: true) }
  }

  private mutating func give(_ shown: ShownMatch?, _ id: MatchID, into changes: inout ChangeSet) {
    if let shown {
      if given.updateValue(shown.match, forKey: id) == shown.match { return }
      changes.changed.append(shown.match)
      changes.changedStaleness.append(shown.own)
    } else if given.removeValue(forKey: id) != nil {
      changes.removed.append(id)
    }
  }
}
