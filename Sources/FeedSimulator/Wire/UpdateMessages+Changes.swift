import AccountModel
import JSONText

// The wire records of the book's changes.
extension UpdateMessages {
  /// Writes a change of a match, unless it concerns a market or offer that the topic does not include.
  mutating func write(_ change: BookChange, of match: SimulatedMatch, markets: MarketFilter) {
    switch change.kind {
    case .offer(let market, let offer): if markets.includes(offer: offer.id, of: market) { write(offer) }
    case .info(let info): update("EVENT_INFO", info.id) { $0.infoValues(info) }
    case .head(let head):
      update("MATCH", change.matchID) { json in
        json.headFields(head)
        if head.partName == nil { json.null("currentPartName") }
      }
    case .infosOpened(let infos):
      for info in infos { create("EVENT_INFO", info.id) { $0.infoFields(info, matchID: change.matchID) } }
    case .availability(let market, let availability):
      // NB: A market that was replaced later in the tick is not in the match; its replacement is a change of its own.
      let isThere = match.markets[market].id == availability.id
      if isThere, markets.includes(match.markets[market]) { write(availability) }
    case .lineReplaced(let market, let before, let after):
      let new = after.markets[market]
      keepTogether(records(of: before) + records(of: new))
      if markets.includes(before) { delete(before, markets) }
      if markets.includes(new) { create(new, of: after, markets) }
    }
  }

  /// Writes the creation of a match and its children, parents first.
  mutating func create(_ match: SimulatedMatch, markets: MarketFilter) {
    keepTogether(records(of: match, markets: markets))
    create("MATCH", match.id) { $0.matchFields(match) }
    for info in match.infos { create("EVENT_INFO", info.id) { $0.infoFields(info, matchID: match.id) } }
    for market in markets.markets(of: match) { create(market, of: match, markets) }
  }

  /// Writes the deletion of a match and its children, children first.
  mutating func delete(_ match: SimulatedMatch, markets: MarketFilter) {
    keepTogether(records(of: match, markets: markets))
    for market in markets.markets(of: match) { delete(market, markets) }
    for info in match.infos { delete("EVENT_INFO", info.id) }
    delete("MATCH", match.id)
  }

  private mutating func create(_ market: SimulatedMarket, of match: SimulatedMatch, _ markets: MarketFilter) {
    let offers = markets.offers(of: market)
    create("MARKET", market.id) { $0.marketFields(market, of: match) }
    for index in offers {
      create("OUTCOME", market.outcomeID(index)) { $0.outcomeFields(index, market, of: match) }
    }
    for index in offers {
      create("MARKET_OUTCOME_RELATION", market.relationID(index)) { $0.relationFields(index, market) }
    }
    for index in offers {
      create("BETTING_OFFER", market.offerID(index)) { $0.offerFields(index, market, of: match) }
    }
  }

  private mutating func delete(_ market: SimulatedMarket, _ markets: MarketFilter) {
    let offers = markets.offers(of: market)
    for index in offers { delete("BETTING_OFFER", market.offerID(index)) }
    for index in offers { delete("MARKET_OUTCOME_RELATION", market.relationID(index)) }
    for index in offers { delete("OUTCOME", market.outcomeID(index)) }
    delete("MARKET", market.id)
  }

  private mutating func write(_ change: OfferChange) {
    let (form, offer) = (change.form, change.offer)
    update("BETTING_OFFER", change.id) { json in
      if form == .price || form == .all { json.field("odds", hundredths: Int64(offer.odds)) }
      if form == .status || form == .all {
        json.field("statusId", offer.status.id)
        json.field("isAvailable", offer.status.isAvailable)
      }
      if form == .live || form == .all { json.field("isLive", change.isLive) }
      json.field("lastChangedTime", offer.changedAt)
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

  private func records(of match: SimulatedMatch, markets: MarketFilter) -> Int {
    1 + match.infos.count + markets.markets(of: match).reduce(0) { $0 + records(of: $1) }
  }
}
