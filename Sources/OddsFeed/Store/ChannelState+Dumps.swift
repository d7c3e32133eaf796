import OddsModel

/// The dump that a channel awaits, with the messages received meanwhile.
enum SnapshotSync: Sendable {
  case none
  /// Awaits the dump that the channel needs. Updates are kept for it and not applied.
  case dump(KeptMessages)
  /// Awaits a fresh dump for an audit. Updates are applied, and kept too. `start` is the channel's version before the
  /// first of them.
  case audit(KeptMessages, start: Int64?)
  /// Awaits nothing, but the dump of an abandoned audit may still arrive.
  case leftover
}

/// The messages that are kept until a dump arrives.
struct KeptMessages: Sendable {
  private(set) var batch = FeedBatch()
  /// The newest version of the dropped messages; `.max` if one of them had none, nil if none was dropped.
  private(set) var droppedVersion: Int64?

  /// Keeps a message that has records. If this exceeds `limit` records, drops all kept messages and returns the number
  /// of their records.
  mutating func append(_ message: FeedBatch.Message, receivedAt: Int64, of other: FeedBatch, limit: Int) -> Int {
    if message.records.isEmpty { return 0 }
    batch.append(message, of: other)
    batch.messages[batch.messages.count - 1].rawReceivedAt = receivedAt
    guard batch.records.count > limit else { return 0 }
    let newest = batch.messages.map { $0.version ?? .max }.max() ?? .max
    droppedVersion = max(droppedVersion ?? newest, newest)
    let dropped = batch.records.count
    batch.removeAll()
    return dropped
  }

  /// Returns true if a dump of this version may lack the changes of dropped messages.
  func isIncomplete(withDumpOf version: Int64?) -> Bool {
    guard let droppedVersion else { return false }
    return version.map { $0 < droppedVersion } ?? true
  }
}

extension FeedBatch.Message {
  /// True if both versions are known and this one is the lower.
  fileprivate func isOlder(than other: Int64?) -> Bool {
    guard let version, let other else { return false }
    return version < other
  }
}

/// Application of dumps: the first, one that replaces it, and that of an audit (StoreRules.md, rules 1, 3 and 8).
extension ChannelState {
  /// Keeps all updates until the next dump arrives, because they can be older or newer than it.
  package mutating func awaitDump() {
    expectation = .dump(KeptMessages())
    lacksMessages = false
  }

  /// Applies dumps provisionally. The channel still awaits the stream's own dump, with the messages kept for it.
  ///
  /// - Parameter isReceived: False for data that was not received from the feed. Such data is not counted.
  package mutating func applyInterim(
    _ batch: FeedBatch, at now: Int64, isReceived: Bool = true, into changes: inout FeedChanges
  ) {
    let (expected, lacked, counted) = (expectation, lacksMessages, counters)
    expectation = .none
    apply(batch, at: now, into: &changes)
    expectation = expected
    lacksMessages = lacked
    if !isReceived {
      counters = counted
      counters.waiting = waiting.count
    }
  }

  /// Begins an audit: the next dump is compared with the store, and differences are corrected. Updates are still
  /// applied meanwhile. A dump older than the channel's version at the beginning ends the audit without effect, because
  /// it may lack updates that are not kept. Has no effect while a dump is already awaited.
  package mutating func beginAudit() {
    switch expectation {
    case .none, .leftover: expectation = .audit(KeptMessages(), start: version)
    case .dump, .audit: break
    }
  }

  /// True from `beginAudit` until its dump arrives, the audit is abandoned, or too many records have been kept.
  package var isAuditing: Bool { if case .audit = expectation { true } else { false } }

  /// Abandons an audit. The next dump is applied like any other, or ignored if it is older than the channel's version.
  package mutating func endAudit() { if isAuditing { expectation = .leftover } }

  /// Abandons an audit whose dump cannot arrive any more. The next dump is applied whatever its version.
  package mutating func forgetAudit() {
    switch expectation {
    case .audit, .leftover: expectation = .none
    case .none, .dump: break
    }
  }

