import OddsModel

extension ChannelState {
  /// Applies new field values to an offer that is present. This is the fast path for most records.
  /// Returns false, and applies nothing, if the record needs the slow path.
  @inline(__always)
  mutating func patch(offer slot: Slot, _ record: FeedBatch.Record, _ batch: FeedBatch) -> Bool {
    // NB: since the lookahead, the offer may have been removed and its slot reused.
    guard slot != .none, offers[slot].id == record.rawID, offers[slot].isPresent, record.fault == .none else {
      return false
    }
    var content = offers[slot].content
    var hasOdds = false
    for at in record.properties {
      let property = batch.properties[at]
      hasOdds = hasOdds || property.field == .odds
      guard property.value.isReadable, content.set(property.field, property.value, batch, &texts) else { return false }
    }
    guard content.isValid, content.outcomeID == offers[slot].content.outcomeID else { return false }
    counters.kinds.offers += 1
    counters.applied += 1
    if hasOdds { counters.oddsUpdates += 1 }
    newestChange = max(newestChange, content.lastChanged)
    if content == offers[slot].content { return true }
    if content.odds == absentNumber { keepLastOdds(ofOffer: slot) }
    offers[slot].content = content
    markDirty(offer: slot)
    return true
  }

  mutating func apply(_ record: FeedBatch.Record, _ batch: FeedBatch) {
    counters.kinds.count(record.kind)
    if record.kind == .other || record.fault == .unknownChange {
      counters.ignored += 1
      return
    }
    if record.fault == .noChangeType { return reject(.noChangeType, record) }
    if record.fault == .noContent { return reject(.noContent, record) }
    guard let id = record.id else { return reject(.missingID, record) }
    if record.change == .delete { return delete(record, id, batch) }
    switch record.kind {
    case .sport:
      let slot = sports.present(id)
      guard let new = content(slot == .none ? nil : sports[slot].content, record, batch) else { return }
      if slot != .none, sports[slot].content == new { return }
      let place = sports.slotOrPlaceholder(id)
      sports[place].content = new
      sports[place].marks.insert(.present)
      markMatchesDirty(ofSport: id)
    case .match:
      let slot = matches.present(id)
      guard let new = content(slot == .none ? nil : matches[slot].content, record, batch) else { return }
      upsert(match: id, slot, new)
    case .market:
      let slot = markets.present(id)
      guard let new = content(slot == .none ? nil : markets[slot].content, record, batch) else { return }
      upsert(market: id, slot, new)
    case .outcome:
      let slot = outcomes.present(id)
      guard let new = content(slot == .none ? nil : outcomes[slot].content, record, batch) else { return }
      upsert(outcome: id, slot, new)
    case .marketOutcomeRelation:
      let slot = relations.present(id)
      guard let new = content(slot == .none ? nil : relations[slot].content, record, batch) else { return }
      upsert(relation: id, slot, new)
    case .bettingOffer:
      let slot = offers.present(id)
      guard let new = content(slot == .none ? nil : offers[slot].content, record, batch) else { return }
      newestChange = max(newestChange, new.lastChanged)
      upsert(offer: id, slot, new)
    case .mainMarket:
      let slot = mainMarkets.present(id)
      guard let new = content(slot == .none ? nil : mainMarkets[slot].content, record, batch) else { return }
      upsert(mainMarket: id, slot, new)
    case .eventInfo:
      let slot = eventInfos.present(id)
      guard let new = content(slot == .none ? nil : eventInfos[slot].content, record, batch) else { return }
      upsert(eventInfo: id, slot, new)
    case .exchangeMarket:
      let slot = exchangeMarkets.present(id)
      guard let new = content(slot == .none ? nil : exchangeMarkets[slot].content, record, batch) else { return }
      upsert(exchangeMarket: id, slot, new)
    case .exchangePrices:
      let slot = exchangePrices.present(id)
      guard let new = content(slot == .none ? nil : exchangePrices[slot].content, record, batch) else { return }
      upsert(exchangePrices: id, slot, new)
    case .other: break
    }
    if record.change == .create { applyHeldChanges(record.kind, id) }
  }

