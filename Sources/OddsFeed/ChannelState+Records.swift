extension ChannelState {
  mutating func apply(_ record: FeedBatch.Record, _ batch: FeedBatch, _ touched: inout Set<MatchID>) {
    if record.kind == .other {
      counters.ignored += 1
      return
    }
    guard let id = record.id else {
      counters.setAside += 1
      return
    }
    if record.change == .delete { return delete(record.kind, id, &touched) }
    switch record.kind {
    case .bettingOffer:
      let old = offers[id]
      guard let new = patched(old, id, record, batch) else { return }
      if record.change == .update, hasOdds(record, batch) { counters.oddsUpdates += 1 }
      if new == old { return }
      _ = offers.put(id, new)
      offersOfOutcome.move(id, from: old?.outcomeID, to: new.outcomeID)
      touch(outcome: old?.outcomeID, &touched)
      if old?.outcomeID != new.outcomeID { touch(outcome: new.outcomeID, &touched) }
    case .outcome:
      let old = outcomes[id]
      guard let new = patched(old, id, record, batch), new != old else { return }
      _ = outcomes.put(id, new)
      touch(outcome: id, &touched)
      if let market = old?.marketID, market != new.marketID { detach(id, from: market) }
      if let market = new.marketID { attach(id, to: market) }
      touch(outcome: id, &touched)
    case .marketOutcomeRelation:
      let old = relations[id]
      guard let new = patched(old, id, record, batch), new != old else { return }
      _ = relations.put(id, new)
      relate(from: old, to: new, &touched)
    case .market:
      let old = markets[id]
      guard let new = patched(old, id, record, batch), new != old else { return }
      _ = markets.put(id, new)
      marketsOfMatch.move(id, from: old?.eventID, to: new.eventID)
      if let event = old?.eventID { touched.insert(MatchID(raw: event)) }
      if let event = new.eventID { touched.insert(MatchID(raw: event)) }
    case .match:
      guard let new = patched(matches[id], id, record, batch), matches.put(id, new) != new else { return }
      labels[MatchID(raw: id)] = nil
      touched.insert(MatchID(raw: id))
    case .eventInfo:
      let old = eventInfos[id]
      guard let new = patched(old, id, record, batch), new != old else { return }
      _ = eventInfos.put(id, new)
      infosOfMatch.move(id, from: old?.eventID, to: new.eventID)
      if let event = old?.eventID { touched.insert(MatchID(raw: event)) }
      if let event = new.eventID { touched.insert(MatchID(raw: event)) }
    case .mainMarket:
      guard let new = patched(mainMarkets[id], id, record, batch), mainMarkets.put(id, new) != new else { return }
      mainMarketsChanged(&touched)
    case .sport:
      guard let new = patched(sports[id], id, record, batch) else { return }
      _ = sports.put(id, new)
    case .other: break
    }
  }

  /// The record with the message's fields on it, or nil where there is nothing to put: unknown id or bad value.
  private mutating func patched<Record: WireRecord>(
    _ old: Record?, _ id: UInt64, _ record: FeedBatch.Record, _ batch: FeedBatch
  ) -> Record? {
    if record.change == .update, old == nil {
      counters.held += 1
      return nil
    }
    var new = record.change == .update ? old! : Record(id: id)
    for at in record.properties {
      let property = batch.properties[at]
      guard new.set(property.field, property.value, batch.texts) else {
        counters.setAside += 1
        return nil
      }
    }
    guard new.isSound else {
      counters.setAside += 1
      return nil
    }
    counters.applied += 1
    return new
  }

  private func hasOdds(_ record: FeedBatch.Record, _ batch: FeedBatch) -> Bool {
    batch.properties[record.properties].contains { $0.field == .odds }
  }

  /// Deleting a parent takes its children with it, in whatever order the deletes come (FEED.md §4 rule 7).
  private mutating func delete(_ kind: EntityKind, _ id: UInt64, _ touched: inout Set<MatchID>) {
    var known = true
    switch kind {
    case .bettingOffer:
      let old = offers.remove(id)
      known = old != nil
      offersOfOutcome.move(id, from: old?.outcomeID, to: nil)
      touch(outcome: old?.outcomeID, &touched)
    case .outcome:
      touch(outcome: id, &touched)
      known = removeOutcome(id)
    case .marketOutcomeRelation:
      let old = relations.remove(id)
      known = old != nil
      relate(from: old, to: nil, &touched)
    case .market:
      let old = removeMarket(id)
      known = old != nil
      if let event = old?.eventID { touched.insert(MatchID(raw: event)) }
    case .match:
      for market in marketsOfMatch[id] { _ = removeMarket(market) }
      for info in infosOfMatch[id] {
        _ = eventInfos.remove(info)
        infosOfMatch.remove(info, from: id)
      }
      known = matches.remove(id) != nil
      labels[MatchID(raw: id)] = nil
      touched.insert(MatchID(raw: id))
    case .eventInfo:
      let old = eventInfos.remove(id)
      known = old != nil
      infosOfMatch.move(id, from: old?.eventID, to: nil)
      if let event = old?.eventID { touched.insert(MatchID(raw: event)) }
    case .mainMarket:
      known = mainMarkets.remove(id) != nil
      mainMarketsChanged(&touched)
    case .sport: known = sports.remove(id) != nil
    case .other: break
    }
    if known { counters.applied += 1 } else { counters.held += 1 }
  }
}
