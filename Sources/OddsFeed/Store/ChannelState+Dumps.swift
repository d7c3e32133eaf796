/// What a channel waits for, with the messages that came meanwhile.
enum SnapshotSync: Sendable {
  case none
  /// The first dump: updates are kept for it.
  case dump(KeptMessages)
  /// A fresh dump to compare with: updates are applied and kept too.
  case audit(KeptMessages)
  /// Nothing, but the dump of an audit that was given up may come all the same.
  case leftover
}

/// Messages that wait for a dump.
struct KeptMessages: Sendable {
  private(set) var batch = FeedBatch()
  /// The newest version of the messages that were dropped; `.max` where one of them had none. Nil where none was dropped.
  private(set) var droppedVersion: Int64?

  /// Keeps a message. Where that makes too many records, all are dropped. Returns how many records were dropped.
  mutating func append(_ message: FeedBatch.Message, receivedAt: Int64, of other: FeedBatch, limit: Int) -> Int {
    batch.append(message, of: other)
    batch.messages[batch.messages.count - 1].rawReceivedAt = receivedAt
    guard batch.records.count > limit else { return 0 }
    let newest = batch.messages.map { $0.version ?? .max }.max() ?? .max
    droppedVersion = max(droppedVersion ?? newest, newest)
    let dropped = batch.records.count
    batch.removeAll()
    return dropped
  }

  /// True where a dump of that version may lack what dropped messages told.
  func isIncomplete(withDumpOf version: Int64?) -> Bool {
    guard let droppedVersion else { return false }
    return version.map { $0 < droppedVersion } ?? true
  }
}

/// Dumps: the first, a second that replaces it, and the one of an audit (StoreRules.md, rules 1, 3 and 8).
extension ChannelState {
  /// Keeps updates, from now on, until the dump comes: they may be older or newer than it.
  package mutating func awaitDump() {
    expectation = .dump(KeptMessages())
    lacksMessages = false
  }

  /// Shows the dumps of a batch for the time being: the stream's own dump is awaited all the same, with what is kept for it.
  /// What was not received is not counted.
  package mutating func applyInterim(
    _ batch: FeedBatch, at now: Int64, isReceived: Bool = true, into changes: inout FeedChanges
  ) {
    let (expected, counted) = (expectation, counters)
    expectation = .none
    apply(batch, at: now, into: &changes)
    expectation = expected
    if !isReceived {
      counters = counted
      counters.waiting = waiting.count
    }
  }

  /// Begins an audit: the next dump is compared with what is held and what differs is set right. Updates go on
  /// being applied meanwhile. Does nothing where a dump is awaited anyway.
  package mutating func beginAudit() {
    switch expectation {
    case .none, .leftover: expectation = .audit(KeptMessages())
    case .dump, .audit: break
    }
  }

  /// True between `beginAudit` and its dump, or the moment at which too much came in between.
  package var isAuditing: Bool { if case .audit = expectation { true } else { false } }

  /// Gives an audit up: the next dump is one like any other, unless it is older than what came since.
  package mutating func endAudit() { if isAuditing { expectation = .leftover } }

  /// The feed has ended: no dump will come, so what was kept for one is applied as it is.
  package mutating func finish(into changes: inout FeedChanges) {
    guard case .dump(let kept) = expectation else { return }
    expectation = .none
    ahead.end = 0
    for message in kept.batch.messages { update(message, of: kept.batch) }
    if mainMarketsAreStale { mainMarketsChanged() }
    drainChanges(into: &changes)
  }

