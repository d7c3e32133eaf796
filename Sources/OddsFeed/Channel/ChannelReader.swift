import DequeModule
public import OddsModel
import Platform

/// A match as given to readers, with its own freshness.
struct ShownMatch: Sendable {
  var match: Match
  var status: Freshness
}

/// The state of a channel apart from its matches. Times are in milliseconds since 1970.
package struct ChannelStatus: Sendable {
  var received = FeedCounters()
  package var connection = ConnectionState.idle
  package var freshness = Freshness(.locked, since: 0)
  var lastSign: Int64?
  var isLoaded = false
  package var topic = TopicState.requested
  var source = DataSource.none
  var apiProblem: FeedError?
}

/// The pending changes of a channel for one reader.
///
/// Only the newest state of each match is stored, so the memory is bounded by the number of matches, however slow the
/// reader is. The store posts and the reader takes; neither waits for the other. Deallocating the reader ends it.
public final class ChannelReader: Sendable {
  fileprivate struct Box {
    /// The matches that are pending, by raw id; nil marks a match that was removed.
    var waiting: [UInt64: ShownMatch?] = [:]
    /// The raw ids of pending matches in the order in which they became pending. May contain ids that were taken since.
    var queue = Deque<UInt64>()
    /// The matches as last given to the reader, by raw id. Only differences from these are reported.
    var given: [UInt64: Match] = [:]
    var status = ChannelStatus()
    /// True if prices were trusted at the reader's last `drain`: it was known how old they were.
    var wasTrusted = false
    /// True if prices were not trusted at any time since then.
    var hadDoubt = false
    var conflated = 0
    var isPending = false
    /// True if `onPending` is not called for the next change: it was called and the reader has not looked since, or the
    /// last `drain` left changes.
    var hasRung = false
  }

  private let box = Locked(Box())
  private let onPending: @Sendable () -> Void
  /// Called when no further change can follow; may be called more than once.
  let onEnd: @Sendable () -> Void
  /// Keeps the channel open while the reader exists.
  let share: ChannelSubscription?

  package init(
    share: ChannelSubscription?, onPending: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.share = share
    self.onPending = onPending
    self.onEnd = onEnd
  }

  /// Returns the changes since the last call; nil if there are none.
  public func drain() -> ChangeSet? { drain(first: [], most: .max) }

  /// Returns the changes of the matches `wanted` and of at most `most` others, those pending longest first; nil if
  /// there are none. If `hasMore` is true, later calls return the rest, and `onPending` is not called for it.
  ///
  /// Each match is in the state that one whole message left it in, but two matches may reflect different messages: no
  /// invariant spans matches. When prices become trusted or cease to be trusted, all changes are returned regardless of
  /// `most`, because prices from before are no longer valid. The same holds if both happened since the last call.
  /// Prices are not trusted while they are locked or closed, and while the provider's own prices or its list of markets
  /// are out of date.
  public func drain(first wanted: @autoclosure () -> [MatchID], most: Int) -> ChangeSet? {
    box.withLock { box in
      guard box.isPending else { return nil }
      let isTrusted = box.status.freshness.hasKnownPrices
      var changes = ChangeSet(box.status, conflated: box.conflated)
      if box.waiting.count <= most || isTrusted != box.wasTrusted || isTrusted && box.hadDoubt {
        box.takeAll(into: &changes)
      } else {
        box.drain(wanted(), most: most, into: &changes)
      }
      box.wasTrusted = isTrusted
      box.hadDoubt = false
      box.isPending = !box.waiting.isEmpty
      box.hasRung = box.isPending
      changes.hasMore = box.isPending
      return changes
    }
  }

  /// Returns the state of the channel without taking any changes, and lets the next change call `onPending` again.
  /// `isLoaded` is true once the stream's own dump is applied; data from other sources does not count.
  package func look() -> (isLoaded: Bool, topic: TopicState) {
    box.withLock { box in
      box.hasRung = false
      return (box.status.isLoaded && box.status.source == .stream, box.status.topic)
    }
  }

  /// Returns a match as it was last taken; nil if it never was or is removed.
  package func given(_ id: MatchID) -> Match? { box.withLock { $0.given[id.raw] } }

  /// Stores the current state of the matches with the given ids, nil for one that was removed, and the channel's
  /// status, both under one lock, so that the reader never takes half a message. Returns the number of pending changes
  /// that were replaced.
  func post(_ ids: some Collection<MatchID>, _ status: ChannelStatus, match: (MatchID) -> ShownMatch?) -> Int {
    // Built before the lock is acquired, because the board acquires it once per frame.
    let news = ids.map { ($0.raw, match($0)) }
    let (isNews, conflated) = box.withLock { box in
      var conflated = 0
      for (id, match) in news {
        if box.waiting.updateValue(match, forKey: id) == nil { box.queue.append(id) } else { conflated += 1 }
      }
      box.conflated += conflated
      box.status = status
      if !status.freshness.hasKnownPrices { box.hadDoubt = true }
      defer {
        box.isPending = true
        box.hasRung = true
      }
      return (!box.hasRung, conflated)
    }
    if isNews { onPending() }
    return conflated
  }
}

extension ChannelReader.Box {
  fileprivate mutating func takeAll(into changes: inout ChangeSet) {
    changes.changed.reserveCapacity(waiting.count)
    changes.changedFreshness.reserveCapacity(waiting.count)
    for (id, shown) in waiting { give(shown, id, into: &changes) }
    waiting.removeAll(keepingCapacity: true)
    queue.removeAll(keepingCapacity: true)
  }

  fileprivate mutating func drain(_ wanted: [MatchID], most: Int, into changes: inout ChangeSet) {
    for id in wanted { if let shown = waiting.removeValue(forKey: id.raw) { give(shown, id.raw, into: &changes) } }
    var count = 0
    // NB: A wanted match that was taken and is pending again is in the queue twice. The earlier entry takes it.
    while count < most, let id = queue.popFirst() {
      guard let shown = waiting.removeValue(forKey: id) else { continue }
      give(shown, id, into: &changes)
      count += 1
    }
    if waiting.isEmpty { queue.removeAll(keepingCapacity: true) }
  }

  private mutating func give(_ shown: ShownMatch?, _ id: UInt64, into changes: inout ChangeSet) {
    if let shown {
      if given.updateValue(shown.match, forKey: id) == shown.match { return }
      changes.changed.append(shown.match)
      changes.changedFreshness.append(shown.status)
    } else if given.removeValue(forKey: id) != nil {
      changes.removed.append(MatchID(raw: id))
    }
  }
}
