import OddsModel

/// Records that arrive before their parent, and changes before their record (StoreRules.md, rules 4 and 5).
extension ChannelState {
  // MARK: Children without a parent

  private func isOrphan(outcome slot: Slot) -> Bool {
    let direct = outcomes[slot].direct
    return direct != .none && !markets[relations[direct].market].isPresent
  }

  private func isOrphan(relation slot: Slot) -> Bool {
    let (market, outcome) = (relations[slot].market, relations[slot].outcome)
    return market != .none && !(markets[market].isPresent && outcomes[outcome].isPresent)
  }

  private func isMissing(match slot: Slot) -> Bool { slot != .none && !matches[slot].isPresent }

  mutating func updatePending(market slot: Slot) {
    let market = markets[slot]
    markets[slot].marks = settled(.market, market, isOrphan: isMissing(match: market.match))
  }

  mutating func updatePending(outcome slot: Slot) {
    outcomes[slot].marks = settled(.outcome, outcomes[slot], isOrphan: isOrphan(outcome: slot))
  }

  mutating func updatePending(relation slot: Slot) {
    relations[slot].marks = settled(.marketOutcomeRelation, relations[slot], isOrphan: isOrphan(relation: slot))
  }

  mutating func updatePending(offer slot: Slot) {
    let outcome = offers[slot].outcome
    let isOrphan = outcome != .none && !outcomes[outcome].isPresent
    offers[slot].marks = settled(.bettingOffer, offers[slot], isOrphan: isOrphan)
  }

  mutating func updatePending(eventInfo slot: Slot) {
    let info = eventInfos[slot]
    eventInfos[slot].marks = settled(.eventInfo, info, isOrphan: isMissing(match: info.match))
  }

  /// Adds a record to the pending records or removes it from them, and returns its new marks.
  private mutating func settled(_ kind: RecordKind, _ node: some RecordNode, isOrphan: Bool) -> RecordFlags {
    guard node.isPresent, node.marks.contains(.waiting) != isOrphan else { return node.marks }
    let key = PendingRecords.Key(kind: kind, id: node.id)
    if isOrphan { waiting.arrivals.append(key) } else { waiting.end(child: key) }
    return node.marks.symmetricDifference(.waiting)
  }

  mutating func stopWaiting(_ kind: RecordKind, _ node: some RecordNode) {
    if node.marks.contains(.waiting) { waiting.end(child: PendingRecords.Key(kind: kind, id: node.id)) }
  }

  /// Updates the pending state of the children of a match that has arrived.
  mutating func childrenArrive(ofMatch slot: Slot) {
    for market in markets.all(matches[slot].markets, MarketsOfMatch.self) { updatePending(market: market) }
    for info in eventInfos.all(matches[slot].infos, InfosOfMatch.self) { updatePending(eventInfo: info) }
  }

  mutating func childrenArrive(ofMarket slot: Slot) {
    for relation in relations.all(markets[slot].relations, RelationsOfMarket.self) {
      if relations[relation].id == RawID.none {
        updatePending(outcome: relations[relation].outcome)
      } else {
        updatePending(relation: relation)
      }
    }
  }

  mutating func childrenArrive(ofOutcome slot: Slot) {
    for offer in offers.all(outcomes[slot].offers, OffersOfOutcome.self) { updatePending(offer: offer) }
    for relation in relations.all(outcomes[slot].relations, RelationsOfOutcome.self)
    where relations[relation].id != RawID.none {
      updatePending(relation: relation)
    }
  }

  // MARK: Changes without a record

  /// Stores an update or deletion of an unknown id until its record arrives.
  mutating func hold(_ record: FeedBatch.Record, _ batch: FeedBatch) {
    // The issue of a record that becomes pending again is already noted.
    if record.rawOffset != FeedBatch.noOffset {
      note(record.change == .delete ? .deleteOfUnknown : .updateOfUnknown, record)
    }
    var record = record
    record.rawOffset = FeedBatch.noOffset
    var copy = FeedBatch()
    copy.append(record, of: batch)
    let key = PendingRecords.Key(kind: record.kind, id: record.rawID)
    waiting.hold(PendingRecords.HeldChange(version: version, batch: copy), key, since: time)
    waiting.arrivals.append(key)
  }

  /// Applies the pending changes of a record that has just been created. Drops changes of older messages, because a
  /// creation contains the whole record.
  mutating func applyHeldChanges(_ kind: RecordKind, _ id: UInt64) {
    waiting.returns(PendingRecords.Key(kind: kind, id: id))
    let creation = version
    defer { version = creation }
    for change in waiting.takeChanges(PendingRecords.Key(kind: kind, id: id)) {
      if let old = change.version, let creation, old < creation {
        counters.expired += 1
      } else {
        version = change.version
        apply(change.batch.records[0], change.batch)
      }
    }
  }

  // MARK: The end of a message

  /// Counts the records that are still pending at the end of a message, and drops those that are too old or too many.
  mutating func settleWaiting() {
    for key in waiting.arrivals {
      if waiting.changes[key] != nil {
        counters.held += 1
      } else if waiting.children[key] == nil, marks(key).contains(.waiting) {
        waiting.begin(child: key, since: time)
        counters.held += 1
      }
    }
    waiting.arrivals.removeAll(keepingCapacity: true)
    while let expired = waiting.expire(before: time - pendingTimeout, limit: options.pendingLimit) {
      counters.expired += expired.changes
      if let key = expired.child { expire(key) }
    }
    counters.waiting = waiting.count
  }

  private mutating func expire(_ key: PendingRecords.Key) {
    counters.expired += 1
    if keepsIssues { issues.append(FeedIssue(reason: .parentMissing, kind: key.kind, id: key.id, offset: nil)) }
    remove(key.kind, present(key.kind, key.id))
  }

  /// The issues of records whose parent is missing now, sorted by type and id.
  package var orphanIssues: [FeedIssue] {
    waiting.children.keys.sorted { ($0.kind.rawValue, $0.id) < ($1.kind.rawValue, $1.id) }
      .map { FeedIssue(reason: .parentMissing, kind: $0.kind, id: $0.id, offset: nil) }
  }

  private func marks(_ key: PendingRecords.Key) -> RecordFlags {
    let slot = present(key.kind, key.id)
    guard slot != .none else { return [] }
    switch key.kind {
    case .market: return markets[slot].marks
    case .outcome: return outcomes[slot].marks
    case .marketOutcomeRelation: return relations[slot].marks
    case .bettingOffer: return offers[slot].marks
    case .eventInfo: return eventInfos[slot].marks
    case .sport, .match, .mainMarket, .exchangeMarket, .exchangePrices, .other: return []
    }
  }

  /// Returns the slot of a record that has arrived, or `.none`.
  func present(_ kind: RecordKind, _ id: UInt64) -> Slot {
    switch kind {
    case .sport: sports.present(id)
    case .match: matches.present(id)
    case .market: markets.present(id)
    case .outcome: outcomes.present(id)
    case .marketOutcomeRelation: relations.present(id)
    case .bettingOffer: offers.present(id)
    case .mainMarket: mainMarkets.present(id)
    case .eventInfo: eventInfos.present(id)
    case .exchangeMarket: exchangeMarkets.present(id)
    case .exchangePrices: exchangePrices.present(id)
    case .other: .none
    }
  }
}
