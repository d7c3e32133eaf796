extension ChannelState {
  /// Marks the matches in whose markets an outcome stands.
  func touch(outcome: UInt64?, _ touched: inout Set<MatchID>) {
    guard let outcome else { return }
    for market in marketsOfOutcome[outcome] {
      if let event = markets[market]?.eventID { touched.insert(MatchID(raw: event)) }
    }
  }

  /// Puts an outcome into a market, once, however often the feed says so.
  mutating func attach(_ outcome: UInt64, to market: UInt64) {
    if marketsOfOutcome[outcome].contains(market) { return }
    marketsOfOutcome.move(market, from: nil, to: outcome)
    outcomesOfMarket.move(outcome, from: nil, to: market)
  }

  mutating func detach(_ outcome: UInt64, from market: UInt64) {
    marketsOfOutcome.remove(market, from: outcome)
    outcomesOfMarket.remove(outcome, from: market)
  }

  mutating func relate(
    from old: MarketOutcomeRelationRecord?, to new: MarketOutcomeRelationRecord?, _ touched: inout Set<MatchID>
  ) {
    if let outcome = old?.outcomeID, let market = old?.marketID, outcomes[outcome]?.marketID != market {
      touch(outcome: outcome, &touched)
      detach(outcome, from: market)
    }
    if let outcome = new?.outcomeID, let market = new?.marketID {
      attach(outcome, to: market)
      touch(outcome: outcome, &touched)
    }
  }

  /// Takes an outcome and its offers out. False where there was none.
  mutating func removeOutcome(_ id: UInt64) -> Bool {
    for offer in offersOfOutcome[id] {
      _ = offers.remove(offer)
      offersOfOutcome.remove(offer, from: id)
    }
    for market in marketsOfOutcome[id] { detach(id, from: market) }
    return outcomes.remove(id) != nil
  }

  /// Takes a market, its outcomes and their offers out; returns the market.
  mutating func removeMarket(_ id: UInt64) -> MarketRecord? {
    for outcome in outcomesOfMarket[id] {
      if marketsOfOutcome[outcome].count == 1 { _ = removeOutcome(outcome) } else { detach(outcome, from: id) }
    }
    let old = markets.remove(id)
    if let event = old?.eventID { marketsOfMatch.remove(id, from: event) }
    return old
  }

  /// Every row's main market may be another one now.
  mutating func mainMarketsChanged(_ touched: inout Set<MatchID>) {
    mainBettingTypes = Set(mainMarkets.records.values.compactMap(\.bettingTypeID))
    touched.formUnion(matchIDs)
  }
}
