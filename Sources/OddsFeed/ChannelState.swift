/// One channel in memory: flat tables by id, joined by parent-child indexes (DESIGN.md, "The way of a price").
///
/// A value without time or threads; `ChannelStore` isolates it. Rules: FEED.md §4.
package struct ChannelState: Sendable {
  var sports = EntityTable<SportRecord>()
  var matches = EntityTable<MatchRecord>()
  var markets = EntityTable<MarketRecord>()
  var outcomes = EntityTable<OutcomeRecord>()
  var relations = EntityTable<MarketOutcomeRelationRecord>()
  var offers = EntityTable<BettingOfferRecord>()
  var mainMarkets = EntityTable<MainMarketRecord>()
  var eventInfos = EntityTable<EventInfoRecord>()

  var marketsOfMatch = ChildIndex()
  var infosOfMatch = ChildIndex()
  var outcomesOfMarket = ChildIndex()
  var marketsOfOutcome = ChildIndex()
  var offersOfOutcome = ChildIndex()

  /// Betting types that head the list, where the feed names any.
  var mainBettingTypes: Set<UInt64> = []

  /// The nested form of each match, made when first asked for after a change.
  var built: [MatchID: Match] = [:]

  /// The names of each match, made anew only when its own record has changed.
  var labels: [MatchID: Match.Labels] = [:]

  /// What has come in since the channel began.
  package internal(set) var counters = FeedCounters()

  /// True once a dump has been applied: before that the channel is not known, rather than empty.
  package private(set) var hasDump = false

  package init() {}

  /// Applies the messages of a batch, each whole. Returns the matches that may look different now.
  package mutating func apply(_ batch: FeedBatch) -> Set<MatchID> {
    counters.unparsable += batch.unparsable
    return apply(batch.messages[...], of: batch)
  }

  /// Applies some messages of a batch, each whole. Returns the matches that may look different now.
  package mutating func apply(_ messages: ArraySlice<FeedBatch.Message>, of batch: FeedBatch) -> Set<MatchID> {
    var touched: Set<MatchID> = []
    for message in messages {
      counters.messages += 1
      switch message.kind {
      case .dump: replace(with: message, of: batch, &touched)
      case .update: for at in message.records { apply(batch.records[at], batch, &touched) }
      }
    }
    for id in touched { built[id] = nil }
    return touched
  }

  /// A dump replaces everything; only what differs is touched (FEED.md §4 rule 3).
  private mutating func replace(with message: FeedBatch.Message, of batch: FeedBatch, _ touched: inout Set<MatchID>) {
    var new = ChannelState()
    new.counters = counters
    new.hasDump = true
    var ignored: Set<MatchID> = []
    for at in message.records { new.apply(batch.records[at], batch, &ignored) }
    for id in Set(matchIDs).union(new.matchIDs) where match(id) != new.match(id) { touched.insert(id) }
    self = new
  }
}

/// What a channel has received, counted since it began.
public struct FeedCounters: Hashable, Sendable {
  /// Messages applied.
  public var messages = 0
  /// Records applied, of all types that are used.
  public var records = 0
  /// Offer updates that carried a price.
  public var oddsUpdates = 0
  /// Records of types that are not used.
  public var passedOver = 0
  /// Updates and deletes of an id that is not there.
  public var unmatched = 0
  /// Records set aside: no id, a value of the wrong kind, odds below 1.
  public var setAside = 0
  /// Texts that were no JSON.
  public var unparsable = 0

  /// All zero.
  public init() {}
}
