import OddsFeed

// What each change of the book looks like on the wire.
extension UpdateMessages {
  /// Writes a change, unless it is about a market beyond the topic's limit.
  mutating func write(_ change: BookChange, markets: Int) {
    switch change.kind {
    case .offer(let market, let offer):
      if market < markets { write(offer) }
    case .info(let info):
      update("EVENT_INFO", info.id) { $0.infoValues(info) }
    case .head(let head):
      update("MATCH", change.matchID) { json in
        json.headFields(head)
        if head.partName == nil { json.null("currentPartName") }
      }
    case .infosOpened(let infos):
      for info in infos {
        create("EVENT_INFO", info.id) { $0.infoFields(info, matchID: change.matchID) }
      }
    case .availability(let market, let availability):
      if market < markets { write(availability) }
    case .lineReplaced(let market, let before, let after):
      guard market < markets else { return }
      keepTogether(records(of: before) + records(of: after.markets[market]))
      delete(before)
      create(after.markets[market], of: after)
    }
  }

  mutating func writeCounts(_ sport: Sport, _ count: SportCount) {
    update(sport) { $0.sportCounters(count) }
    update("LIVE_MATCHES_NUMBER", WireID.liveNumber(sport)) { $0.field("number", Int64(count.live)) }
  }

  /// Creates a match with all that belongs to it, parents first.
  mutating func create(_ match: SimulatedMatch, markets: Int) {
    keepTogether(records(of: match, markets: markets))
    create("MATCH", match.id) { $0.matchFields(match) }
    for info in match.infos {
      create("EVENT_INFO", info.id) { $0.infoFields(info, matchID: match.id) }
    }
    for market in match.markets.prefix(markets) { create(market, of: match) }
  }

  /// Deletes a match with all that belongs to it, children first.
  mutating func delete(_ match: SimulatedMatch, markets: Int) {
    keepTogether(records(of: match, markets: markets))
    for market in match.markets.prefix(markets) { delete(market) }
    for info in match.infos { delete("EVENT_INFO", info.id) }
    delete("MATCH", match.id)
  }

  private mutating func create(_ market: SimulatedMarket, of match: SimulatedMatch) {
    create("MARKET", market.id) { $0.marketFields(market, of: match) }
    for index in market.roles.indices {
      create("OUTCOME", market.outcomeID(index)) { $0.outcomeFields(index, market, of: match) }
    }
    for index in market.roles.indices {
      create("MARKET_OUTCOME_RELATION", market.relationID(index)) { $0.relationFields(index, market) }
    }
    for index in market.roles.indices {
      create("BETTING_OFFER", market.offerID(index)) { $0.offerFields(index, market, of: match) }
    }
  }

  private mutating func delete(_ market: SimulatedMarket) {
    for index in market.roles.indices { delete("BETTING_OFFER", market.offerID(index)) }
    for index in market.roles.indices { delete("MARKET_OUTCOME_RELATION", market.relationID(index)) }
    for index in market.roles.indices { delete("OUTCOME", market.outcomeID(index)) }
    delete("MARKET", market.id)
  }

  private mutating func write(_ change: OfferChange) {
    update("BETTING_OFFER", change.id) { json in
      switch change.form {
      case .price:
        json.field("odds", hundredths: Int64(change.offer.odds))
      case .status:
        json.statusFields(change.offer)
      case .live:
        json.field("isLive", change.isLive)
      case .all:
        json.field("odds", hundredths: Int64(change.offer.odds))
        json.statusFields(change.offer)
        json.field("isLive", change.isLive)
      }
      json.field("lastChangedTime", change.offer.changedAt)
    }
  }

  private mutating func write(_ availability: MarketAvailability) {
    update("MARKET", availability.id) { json in
      json.field("isAvailable", availability.notAvailableSince == nil)
      if availability.isClosed { json.field("isClosed", true) }
      if let since = availability.notAvailableSince {
        json.field("notAvailableSince", since)
      } else {
        json.null("notAvailableSince")
      }
    }
  }

  private func records(of market: SimulatedMarket) -> Int { 1 + 3 * market.roles.count }

  private func records(of match: SimulatedMatch, markets: Int) -> Int {
    1 + match.infos.count + match.markets.prefix(markets).reduce(0) { $0 + records(of: $1) }
  }
}

extension JSONWriter {
  fileprivate mutating func statusFields(_ offer: SimulatedOffer) {
    field("statusId", offer.status.id)
    field("isAvailable", offer.status.isAvailable)
  }
}
