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

  /// Whether `FeedChanges` tells of markets and outcomes too.
  package var tracksParts = false

  let options: StoreOptions

  package init(options: StoreOptions = StoreOptions()) {
    self.options = options
  }

  /// Applies the messages of a batch, each whole, and adds to `changes` what may look different now. `now` is when they
  /// arrived, in milliseconds since 1970; a message that carries its own time of receipt goes by that.
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0, into changes: inout FeedChanges) {
    counters.unparsable += batch.unparsable
    apply(batch.messages[...], of: batch, at: now, into: &changes)
  }

  /// Applies some messages of a batch, each whole.
  package mutating func apply(
    _ messages: ArraySlice<FeedBatch.Message>, of batch: FeedBatch, at now: Int64 = 0, into changes: inout FeedChanges
  ) {
    var touched: Set<MatchID> = []
    for message in messages {
      counters.messages += 1
      switch message.kind {
      case .dump: replace(with: message, of: batch, &touched)
      case .update: for at in message.records { apply(batch.records[at], batch, &touched) }
      }
    }
    for id in touched { built[id] = nil }
    changes.matches += touched
  }

  /// Applies a batch and returns what may look different now.
  @discardableResult
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0) -> FeedChanges {
    var changes = FeedChanges()
    apply(batch, at: now, into: &changes)
    return changes
  }

  /// A dump replaces everything; only what differs is touched (FEED.md §4 rule 3).
  private mutating func replace(with message: FeedBatch.Message, of batch: FeedBatch, _ touched: inout Set<MatchID>) {
    var new = ChannelState(options: options)
    new.counters = counters
    new.hasDump = true
    var ignored: Set<MatchID> = []
    for at in message.records { new.apply(batch.records[at], batch, &ignored) }
    for id in Set(matchIDs).union(new.matchIDs) where match(id) != new.match(id) { touched.insert(id) }
    self = new
  }
}