  /// Returns the content that results from applying a record to the old content.
  ///
  /// - Parameter old: The present content; nil if the record is not in the store.
  /// - Returns: Nil if the record becomes pending, or is rejected and not in the store.
  private mutating func content<Content: RecordContent>(
    _ old: Content?, _ record: FeedBatch.Record, _ batch: FeedBatch
  ) -> Content? {
    var new = Content()
    var hasOdds = false
    if record.change == .update {
      if let old { new = old }
    } else if old != nil, !isDumping {
      counters.duplicateCreates += 1
      note(.createOfKnown, record)
    }
    for at in record.properties {
      let property = batch.properties[at]
      guard new.set(property.field, property.value, batch, &texts) else {
        reject(.wrongType(property.field), record)
        return applyTradingState(of: record, to: old, batch)
      }
      if !property.value.isReadable { countUnreadable(property, record) }
      hasOdds = hasOdds || property.field == .odds
    }
    guard new.isValid else {
      let odds = DecimalOdds(units: (new as? OfferContent)?.odds ?? 0)
      if odds > OfferContent.highestOdds { counters.oddsAboveLimit += 1 }
      reject(.oddsOutOfRange(odds), record)
      return applyTradingState(of: record, to: old, batch)
    }
    // The validation comes first: an update that can never be applied must not become pending.
    if record.change == .update, old == nil {
      hold(record, batch)
      return nil
    }
    if hasOdds, record.kind == .bettingOffer, record.change == .update { counters.oddsUpdates += 1 }
    counters.applied += 1
    return new
  }

  /// Returns the old content with only those fields of a rejected record applied that decide whether a price is
  /// bettable; nil if there is no old content.
  @inline(never)
  private mutating func applyTradingState<Content: RecordContent>(
    of record: FeedBatch.Record, to old: Content?, _ batch: FeedBatch
  ) -> Content? {
    guard var content = old else { return nil }
    var rejected = record.change == .update ? content : Content()
    for at in record.properties {
      let property = batch.properties[at]
      if rejected.set(property.field, property.value, batch, &texts) { continue }
      _ = rejected.set(property.field, .null, batch, &texts)
    }
    content.applyTradingState(of: rejected)
    return content
  }

  /// Counts a value that was replaced by a safe one: a missing time, or a status that is not bettable.
  private mutating func countUnreadable(_ property: FeedBatch.Property, _ record: FeedBatch.Record) {
    if property.value == .outOfRange {
      counters.timesOutOfRange += 1
      note(.timeOutOfRange(property.field), record)
    } else {
      counters.unreadableStatuses += 1
      note(.unreadableStatus(property.field), record)
    }
  }

  private mutating func reject(_ reason: FeedIssue.Reason, _ record: FeedBatch.Record) {
    counters.rejected += 1
    note(reason, record)
  }

  mutating func note(_ reason: FeedIssue.Reason, _ record: FeedBatch.Record) {
    guard keepsIssues else { return }
    let offset = record.rawOffset == FeedBatch.noOffset ? nil : record.rawOffset
    issues.append(FeedIssue(reason: reason, kind: record.kind, id: record.id, offset: offset))
  }

  private mutating func delete(_ record: FeedBatch.Record, _ id: UInt64, _ batch: FeedBatch) {
    let slot = present(record.kind, id)
    guard slot != .none else {
      if !waiting.hasTombstone(PendingRecords.Key(kind: record.kind, id: id)) { hold(record, batch) }
      return
    }
    counters.applied += 1
    remove(record.kind, slot)
  }
}

extension RecordCounts {
  fileprivate mutating func count(_ kind: RecordKind) {
    switch kind {
    case .sport: sports += 1
    case .match: matches += 1
    case .market: markets += 1
    case .outcome: outcomes += 1
    case .marketOutcomeRelation: relations += 1
    case .bettingOffer: offers += 1
    case .mainMarket: mainMarkets += 1
    case .eventInfo: eventInfos += 1
    case .exchangeMarket: exchangeMarkets += 1
    case .exchangePrices: exchangePrices += 1
    case .other: others += 1
    }
  }
}