  /// Keeps an update where a dump is to come. False where it is not to be applied now.
  mutating func keep(_ message: FeedBatch.Message, of batch: FeedBatch) -> Bool {
    switch expectation {
    case .none, .leftover: return true
    case .dump(var kept):
      expectation = .none
      counters.expired += kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit)
      expectation = .dump(kept)
      return false
    case .audit(var kept):
      expectation = .leftover
      // NB: with some of the messages missing, the dump would undo them: better no audit.
      if kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit) == 0 {
        expectation = .audit(kept)
      }
      return true
    }
  }

  mutating func take(dump: FeedBatch.Message, of batch: FeedBatch) {
    if case .leftover = expectation {
      expectation = .none
      if let dumped = dump.version, let version, dumped < version { return }
    }
    let before = self
    counters.dumps += 1
    lacksMessages = false
    let expected = expectation
    expectation = .none
    replace(with: dump, of: batch)
    keepLastOdds(from: before)
    switch expected {
    case .none, .leftover: break
    case .dump(let kept), .audit(let kept):
      let arrival = time
      ahead.end = 0
      for message in kept.batch.messages
      where dump.version == nil || message.version.map({ $0 >= dump.version! }) ?? true {
        time = message.receivedAt ?? arrival
        update(message, of: kept.batch)
      }
      time = arrival
      if kept.isIncomplete(withDumpOf: dump.version) {
        // NB: updates are kept from now on, for the next dump.
        awaitDump()
        lacksMessages = true
      }
    }
    // What was looked up ahead is not there any more.
    ahead.end = 0
    hasDump = true
    if mainMarketsAreStale { mainMarketsChanged() }
    if before.hasDump { keepTouchedOnlyWhatDiffers(from: before) }
    if case .audit = expected {
      // NB: an audit is no news: what it applied again is not counted again.
      counters = before.counters
      counters.waiting = waiting.count
      counters.audits += 1
      counters.divergences += touched.changes.matches.count
      lags = before.lags
    }
  }

  /// An outcome that the dump has without a price keeps the last price that it had in the same market.
  private mutating func keepLastOdds(from before: ChannelState) {
    var before = before
    before.sortChildren()
    sortChildren()
    for slot in outcomes.allSlots where outcomes[slot].isPresent && lastOdds(ofOutcome: slot) == absentNumber {
      let known = before.outcomes.present(outcomes[slot].id)
      guard known != .none, before.firstMarket(ofOutcome: known) == firstMarket(ofOutcome: slot) else { continue }
      outcomes[slot].lastOdds = before.lastOdds(ofOutcome: known)
    }
  }

  private func firstMarket(ofOutcome slot: Slot) -> UInt64? {
    let relation = outcomes[slot].relations.first
    return relation == .none ? nil : markets[relations[relation].market].id
  }

  /// Readers hear only of what differs.
  private mutating func keepTouchedOnlyWhatDiffers(from before: ChannelState) {
    var before = before
    let all = touched.changes
    touched.changes.removeAll()
    touched.changes.matches += Set(all.matches).filter { before.match($0) != match($0) }
    touched.changes.markets += Set(all.markets).filter { before.market($0) != market($0) }
    touched.changes.outcomes += Set(all.outcomes).filter { before.outcome($0) != outcome($0) }
    // NB: comparing has built the values, so what changes later in the same batch has to be touched anew.
    clearDirty()
  }

  /// Begins anew with the dump's records. What was there is touched, and so compared.
  private mutating func replace(with dump: FeedBatch.Message, of batch: FeedBatch) {
    var all = FeedChanges()
    all.matches += matchIDs
    if tracksParts {
      all.markets += markets.slots.map { MarketID(raw: markets[$0].id) }
      all.outcomes += outcomes.slots.map { OutcomeID(raw: outcomes[$0].id) }
    }
    (sports, matches, markets, outcomes) = (EntityTable(), EntityTable(), EntityTable(), EntityTable())
    (relations, offers, mainMarkets, eventInfos) = (EntityTable(), EntityTable(), EntityTable(), EntityTable())
    (values, waiting, mainMarketsAreStale) = (MatchCache(), PendingRecords(), true)
    unsorted = []
    isDumping = true
    version = dump.version
    for at in dump.records {
      var record = batch.records[at]
      (record.change, record.fault) = (.create, .none)
      apply(record, batch)
    }
    isDumping = false
    touched.changes.matches += all.matches
    touched.changes.markets += all.markets
    touched.changes.outcomes += all.outcomes
    settleWaiting()
  }
}
