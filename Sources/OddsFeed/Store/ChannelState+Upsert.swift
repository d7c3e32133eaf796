import OddsModel

/// Insertion and update of records, with the links to their parents. The `known` slot is `.none` for a new record.
extension ChannelState {
  mutating func upsert(match id: UInt64, _ known: Slot, _ content: MatchContent) {
    if known != .none, matches[known].content == content { return }
    let slot = known == .none ? matches.slotOrPlaceholder(id) : known
    let wasOver = matches[slot].content.isOver
    matches[slot].content = content
    matches[slot].marks.insert(.present)
    values.dropLabels(slot)
    markDirty(match: slot)
    if content.isOver != wasOver { markMarketsDirty(ofMatch: slot) }
    if known == .none { childrenArrive(ofMatch: slot) }
  }

  mutating func upsert(market id: UInt64, _ known: Slot, _ content: MarketContent) {
    if known != .none, markets[known].content == content { return }
    let slot = known == .none ? markets.slotOrPlaceholder(id) : known
    markets[slot].content = content
    markets[slot].marks.insert(.present)
    let old = markets[slot].match
    let new = content.eventID == RawID.none ? Slot.none : matches.slotOrPlaceholder(content.eventID)
    if new != old {
      unlink(market: slot)
      markets[slot].match = new
      if new != .none {
        if markets.link(slot, into: &matches[new].markets, MarketsOfMatch.self) { unsorted.append(.match(new)) }
        markDirty(match: new)
      }
    }
    markDirty(market: slot)
    markOutcomesDirty(ofMarket: slot)
    if known == .none { childrenArrive(ofMarket: slot) }
    updatePending(market: slot)
  }

  /// Removes a market from its match's list and marks the match as changed.
  mutating func unlink(market slot: Slot) {
    let match = markets[slot].match
    guard match != .none else { return }
    markDirty(match: match)
    markets.unlink(slot, from: &matches[match].markets, MarketsOfMatch.self)
    markets[slot].match = .none
    dropPlaceholder(match: match)
  }

  mutating func upsert(outcome id: UInt64, _ known: Slot, _ content: OutcomeContent) {
    if known != .none, outcomes[known].content == content { return }
    let slot = known == .none ? outcomes.slotOrPlaceholder(id) : known
    let isElsewhere = outcomes[slot].content.marketID != content.marketID
    outcomes[slot].content = content
    outcomes[slot].marks.insert(.present)
    if isElsewhere {
      let direct = outcomes[slot].direct
      outcomes[slot].direct = .none
      if direct != .none { remove(relation: direct, isIndexed: false) }
      if content.marketID != RawID.none {
        var relation = RelationNode(id: RawID.none)
        relation.content = RelationContent(marketID: content.marketID, outcomeID: id)
        relation.marks = .present
        let place = relations.add(relation)
        link(relation: place)
        outcomes[slot].direct = place
      }
    }
    markDirty(outcome: slot)
    if known == .none { childrenArrive(ofOutcome: slot) }
    updatePending(outcome: slot)
  }

  mutating func upsert(relation id: UInt64, _ known: Slot, _ content: RelationContent) {
    if known != .none, relations[known].content == content { return }
    let slot = known == .none ? relations.slotOrPlaceholder(id) : known
    if known != .none { unlink(relation: slot) }
    relations[slot].content = content
    relations[slot].marks.insert(.present)
    link(relation: slot)
    updatePending(relation: slot)
  }

  /// Links a relation to its market and outcome. Does nothing unless it names both.
  private mutating func link(relation slot: Slot) {
    let content = relations[slot].content
    guard content.marketID != RawID.none, content.outcomeID != RawID.none else { return }
    let (market, outcome) = (markets.slotOrPlaceholder(content.marketID), outcomes.slotOrPlaceholder(content.outcomeID))
    relations[slot].market = market
    relations[slot].outcome = outcome
    if relations.link(slot, into: &markets[market].relations, RelationsOfMarket.self) {
      unsorted.append(.market(market))
    }
    if relations.link(slot, into: &outcomes[outcome].relations, RelationsOfOutcome.self) {
      unsorted.append(.outcome(outcome))
    }
    forgetMarket(ofOffers: outcomes[outcome].offers)
    markDirty(outcome: outcome)
    markDirty(market: market)
  }

  mutating func unlink(relation slot: Slot) {
    let (market, outcome) = (relations[slot].market, relations[slot].outcome)
    guard market != .none else { return }
    markDirty(outcome: outcome)
    relations.unlink(slot, from: &markets[market].relations, RelationsOfMarket.self)
    relations.unlink(slot, from: &outcomes[outcome].relations, RelationsOfOutcome.self)
    relations[slot].market = .none
    relations[slot].outcome = .none
    forgetMarket(ofOffers: outcomes[outcome].offers)
    dropPlaceholder(market: market)
    dropPlaceholder(outcome: outcome)
  }

  /// Clears the offers' cached market, because the markets of their outcome have changed.
  private mutating func forgetMarket(ofOffers children: IntrusiveChildList) {
    var slot = children.first
    while slot != .none {
      offers[slot].market = .none
      slot = offers[slot].inOutcome.next
    }
  }

