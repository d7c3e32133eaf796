import OddsFeed
public import OddsModel

/// A subscription to matches. It ends when it is cancelled or deallocated.
public final class OddsSubscription: Sendable {
  private let channel: ChannelSubscription

  init(_ channel: ChannelSubscription) { self.channel = channel }

  /// The updates, for one reader. Each use of the property gives new updates, of which the first has all matches.
  ///
  /// They end when the subscription is cancelled, the connection ends, a recording has ended, or the task is cancelled.
  public var updates: OddsUpdates { OddsUpdates(channel: channel) }

  /// Ends the subscription and its updates. Further calls do nothing.
  public func cancel() async { await channel.cancel() }
}

/// The updates of a subscription. A slow reader gets merged updates with the newest state of each match, so that its
/// memory is bounded.
public struct OddsUpdates: AsyncSequence, Sendable {
  public typealias Failure = Never

  let channel: ChannelSubscription

  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// The iterator of the updates.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    let channel: ChannelSubscription
    private var changes: ChannelChanges.Iterator?
    private var isOver = false

    init(channel: ChannelSubscription) { self.channel = channel }

    /// Waits for the next update. Returns nil when the updates have ended.
    public mutating func next() async -> OddsUpdate? {
      if isOver { return nil }
      if changes == nil { changes = await channel.changes().makeAsyncIterator() }
      guard let change = await changes!.next() else { return nil }
      isOver = change.connection == .ended && !change.hasMore
      return OddsUpdate(change)
    }
  }
}

/// The changes of a subscription's matches since the last update.
public struct OddsUpdate: Sendable {
  private let changes: ChangeSet

  init(_ changes: ChangeSet) { self.changes = changes }

  /// Matches that are new or changed, each once, in no particular order. The first update has all matches.
  public var changed: [Match] { changes.changed }
  /// The ids of matches that were removed.
  public var removed: [MatchID] { changes.removed }
  /// The freshness of all prices of the subscription, also of those that did not change.
  public var freshness: Freshness { changes.freshness }
  /// The state of the connection.
  public var connection: ConnectionState { changes.connection }
  /// The error with which the feed answered the last request for this subscription; nil if there is none.
  ///
  /// The client requests the subscription again unless the feed refuses it for good. While there is an error, the grade
  /// of `freshness` is `locked`. For example, the feed refuses the topic of a match that ended while the connection was
  /// lost.
  public var problem: OddsClientError? {
    switch changes.topic {
    case .refused(let error), .retrying(let error, _): OddsClientError(error)
    case .requested, .live, .overdue, .maintenance, .late: nil
    }
  }
  /// The counts of everything that the subscription has received.
  public var received: FeedCounters { changes.received }

  var isLoaded: Bool { changes.isLoaded }
  /// The time of the next request if the feed has answered with an error, in milliseconds since 1970. Nil if it is not
  /// connected, unless the error is permanent: Polymarket does not count as connected if its only answer is an error.
  var retryTime: Int64? {
    if case .retrying(let error, let time) = changes.topic, connection.isUp || error.isPermanent { time } else { nil }
  }

  /// Returns the error with which the feed refuses the subscription; nil if it does not. After an error, the feed is
  /// asked again: `firstRetry` is the time of that request, and another error after it is a refusal.
  func refusal(after firstRetry: Int64?) -> FeedError? {
    switch changes.topic {
    case .refused(let error): error
    case .retrying(let error, _): firstRetry != nil && retryTime != nil && retryTime != firstRetry ? error : nil
    case .requested, .live, .overdue, .maintenance, .late: nil
    }
  }

  /// True if prices are as the feed has them: the grade of `freshness` is `live`. Show no price as live otherwise.
  public var isTrusted: Bool { freshness.grade == .live }
}

extension Market {
  /// The price of each outcome, in the order of `outcomes`; nil for an outcome on which no bets are taken at present.
  /// On an exchange, the best price to back.
  public var prices: [DecimalOdds?] {
    outcomes.map { takesBets && $0.isBettable ? $0.offer?.odds : nil }
  }
}
