import FeedSimulator
import JSONText
import OddsModel

// Records with all keys of the real feed, including those that the engine ignores.
extension JSONWriter {
  mutating func messageHead(_ type: StaticString) {
    field("version", String(RealisticFeed.time))
    field("format", "AGGREGATOR")
    field("messageType", type)
  }

  mutating func sportFields() {
    field("_type", "SPORT")
    field("id", "1")
    field("name", "Football")
  }

  mutating func mainMarketFields() {
    field("_type", "MAIN_MARKET")
    field("id", "69|3")
    field("bettingTypeId", "69")
    field("eventPartId", "3")
    field("sportId", "1")
    field("bettingTypeName", "Home Draw Away")
  }

  mutating func matchFields(_ match: Int, markets: Int) {
    let (home, away) = ("\(Words.towns[match % 20]) \(match) FC", "\(Words.towns[(match + 7) % 20]) \(match) United")
    let place = match / 12
    field("_type", "MATCH")
    field("id", id: WireID.match(match))
    field("typeId", "1")
    field("typeName", "Match")
    field("sportId", "1")
    field("sportName", "Football")
    field("shortSportName", "Football")
    field("parentId", id: WireID.participant(50_000 + place))
    field("parentName", "\(Words.towns[place % 20]) Premier League")
    field("shortParentName", "\(Words.towns[place % 20]) PL")
    field("parentTemplateId", "119")
    field("categoryId", id: WireID.participant(60_000 + place))
    field("categoryName", Words.towns[place % 20])
    field("shortCategoryName", Words.towns[place % 20])
    field("venueId", id: WireID.participant(70_000 + match))
    field("venueName", "\(Words.towns[match % 20]) Arena")
    field("shortVenueName", "\(Words.towns[match % 20]) Arena")
    field("name", "\(home) - \(away)")
    field("shortName", "\(home) - \(away)")
    field("startTime", RealisticFeed.time + 300_000 * Int64(match % 240))
    field("statusId", "2")
    field("statusName", "In Progress")
    field("homeParticipantId", id: WireID.participant(2 * match))
    field("homeParticipantName", home)
    field("homeShortParticipantName", home)
    field("homeParticipantShortName", home)
    field("awayParticipantId", id: WireID.participant(2 * match + 1))
    field("awayParticipantName", away)
    field("awayShortParticipantName", away)
    field("awayParticipantShortName", away)
    field("allowsLiveOdds", true)
    field("hasLiveStatistics", true)
    field("numberOfMarkets", Int64(markets))
    field("numberOfBettingOffers", Int64(markets * 4))
    field("currentPartId", "6")
    field("currentPartName", "1st Half")
    field("rootPartId", "3")
    field("rootPartName", "Ordinary Time")
    field("liveBroadcastUrl", "/live/stream/\(match)/index.m3u8")
    field("isTopMatch", false)
    field("redirectDelay", "0")
  }

  mutating func marketFields(_ market: Int, match: Int, outcomes: Int) {
    let type = market % Words.bettingTypes.count
    let name = Words.bettingTypes[type]
    let line = "\(market % 9).5"
    field("_type", "MARKET")
    field("id", id: WireID.market(market))
    field("name", "\(name), \(line), Ordinary Time")
    field("shortName", "\(name), \(line)")
    field("displayName", "\(name), \(line), Ordinary Time")
    field("displayShortName", "\(name), \(line)")
    field("displayKey", "threeOutcomesHandicapStyle")
    field("eventId", id: WireID.match(match))
    field("eventPartId", "3")
    field("eventPartName", "Ordinary Time")
    field("shortEventPartName", "Ordinary Time")
    field("bettingTypeId", String(69 + type))
    field("bettingTypeName", name)
    field("shortBettingTypeName", name)
    field("scoringUnitId", "1")
    field("scoringUnitName", "Goals")
    field("numberOfOutcomes", Int64(outcomes))
    field("isComplete", true)
    field("isClosed", false)
    field("isAvailable", true)
    field("mainLine", market.isMultiple(of: 5))
    field("paramFloat1", hundredths: Int64(market % 9 * 100 + 50))
    field("liveTradingStatus", "OPEN")
  }

  mutating func outcomeFields(_ outcome: Int, market: Int, match: Int) {
    let role = Words.roles[outcome % Words.roles.count]
    // A sixth of the markets have players as outcomes, each in several markets of the match.
    let player = "\(Words.towns[outcome % 20])son, \(Words.towns[(match + outcome) % 20]) \(match)"
    let name = market % 6 == 5 ? player : market % 3 == 1 ? "\(role.name) \(market % 9).5" : role.name
    field("_type", "OUTCOME")
    field("id", id: WireID.outcome(outcome))
    field("typeId", "13")
    field("typeName", role.name)
    field("eventId", id: WireID.match(match))
    field("eventPartId", "3")
    field("eventPartName", "Ordinary Time")
    field("statusId", "1")
    field("statusName", "Pending")
    field("name", name)
    field("translatedName", name)
    field("shortTranslatedName", name)
    field("headerName", role.name)
    field("headerShortName", role.name)
    field("headerNameKey", role.key)
    field("code", role.key)
    field("isNegation", false)
    field("paramFloat1", hundredths: Int64(market % 9 * 100 + 50))
    field("paramParticipantId1", id: WireID.participant(2 * match))
    field("paramParticipantId1Name", Words.towns[match % 20])
    field("paramEventPartId1", "3")
    field("isSettledWithoutResult", false)
    field("sortOrder", Int64(outcome % 4))
  }

  mutating func relationFields(_ outcome: Int, market: Int) {
    field("_type", "MARKET_OUTCOME_RELATION")
    field("id", id: WireID.relation(outcome))
    field("marketId", id: WireID.market(market))
    field("outcomeId", id: WireID.outcome(outcome))
  }

  mutating func offerFields(_ outcome: Int, market: Int) {
    field("_type", "BETTING_OFFER")
    field("id", id: WireID.offer(outcome))
    field("providerId", "3000107")
    field("sourceId", "7")
    field("outcomeId", id: WireID.outcome(outcome))
    field("bettingTypeId", String(69 + market % Words.bettingTypes.count))
    field("statusId", "1")
    field("statusName", "Standard")
    field("isMainOffer", true)
    field("isLive", true)
    field("isAvailable", true)
    field("odds", hundredths: 110 + Int64(SeededGenerator.mix(UInt64(outcome)) % 900))
    field("couponKey", "3000107_\(outcome)")
    field("lastChangedTime", RealisticFeed.time)
  }
}

private enum Words {
  static let towns = [
    "Bergen", "Bilbao", "Bristol", "Cardiff", "Dresden", "Dundee", "Ghent", "Graz", "Leeds", "Lublin", "Malaga",
    "Nimes",
    "Odense", "Parma", "Plovdiv", "Split", "Tallinn", "Turin", "Uppsala", "Vigo",
  ]

  static let bettingTypes = [
    "Home Draw Away", "Over Under", "Asian Handicap", "Both Teams To Score", "Double Chance", "Draw No Bet",
    "Correct Score", "Half Time/Full Time", "Odd Even", "Next Goal", "Anytime Goalscorer", "Total Corners",
    "Total Cards", "Winning Margin", "Exact Number Of Goals", "Clean Sheet", "Race To Goals", "Team Total",
    "Player To Be Booked", "Method Of First Goal",
  ]

  static let roles: [(name: String, key: StaticString)] = [
    ("Home", "home"), ("Draw", "draw"), ("Away", "away"), ("Over", "over"), ("Under", "under"), ("Yes", "yes"),
    ("No", "no"),
  ]
}
