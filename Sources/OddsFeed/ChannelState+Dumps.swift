/// What a channel waits for, with the messages that came meanwhile.
enum Expectation: Sendable {
  case none
  /// The first dump: updates are kept for it.
  case dump(FeedBatch)
  /// A fresh dump to compare with: updates are applied and kept too.
  case audit(FeedBatch)
}

/// Dumps: the first, a second that replaces it, and the one of an audit (FEED.md §4 rules 1, 3 and 8).
extension ChannelState {
  /// Keeps updates, from now on, until the dump comes: they may be older or newer than it.
  package mutating func awaitDump() {
    expectation = .dump(FeedBatch())
  }

  /// Begins an audit: the next dump is compared with what is held and what differs is set right. Updates go on
  /// being applied meanwhile. Does nothing where a dump is awaited anyway.
  package mutating func beginAudit() {
    if case .none = expectation { expectation = .audit(FeedBatch()) }
  }

  /// The feed has ended: no dump will come, so what was kept for one is applied as it is.
  package mutating func finish(into changes: inout FeedChanges) {
    guard case .dump(let kept) = expectation else { return }
    expectation = .none
    for message in kept.messages { update(message, of: kept) }
    report(into: &changes)
  }

  /// Keeps an update where a dump is to come. False where it is not to be applied now.
  mutating func keep(_ message: FeedBatch.Message, of batch: FeedBatch) -> Bool {
    switch expectation {
    case .none: return true
    case .dump(var kept):
      expectation = .none
      kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit)
      expectation = .dump(kept)
      return false
    case .audit(var kept):
      expectation = .none
      kept.append(message, receivedAt: time, of: batch, limit: options.bufferLimit)
      expectation = .audit(kept)
      return true
    }
  }

  mutating func take(dump: FeedBatch.Message, of batch: FeedBatch) {
    let before = self
    counters.dumps += 1
    let expected = expectation
    expectation = .none
    replace(with: dump, of: batch)
    switch expected {
    case .none: break
    case .dump(let kept), .audit(let kept):
      let arrival = time
      for message in kept.messages where dump.version == nil || message.version.map({ $0 >= dump.version! }) ?? true {
        time = message.receivedAt ?? arrival
        update(message, of: kept)
      }
      time = arrival
    }
    hasDump = true
    if mainMarketsAreStale { mainMarketsChanged() }
    if before.hasDump { keepTouchedOnlyWhatDiffers(from: before) }
    if case .audit = expected {
      // NB: an audit is no news: what it applied again is not counted again.
      counters = before.counters
      counters.audits += 1
      counters.divergences += touched.changes.matches.count
      lags = before.lags
    }
  }

  /// Readers hear only of what differs.
  private mutating func keepTouchedOnlyWhatDiffers(from before: ChannelState) {
    var before = before
    let all = Set(touched.changes.matches)
    touched.changes.matches.cut(to: 0)
    touched.changes.matches += all.filter { before.match($0) != match($0) }
    // NB: comparing has built the values, so what changes later in the same batch has to be touched anew.
    unmark()
  }

  /// Applies the dump as records that replace what is there, then takes out what it does not contain.
  private mutating func replace(with dump: FeedBatch.Message, of batch: FeedBatch) {
    for orphan in orphans {
      // One orphan may have taken another along.
      let slot = present(orphan.kind, orphan.id)
      if slot != .none { remove(orphan.kind, slot) }
    }
    waiting = WaitingRecords()
    // The list's order is the dump's.
    for slot in Array(mainMarkets.slots) { remove(.mainMarket, slot) }
    isDumping = true
    version = dump.version
    var seen: [EntityKind: Set<Slot>] = [:]
    let isFirst = isEmpty
    for at in dump.records {
      let record = batch.records[at]
      let before = counters.applied
      apply(record, batch)
      if !isFirst, counters.applied > before {
        seen[record.kind, default: []].insert(present(record.kind, record.rawID))
      }
    }
    isDumping = false
    if !isFirst { sweep(keeping: seen) }
    settleWaiting()
  }

  private var isEmpty: Bool {
    sports.isEmpty && matches.isEmpty && markets.isEmpty && outcomes.isEmpty && relations.isEmpty && offers.isEmpty
      && eventInfos.isEmpty
  }

  /// Takes out, children first, what a dump did not contain.
  private mutating func sweep(keeping seen: [EntityKind: Set<Slot>]) {
    func missing<Record>(_ kind: EntityKind, _ table: EntityTable<Record>) -> [Slot] {
      let kept = seen[kind] ?? []
      return table.slots.filter { !kept.contains($0) }
    }
    for slot in missing(.bettingOffer, offers) { remove(.bettingOffer, slot) }
    for slot in missing(.marketOutcomeRelation, relations) where relations[slot].id != RawID.none {
      remove(.marketOutcomeRelation, slot)
    }
    for slot in missing(.outcome, outcomes) { remove(.outcome, slot) }
    for slot in missing(.market, markets) where markets[slot].isPresent { remove(.market, slot) }
    for slot in missing(.eventInfo, eventInfos) { remove(.eventInfo, slot) }
    for slot in missing(.match, matches) { remove(.match, slot) }
    for slot in missing(.sport, sports) { remove(.sport, slot) }
    waiting.forgetAllGone()
  }
}

extension FeedBatch {
  /// Keeps a message; the older half of all gives way where there are too many records.
  fileprivate mutating func append(_ message: Message, receivedAt: Int64, of batch: FeedBatch, limit: Int) {
    if records.count > limit {
      let old = self
      removeAll()
      for kept in old.messages.suffix(old.messages.count / 2) { append(kept, of: old) }
    }
    append(message, of: batch)
    messages[messages.count - 1].rawReceivedAt = receivedAt
  }
}
