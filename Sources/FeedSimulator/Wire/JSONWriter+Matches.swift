import AccountModel
import JSONText

// The wire records of a match, its markets and their children (Records.md). Each method writes one object's fields.
extension JSONWriter {
  mutating func matchFields(_ match: SimulatedMatch) {
    let fixture = match.fixture
    let tournament = fixture.tournament
    field("_type", "MATCH")
    field("id", id: match.id)
    field("sportId", id: match.sport.id)
    field("sportName", match.sport.name)
    field("parentId", id: SimulatedRecordID.tournament(tournament))
    field("parentName", tournament.name)
    field("categoryId", id: SimulatedRecordID.category(match.sport, tournament.country))
    field("categoryName", tournament.country.name)
    field("venueId", id: SimulatedRecordID.location(tournament.country))
    field("venueName", tournament.country.name)
    field("name", match.name)
    field("shortName", match.name)
    field("startTime", match.startTime)
    headFields(match.head)
    field("homeParticipantId", id: match.homeParticipantID)
    field("homeParticipantName", fixture.home)
    field("awayParticipantId", id: match.awayParticipantID)
    field("awayParticipantName", fixture.away)
    field("numberOfMarkets", Int64(match.markets.count))
    field("redirectDelay", "0")
  }

  mutating func headFields(_ head: MatchStatusFields) {
    field("statusId", head.status.wire.id)
    field("statusName", head.status.wire.name)
    if let partName = head.partName { field("currentPartName", partName) }
  }

  mutating func infoFields(_ info: EventInfo, matchID: Int64) {
    field("_type", "EVENT_INFO")
    field("id", id: info.id)
    field("typeId", info.kind.type.id)
    field("typeName", info.kind.type.name)
    field("eventId", id: matchID)
    infoValues(info)
  }

  mutating func infoValues(_ info: EventInfo) {
    switch info.kind {
    case .score:
      field("paramFloat1", info.first)
      field("paramFloat2", info.second)
    case .server: field("paramParticipantId1", id: info.first)
    case .status, .minute: field("paramFloat1", info.first)
    }
  }

  mutating func marketFields(_ market: SimulatedMarket, of match: SimulatedMatch) {
    let betting = BettingType(market.kind, match.sport)
    field("_type", "MARKET")
    field("id", id: market.id)
    field("eventId", id: match.id)
    field("name", betting.marketName)
    field("shortName", betting.shortName)
    field("bettingTypeId", betting.id)
    field("bettingTypeName", betting.name)
    field("eventPartId", match.sport.eventPart.id)
    field("eventPartName", match.sport.eventPart.name)
    field("isAvailable", market.isAvailable)
    field("isClosed", market.isClosed)
    if let since = market.notAvailableSince { field("notAvailableSince", since) }
    field("mainLine", true)
    field("displayKey", betting.displayKey)
    field("numberOfOutcomes", Int64(market.roles.count))
    if let line = market.line { field("paramFloat1", hundredths: Int64(line * 100)) }
  }

  mutating func outcomeFields(_ index: Int, _ market: SimulatedMarket, of match: SimulatedMatch) {
    let role = market.roles[index]
    field("_type", "OUTCOME")
    field("id", id: market.outcomeID(index))
    field("eventId", id: match.id)
    field("typeName", role.wire.name)
    switch role {
    case .home: field("translatedName", match.fixture.home)
    case .away: field("translatedName", match.fixture.away)
    case .draw, .over, .under: field("translatedName", role.wire.name)
    }
    field("shortTranslatedName", role.wire.name)
    field("headerName", role.wire.header)
    field("headerNameKey", role.wire.key)
    field("code", role.wire.key)
    if let line = market.line {
      let sign = market.kind == .handicap && role == .away ? -1.0 : 1
      field("paramFloat1", hundredths: Int64(line * sign * 100))
    }
  }

  mutating func relationFields(_ index: Int, _ market: SimulatedMarket) {
    field("_type", "MARKET_OUTCOME_RELATION")
    field("id", id: market.relationID(index))
    field("marketId", id: market.id)
    field("outcomeId", id: market.outcomeID(index))
  }

  mutating func offerFields(_ index: Int, _ market: SimulatedMarket, of match: SimulatedMatch) {
    let offer = market.offers[index]
    field("_type", "BETTING_OFFER")
    field("id", id: market.offerID(index))
    field("outcomeId", id: market.outcomeID(index))
    field("providerId", "1")
    field("bettingTypeId", BettingType(market.kind, match.sport).id)
    field("odds", hundredths: Int64(offer.odds))
    field("statusId", offer.status.id)
    field("isAvailable", offer.status.isAvailable)
    field("isLive", !match.isUpcoming)
    field("lastChangedTime", offer.changedAt)
  }
}