  /// Applies the messages kept for a dump, because the feed has ended and no dump will arrive.
  package mutating func finish(into changes: inout FeedChanges) {
    guard case .dump(let kept) = expectation else { return }
    expectation = .none
    ahead.end = 0
    for message in kept.batch.messages { update(message, of: kept.batch) }
    if mainMarketsAreStale { mainMarketsChanged() }
    drainChanges(into: &changes)
  }

  /// Buffers an update if a dump is awaited. Returns false if the update must not be applied now.
  mutating func admits(_ message: FeedBatch.Message, of batch: FeedBatch) -> Bool {
    switch expectation {
    case .none, .leftover: return true
    case .dump(var kept):
      expectation = .none
      counters.expired += kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit)
      expectation = .dump(kept)
      return false
    case .audit(var kept, let start):
      expectation = .leftover
      // NB: without the dropped messages, the dump would undo them, so the audit is abandoned.
      if kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit) == 0 {
        expectation = .audit(kept, start: start)
      }
      return true
    }
  }

  mutating func apply(dump: FeedBatch.Message, of batch: FeedBatch) {
    switch expectation {
    case .leftover:
      expectation = .none
      if dump.isOlder(than: version) { return }
    case .audit(_, let start) where dump.isOlder(than: start):
      expectation = .leftover
      return
    case .none, .dump, .audit: break
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
    case .dump(let kept), .audit(let kept, _):
      let arrival = time
      ahead.end = 0
      for message in kept.batch.messages
      where dump.version == nil || message.version.map({ $0 >= dump.version! }) ?? true {
        time = message.receivedAt ?? arrival
        update(message, of: kept.batch)
      }
      time = arrival
      if kept.isIncomplete(withDumpOf: dump.version) {
        // NB: from here on, updates are kept for the next dump.
        awaitDump()
        lacksMessages = true
      }
    }
    // The slots looked up ahead refer to the replaced tables or to the kept messages.
    ahead.end = 0
    hasDump = true
    if mainMarketsAreStale { mainMarketsChanged() }
    if before.hasDump { keepTouchedOnlyWhatDiffers(from: before) }
    if case .audit = expected {
      // NB: an audit applies records that were already counted, so the counters are restored.
      counters = before.counters
      counters.waiting = waiting.count
      counters.audits += 1
      counters.divergences += touched.changes.matches.count
      lags = before.lags
    }
  }

  /// Copies the last price of each outcome without a price in the dump, if its first market is the same as before.
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

  /// Removes from the changes all matches, markets and outcomes that the dump left equal.
  private mutating func keepTouchedOnlyWhatDiffers(from before: ChannelState) {
    var before = before
    let all = touched.changes
    touched.changes.removeAll()
    touched.changes.matches += Set(all.matches).filter { before.match($0) != match($0) }
    touched.changes.markets += Set(all.markets).filter { before.market($0) != market($0) }
    touched.changes.outcomes += Set(all.outcomes).filter { before.outcome($0) != outcome($0) }
    // NB: the comparison has built the values. Without cleared marks, later changes in the same batch would be missed.
    clearDirty()
  }

  /// Replaces all records by those of the dump. The ids from before count as changed, so that they are compared.
  private mutating func replace(with dump: FeedBatch.Message, of batch: FeedBatch) {
    var all = FeedChanges()
    all.matches += matchIDs
    if tracksParts {
      all.markets += markets.slots.map { MarketID(raw: markets[$0].id) }
      all.outcomes += outcomes.slots.map { OutcomeID(raw: outcomes[$0].id) }
    }
    sports = EntityTable()
    matches = EntityTable()
    markets = EntityTable()
    outcomes = EntityTable()
    relations = EntityTable()
    offers = EntityTable()
    mainMarkets = EntityTable()
    eventInfos = EntityTable()
    exchangeMarkets = EntityTable()
    exchangePrices = EntityTable()
    values = MatchCache()
    waiting = PendingRecords()
    mainMarketsAreStale = true
    unsorted = []
    isDumping = true
    version = dump.version
    for at in dump.records {
      var record = batch.records[at]
      record.change = .create
      record.fault = .none
      apply(record, batch)
    }
    isDumping = false
    touched.changes.matches += all.matches
    touched.changes.markets += all.markets
    touched.changes.outcomes += all.outcomes
    settleWaiting()
  }
}