  mutating func upsert(offer id: UInt64, _ known: Slot, _ content: OfferContent) {
    if known != .none, offers[known].content == content { return }
    let slot = known == .none ? offers.slotOrPlaceholder(id) : known
    let old = offers[slot].outcome
    if content.odds == absentNumber || content.outcomeID != offers[slot].content.outcomeID {
      keepLastOdds(ofOffer: slot)
    }
    offers[slot].content = content
    offers[slot].marks.insert(.present)
    let new = content.outcomeID == RawID.none ? Slot.none : outcomes.slotOrPlaceholder(content.outcomeID)
    if new != old {
      unlink(offer: slot)
      offers[slot].outcome = new
      if new != .none, offers.link(slot, into: &outcomes[new].offers, OffersOfOutcome.self) {
        unsorted.append(.outcome(new))
      }
    }
    markDirty(offer: slot)
    updatePending(offer: slot)
  }

  /// Stores an offer's price in its outcome, before the price is cleared or the offer is moved or removed. A price
  /// with the status `lastTraded` is not stored: it is that of a matched bet.
  mutating func keepLastOdds(ofOffer slot: Slot) {
    let (outcome, odds) = (offers[slot].outcome, offers[slot].content.offeredOdds)
    if outcome != .none, odds != absentNumber { outcomes[outcome].lastOdds = odds }
  }

  mutating func unlink(offer slot: Slot) {
    let outcome = offers[slot].outcome
    guard outcome != .none else { return }
    markDirty(offer: slot)
    offers.unlink(slot, from: &outcomes[outcome].offers, OffersOfOutcome.self)
    offers[slot].outcome = .none
    offers[slot].market = .none
    dropPlaceholder(outcome: outcome)
  }

  mutating func upsert(eventInfo id: UInt64, _ known: Slot, _ content: EventInfoContent) {
    if known != .none, eventInfos[known].content == content { return }
    let slot = known == .none ? eventInfos.slotOrPlaceholder(id) : known
    let old = eventInfos[slot].match
    eventInfos[slot].content = content
    eventInfos[slot].marks.insert(.present)
    let new = content.eventID == RawID.none ? Slot.none : matches.slotOrPlaceholder(content.eventID)
    if new != old {
      unlink(eventInfo: slot)
      eventInfos[slot].match = new
      if new != .none, eventInfos.link(slot, into: &matches[new].infos, InfosOfMatch.self) {
        unsorted.append(.match(new))
      }
    }
    if new != .none { markDirty(match: new) }
    updatePending(eventInfo: slot)
  }

  mutating func unlink(eventInfo slot: Slot) {
    let match = eventInfos[slot].match
    guard match != .none else { return }
    markDirty(match: match)
    eventInfos.unlink(slot, from: &matches[match].infos, InfosOfMatch.self)
    eventInfos[slot].match = .none
    dropPlaceholder(match: match)
  }

  mutating func upsert(exchangeMarket id: UInt64, _ known: Slot, _ content: ExchangeMarketContent) {
    if known != .none, exchangeMarkets[known].content == content { return }
    let slot = exchangeMarkets.slotOrPlaceholder(id)
    exchangeMarkets[slot].content = content
    exchangeMarkets[slot].marks.insert(.present)
    markDirty(exchangeMarket: id)
  }

  /// Marks a market as changed because its state on the exchange has.
  mutating func markDirty(exchangeMarket id: UInt64) {
    let market = markets.slot(of: id)
    guard market != .none else { return }
    markDirty(market: market)
    markOutcomesDirty(ofMarket: market)
  }

  mutating func upsert(exchangePrices id: UInt64, _ known: Slot, _ content: ExchangePricesContent) {
    if known != .none, exchangePrices[known].content == content { return }
    let slot = exchangePrices.slotOrPlaceholder(id)
    exchangePrices[slot].content = content
    exchangePrices[slot].marks.insert(.present)
    let outcome = outcomes.slot(of: id)
    if outcome != .none { markDirty(outcome: outcome) }
  }

  mutating func upsert(mainMarket id: UInt64, _ known: Slot, _ content: MainMarketContent) {
    if known != .none, mainMarkets[known].content == content { return }
    let slot = mainMarkets.slotOrPlaceholder(id)
    if known == .none { mainMarkets[slot].order = values.nextOrder() }
    mainMarkets[slot].content = content
    mainMarkets[slot].marks.insert(.present)
    mainMarketsAreStale = true
  }
}

extension ChannelState {
  private mutating func dropPlaceholder(match slot: Slot) {
    let match = matches[slot]
    if !match.isPresent, match.markets.isEmpty, match.infos.isEmpty { matches.remove(slot) }
  }

  private mutating func dropPlaceholder(market slot: Slot) {
    if !markets[slot].isPresent, markets[slot].relations.isEmpty { markets.remove(slot) }
  }

  private mutating func dropPlaceholder(outcome slot: Slot) {
    let outcome = outcomes[slot]
    if !outcome.isPresent, outcome.offers.isEmpty, outcome.relations.isEmpty { outcomes.remove(slot) }
  }
}
