import Locking
import OddsFeed

/// What one reader of a channel has not taken yet: the newest of each match, so it is bounded by the number of
/// matches, however slow the reader is. Dropping the reader ends it.
///
/// The store posts, the reader takes; neither waits for the other.
public final class ChannelReader: Sendable {
  private struct Box {
    /// Nil for a match that is gone.
    var waiting: [MatchID: Match?] = [:]
    /// What the reader was last given: it hears only of what differs from that.
    var given: [MatchID: Match] = [:]
    var latest = ChangeSet()
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
      var changes = box.latest
      changes.changed.reserveCapacity(box.waiting.count)
      for (id, match) in box.waiting {
        if let match {
          if box.given.updateValue(match, forKey: id) != match { changes.changed.append(match) }
        } else if box.given.removeValue(forKey: id) != nil {
          changes.removed.append(id)
        }
      }
      box.waiting.removeAll(keepingCapacity: true)
      return changes
    }
  }

  /// Takes over the matches of those ids as they are now, nil for one that is gone, and how the channel stands; all at
  /// once, so that nobody takes half a message.
  func post(
    _ ids: some Collection<MatchID>, _ received: FeedCounters, _ connection: ConnectionState, isLoaded: Bool,
    match: (MatchID) -> Match?
  ) {
    let isNews = box.withLock { box in
      for id in ids where box.waiting.updateValue(match(id), forKey: id) != nil { box.latest.conflated += 1 }
      box.latest.received = received
      box.latest.connection = connection
      box.latest.isLoaded = isLoaded
      defer { box.isPending = true }
      return !box.isPending
    }
    if isNews { onPending() }
  }
}
