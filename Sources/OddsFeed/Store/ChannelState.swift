import Histogram

/// One channel in memory: flat tables by id, joined by parent-child links.
///
/// A value without time or threads; `ChannelStore` isolates it. Rules: StoreRules.md.
package struct ChannelState: Sendable {
  var sports = EntityTable<SportNode>()
  var matches = EntityTable<MatchNode>()
  var markets = EntityTable<MarketNode>()
  var outcomes = EntityTable<OutcomeNode>()
  var relations = EntityTable<RelationNode>()
  var offers = EntityTable<OfferNode>()
  var mainMarkets = EntityTable<MainMarketNode>()
  var eventInfos = EntityTable<EventInfoNode>()
  var texts = TextTable()

  /// The domain values, made when asked for after a change.
  var values = MatchCache()
  /// What waits for something else.
  var waiting = PendingRecords()
  /// Messages kept for a dump that is to come.
  var expectation = SnapshotSync.none
  /// What the messages being applied have touched so far.
  var touched = DirtySet()

  /// Whose children are out of order.
  var unsorted: [Parent] = []
  /// Where the next records' offers are.
  var ahead = OfferPrefetcher()

  /// The version of the message being applied, and when it came in milliseconds since 1970.
  var version: Int64?
  package internal(set) var time: Int64 = 0
  /// Whether that is a time of receipt; of a feed that is read from a file without any, it is the message's version.
  var isTimed = false
  /// The latest `lastChangedTime` in the message being applied.
  var newestChange = absentNumber
  /// While a dump is applied.
  var isDumping = false
  /// MAIN_MARKET records have changed: which market heads a row has to be looked up anew.
  var mainMarketsAreStale = false

  /// What has come in since the channel began.
  package internal(set) var counters = FeedCounters()
  /// How old changes were when they came in, in milliseconds.
  var lags = Histogram<UInt32>(highestTrackableValue: 86_400_000, numberOfSignificantValueDigits: .two)
  /// True once a dump has been applied: before that the channel is not known, rather than empty.
  package internal(set) var hasDump = false
  /// True from a dump that came after messages were dropped for want of room, and may lack what they told, to the next one.
  /// What is shown may be wrong meanwhile.
  package internal(set) var lacksMessages = false

  /// Whether `FeedChanges` tells of markets and outcomes too.
  package var tracksParts = false
  /// Whether `issues` are kept.
  package var keepsIssues = false
  /// What was wrong with records, in the order in which it was found; whoever keeps them empties this.
  package var issues: [FeedIssue] = []

  let options: StoreOptions
  let heldAge: Int64

  package init(options: StoreOptions = StoreOptions()) {
    self.options = options
    heldAge = Int64(options.heldAge / .milliseconds(1))
  }

  /// Applies the messages of a batch, each whole, and adds to `changes` what may look different now. `now` is when they
  /// arrived, in milliseconds since 1970; a message that carries its own time of receipt goes by that.
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0, into changes: inout FeedChanges) {
    count(batch)
    apply(batch, messages: 0..<batch.messages.count, at: now, into: &changes)
  }

  /// Counts what the decoder met besides messages. Once for a batch, before its messages are applied one by one.
  package mutating func count(_ batch: FeedBatch) {
    counters.unparsable += batch.unparsable
    counters.add(batch.exceptions)
  }

  /// Applies some messages of a batch, each whole.
  package mutating func apply(
    _ batch: FeedBatch, messages: Range<Int>, at now: Int64 = 0, into changes: inout FeedChanges
  ) {
    ahead.end = 0
    for place in messages {
      let message = batch.messages[place]
      counters.messages += 1
      time = message.receivedAt ?? (now > 0 ? now : max(time, message.rawVersion))
      isTimed = now > 0 || message.rawReceivedAt != absentNumber
      switch message.kind {
      case .dump:
        // What came before in the batch is told by itself: a dump compares with what it found.
        if mainMarketsAreStale { mainMarketsChanged() }
        drainChanges(into: &changes)
        take(dump: message, of: batch)
        drainChanges(into: &changes)
        touched.mayRepeat = true
      case .update:
        if keep(message, of: batch) { update(message, of: batch) }
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

  /// Applies a batch and returns what may look different now.
  @discardableResult
  package mutating func apply(_ batch: FeedBatch, at now: Int64 = 0) -> FeedChanges {
    var changes = FeedChanges()
    apply(batch, at: now, into: &changes)
    return changes
  }

  /// Applies the records of an update.
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
    if newestChange != absentNumber, isTimed {
      _ = lags.record(UInt64(min(max(0, time - newestChange), 86_400_000)))
    }
    if !waiting.isIdle { settleWaiting() }
  }

  /// How old the newest change of a message was when it came in (receipt − lastChangedTime), in milliseconds, not
  /// below 0: at that share of messages, 0 to 100, or below. Nil where no message told.
  package func lag(percentile: Double) -> Int? {
    lags.totalCount == 0 ? nil : Int(lags.valueAtPercentile(percentile))
  }

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

  /// Bytes held by tables, texts and domain values.
  package var memory: Int {
    sports.memory + matches.memory + markets.memory + outcomes.memory + relations.memory + offers.memory
      + mainMarkets.memory + eventInfos.memory + texts.memory + values.memory
  }
}

extension MatchContent {
  fileprivate mutating func rename(_ rename: (TextID) -> TextID) {
    (name, home, away) = (rename(name), rename(home), rename(away))
    (tournament, category, part) = (rename(tournament), rename(category), rename(part))
  }
}

extension OutcomeContent {
  fileprivate mutating func rename(_ rename: (TextID) -> TextID) {
    (name, translatedName) = (rename(name), rename(translatedName))
    (typeName, key) = (rename(typeName), rename(key))
  }
}
