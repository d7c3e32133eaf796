import Histogram
package import OddsModel

/// The state of one channel: flat tables by id, joined by parent-child links (StoreRules.md).
///
/// A value without a clock and without threads. `ChannelStore` isolates it.
package struct ChannelState: Sendable {
  var sports = EntityTable<SportNode>()
  var matches = EntityTable<MatchNode>()
  var markets = EntityTable<MarketNode>()
  var outcomes = EntityTable<OutcomeNode>()
  var relations = EntityTable<RelationNode>()
  var offers = EntityTable<OfferNode>()
  var mainMarkets = EntityTable<MainMarketNode>()
  var eventInfos = EntityTable<EventInfoNode>()
  // The records of exchanges have no links: each has the id of its market or outcome.
  var exchangeMarkets = EntityTable<ExchangeMarketNode>()
  var exchangePrices = EntityTable<ExchangePricesNode>()
  var texts = TextTable()

  /// The cached domain values, built on demand after a change.
  var values = MatchCache()
  var waiting = PendingRecords()
  /// The awaited dump and the messages kept for it.
  var expectation = SnapshotSync.none
  /// The changes of the messages being applied, so far.
  var touched = DirtySet()

  /// The records whose children are unsorted.
  var unsorted: [Parent] = []
  /// The slots of the next records' offers.
  var ahead = OfferPrefetcher()

  /// The version of the message being applied, in milliseconds since 1970 by the sender's clock; nil if it has none.
  var version: Int64?
  /// The time of receipt of the message being applied, in milliseconds since 1970.
  package internal(set) var time: Int64 = 0
  /// True if `time` is a time of receipt. In a file without such times, `time` is the message's version.
  var isTimed = false
  /// The latest time of a change of an offer in the message being applied.
  var newestChange = absentNumber
  var isDumping = false
  /// The state of the provider's own source of prices, by the last message that gave one.
  package internal(set) var source = SourceState.live
  /// The time of the last change of `source`, in milliseconds since 1970.
  var sourceSince: Int64 = 0
  /// True if main market records have changed since the ranks of main markets were last updated.
  var mainMarketsAreStale = false

  package internal(set) var counters = FeedCounters()
  /// The ages of changes on receipt, in milliseconds.
  var lags = Histogram<UInt32>(highestTrackableValue: 86_400_000, numberOfSignificantValueDigits: .two)
  /// True after the first dump. Before it, the content of the channel is unknown rather than empty.
  package internal(set) var hasDump = false
  /// True from a dump that may lack the changes of dropped messages until the next dump. Prices may be wrong
  /// meanwhile.
  ///
  /// Messages are dropped when more than `StoreOptions.bufferLimit` records wait for a dump.
  package internal(set) var lacksMessages = false

  /// True if `FeedChanges` also lists markets and outcomes.
  package var tracksParts = false
  /// True if `issues` are collected.
  package var keepsIssues = false
  /// The problems with records, in the order found. The caller that sets `keepsIssues` empties the array.
  package var issues: [FeedIssue] = []

  let options: StoreOptions
  let pendingTimeout: Int64

  package init(options: StoreOptions = StoreOptions()) {
    self.options = options
    pendingTimeout = Int64(options.pendingTimeout / .milliseconds(1))
  }

  /// Applies the messages of a batch, each completely.
  ///
  /// - Parameters:
  ///   - batch: The decoded messages.
  ///   - now: The time of receipt, in milliseconds since 1970; 0 if it is not known. A message's own time of receipt
  ///     takes precedence.
  ///   - changes: Receives the matches, markets and outcomes that may have changed.
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0, into changes: inout FeedChanges) {
    count(batch)
    apply(batch, messages: 0..<batch.messages.count, at: now, into: &changes)
  }

  /// Counts the decoder's irregularities. Call this once per batch, before applying its messages one by one.
  package mutating func count(_ batch: FeedBatch) {
    counters.unparsable += batch.unparsable
    counters.add(batch.exceptions)
  }

  /// Applies a range of a batch's messages, each completely.
  package mutating func apply(
    _ batch: FeedBatch, messages: Range<Int>, at now: Int64 = 0, into changes: inout FeedChanges
  ) {
    ahead.end = 0
    for index in messages {
      let message = batch.messages[index]
      counters.messages += 1
      time = message.receivedAt ?? (now > 0 ? now : max(time, message.rawVersion))
      isTimed = now > 0 || message.rawReceivedAt != absentNumber
      if let state = message.source, state != source {
        source = state
        sourceSince = time
      }
      switch message.kind {
      case .dump:
        // A dump is compared with the state before it, so earlier changes are moved to `changes` first.
        if mainMarketsAreStale { mainMarketsChanged() }
        drainChanges(into: &changes)
        apply(dump: message, of: batch)
        drainChanges(into: &changes)
        touched.mayRepeat = true
      case .update:
        if admits(message, of: batch) { update(message, of: batch) }
      }
    }
    if mainMarketsAreStale { mainMarketsChanged() }
    drainChanges(into: &changes)
    if touched.mayRepeat {
      touched.mayRepeat = false
      changes.nameOnce()
    }
    if texts.isDue { sweepTexts() }
  }

  /// Applies a batch and returns the matches, markets and outcomes that may have changed.
  @discardableResult
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0) -> FeedChanges {
    var changes = FeedChanges()
    apply(batch, at: now, into: &changes)
    return changes
  }

  mutating func update(_ message: FeedBatch.Message, of batch: FeedBatch) {
    version = message.version
    newestChange = absentNumber
    for at in message.records {
      let record = batch.records[at]
      if record.kind == .bettingOffer, record.change == .update {
        if at < ahead.start || at >= ahead.end { lookAhead(from: at, in: batch) }
        if patch(offer: ahead.slots[at - ahead.start], record, batch) { continue }
      }
      apply(record, batch)
    }
    if newestChange != absentNumber, isTimed { _ = lags.record(UInt64(min(max(0, time - newestChange), 86_400_000))) }
    if !waiting.isIdle { settleWaiting() }
  }

  /// Returns a percentile of the age of each message's newest change on receipt (time of receipt − time of the change).
  ///
  /// - Parameter percentile: The share of messages with this age or less, from 0 to 100.
  /// - Returns: The age in milliseconds, from 0 to one day; nil if no message had an age.
  package func lag(percentile: Double) -> Int? { lags.totalCount == 0 ? nil : Int(lags.valueAtPercentile(percentile)) }

  private mutating func sweepTexts() {
    var table = texts
    table.sweep { rename in
      for slot in sports.allSlots { sports[slot].content.name = rename(sports[slot].content.name) }
      for slot in matches.allSlots { matches[slot].content.rename(rename) }
      for slot in markets.allSlots { markets[slot].content.name = rename(markets[slot].content.name) }
      for slot in outcomes.allSlots { outcomes[slot].content.rename(rename) }
    }
    texts = table
  }

  /// The size of the tables, texts and domain values in memory, in bytes.
  package var memory: Int {
    sports.memory + matches.memory + markets.memory + outcomes.memory + relations.memory + offers.memory
      + mainMarkets.memory + eventInfos.memory + exchangeMarkets.memory + exchangePrices.memory + texts.memory
      + values.memory
  }
}

extension MatchContent {
  fileprivate mutating func rename(_ rename: (TextID) -> TextID) {
    name = rename(name)
    home = rename(home)
    away = rename(away)
    tournament = rename(tournament)
    category = rename(category)
    part = rename(part)
  }
}

extension OutcomeContent {
  fileprivate mutating func rename(_ rename: (TextID) -> TextID) {
    name = rename(name)
    translatedName = rename(translatedName)
    typeName = rename(typeName)
    key = rename(key)
  }
}
