import OddsModel

/// Removal of records with all their children (StoreRules.md, rule 7).
extension ChannelState {
  mutating func remove(_ kind: RecordKind, _ slot: Slot) {
    if kind != .bettingOffer { touched.mayRepeat = true }
    switch kind {
    case .sport:
      markMatchesDirty(ofSport: sports[slot].id)
      sports.remove(slot)
    case .match: remove(match: slot)
    case .market: remove(market: slot)
    case .outcome: remove(outcome: slot)
    case .marketOutcomeRelation: remove(relation: slot)
    case .bettingOffer: remove(offer: slot)
    case .mainMarket:
      mainMarkets.remove(slot)
      mainMarketsAreStale = true
    case .eventInfo: remove(eventInfo: slot)
    case .exchangeMarket:
      markDirty(exchangeMarket: exchangeMarkets[slot].id)
      exchangeMarkets.remove(slot)
    case .exchangePrices:
      let outcome = outcomes.slot(of: exchangePrices[slot].id)
      if outcome != .none { markDirty(outcome: outcome) }
      exchangePrices.remove(slot)
    case .other: break
    }
  }

  private mutating func remove(match slot: Slot) {
    markDirty(match: slot)
    for market in markets.all(matches[slot].markets, MarketsOfMatch.self) {
      goes(.market, markets[market].id)
      remove(market: market)
    }
    for info in eventInfos.all(matches[slot].infos, InfosOfMatch.self) {
      goes(.eventInfo, eventInfos[info].id)
      remove(eventInfo: info)
    }
    values.forget(match: slot)
    matches.remove(slot)
  }

  private mutating func remove(eventInfo slot: Slot) {
    unlink(eventInfo: slot)
    stopWaiting(.eventInfo, eventInfos[slot])
    eventInfos.remove(slot)
  }

  /// Removes a market and its outcomes, except outcomes that are in another market too.
  private mutating func remove(market slot: Slot) {
    markDirty(market: slot)
    sortChildren()
    for relation in relations.all(markets[slot].relations, RelationsOfMarket.self) {
      // NB: an outcome that is joined twice is removed with its first relation. That removes the second relation, too.
      guard relations[relation].market == slot else { continue }
      let outcome = relations[relation].outcome
      // These relations are sorted by market id, so checking the first and the last is enough.
      let others = outcomes[outcome].relations
      let isElsewhere = relations[others.first].market != slot || relations[others.last].market != slot
      if !isElsewhere, outcomes[outcome].isPresent {
        goes(.outcome, outcomes[outcome].id)
        remove(outcome: outcome)
      } else {
        removeGone(relation: relation)
      }
    }
    if !exchangeMarkets.isUnused, case let state = exchangeMarkets.present(markets[slot].id), state != .none {
      goes(.exchangeMarket, markets[slot].id)
      exchangeMarkets.remove(state)
    }
    stopWaiting(.market, markets[slot])
    unlink(market: slot)
    values.forget(market: slot)
    markets.remove(slot)
  }

  private mutating func remove(outcome slot: Slot) {
    markDirty(outcome: slot)
    for offer in offers.all(outcomes[slot].offers, OffersOfOutcome.self) {
      goes(.bettingOffer, offers[offer].id)
      remove(offer: offer)
    }
    for relation in relations.all(outcomes[slot].relations, RelationsOfOutcome.self) { removeGone(relation: relation) }
    if !exchangePrices.isUnused, case let prices = exchangePrices.present(outcomes[slot].id), prices != .none {
      goes(.exchangePrices, outcomes[slot].id)
      exchangePrices.remove(prices)
    }
    stopWaiting(.outcome, outcomes[slot])
    outcomes.remove(slot)
  }

  /// Removes a relation whose market or outcome is removed.
  private mutating func removeGone(relation slot: Slot) {
    let isRecord = relations[slot].id != RawID.none
    if isRecord {
      goes(.marketOutcomeRelation, relations[slot].id)
    } else {
      outcomes[relations[slot].outcome].direct = .none
      outcomes[relations[slot].outcome].content.marketID = RawID.none
    }
    remove(relation: slot, isIndexed: isRecord)
  }

  mutating func remove(relation slot: Slot, isIndexed: Bool = true) {
    unlink(relation: slot)
    stopWaiting(.marketOutcomeRelation, relations[slot])
    relations.remove(slot, isIndexed: isIndexed)
  }

  private mutating func remove(offer slot: Slot) {
    keepLastOdds(ofOffer: slot)
    unlink(offer: slot)
    stopWaiting(.bettingOffer, offers[slot])
    offers.remove(slot)
  }

  /// Remembers a child that is removed with its parent, because its own deletion may follow.
  private mutating func goes(_ kind: RecordKind, _ id: UInt64) {
    waiting.goes(PendingRecords.Key(kind: kind, id: id), at: time, limit: options.pendingLimit)
  }
}
