import FeedSimulator

/// A dump with the format, order and record sizes of the real feed (Rates.md), and updates of its odds. The average
/// sizes are: MATCH 1.2 kB, MARKET 640 B, OUTCOME 540 B, BETTING_OFFER 300 B, MARKET_OUTCOME_RELATION 130 B.
struct RealisticFeed {
  let matches: Int
  let markets: Int
  /// The number of outcomes, which is also that of relations and of offers.
  let outcomes: Int
  /// The number of markets of the first match. The other matches share the rest evenly.
  let topMarkets: Int

  /// A page with a dump of 142 kB.
  static let page = RealisticFeed(matches: 37, markets: 37, outcomes: 75, topMarkets: 1)
  /// All football matches.
  static let football = RealisticFeed(matches: 1330, markets: 124_613, outcomes: 429_527, topMarkets: 987)
  /// A hundred matches with three markets each.
  static let hundred = RealisticFeed(matches: 100, markets: 300, outcomes: 1034, topMarkets: 3)
  /// A 50th of all football matches.
  static let quick = RealisticFeed(matches: 27, markets: 2492, outcomes: 8591, topMarkets: 987)

  static let time = 1_750_752_646_168

  var records: Int { 2 + matches + markets + 3 * outcomes }

  /// Returns the INITIAL_DUMP message.
  func dump() -> [UInt8] {
    let markets = 0..<markets
    let matchOfMarket = (0..<matches).flatMap { match in marketRange(of: match).map { _ in match } }
    let marketOfOutcome = markets.flatMap { market in outcomeRange(of: market).map { _ in market } }
    var text: [UInt8] = []
    text.reserveCapacity(matches * 1300 + markets.count * 700 + outcomes * 1050 + 4096)
    text += Self.head("INITIAL_DUMP").utf8
    text += #"{"_type":"SPORT","id":"1","name":"Football"}"#.utf8
    for match in 0..<matches { text += matchRecord(match).utf8 }
    for market in markets { text += marketRecord(market, match: matchOfMarket[market]).utf8 }
    for outcome in 0..<outcomes {
      let market = marketOfOutcome[outcome]
      text += outcomeRecord(outcome, market: market, match: matchOfMarket[market]).utf8
    }
    for outcome in 0..<outcomes { text += relationRecord(outcome, market: marketOfOutcome[outcome]).utf8 }
    for outcome in 0..<outcomes { text += offerRecord(outcome, market: marketOfOutcome[outcome]).utf8 }
    text +=
      """
      ,{"_type":"MAIN_MARKET","id":"69|3","bettingTypeId":"69","eventPartId":"3","sportId":"1",\
      "bettingTypeName":"Home Draw Away"}]}
      """.utf8
    return text
  }

  /// Returns UPDATE messages of one record each, with new odds of a random offer.
  func updates(_ count: Int, seed: UInt64) -> FeedText {
    var random = SeededGenerator(seed: seed)
    var text: [UInt8] = []
    text.reserveCapacity(count * 270)
    for _ in 0..<count {
      let offer = BenchRecordID.offer(random.index(below: outcomes))
      text += Self.head("UPDATE").utf8
      text +=
        """
        {"changeType":"UPDATE","entityType":"BETTING_OFFER","id":"\(offer)","changedProperties":\
        {"odds":\(Double(101 + random.index(below: 2000)) / 100),"lastChangedTime":\(Self.time)}}]}\n
        """.utf8
    }
    return FeedText(bytes: text)
  }

  private static func head(_ type: String) -> String {
    #"{"version":"\#(time)","format":"AGGREGATOR","messageType":"\#(type)","records":["#
  }

  private func marketRange(of match: Int) -> Range<Int> {
    if match == 0 { return 0..<topMarkets }
    let (rest, others) = (markets - topMarkets, matches - 1)
    return topMarkets + (match - 1) * rest / others..<topMarkets + match * rest / others
  }

  private func outcomeRange(of market: Int) -> Range<Int> {
    market * outcomes / markets..<(market + 1) * outcomes / markets
  }
}

// The records, with all keys of the real feed, including those that the engine ignores.
extension RealisticFeed {
  private func matchRecord(_ match: Int) -> String {
    let (town, place) = (Self.towns[match % 20], match / 12)
    let (home, away) = ("\(town) \(match) FC", "\(Self.towns[(match + 7) % 20]) \(match) United")
    let (country, markets) = (Self.towns[place % 20], marketRange(of: match).count)
    return """
      ,{"_type":"MATCH","id":"\(BenchRecordID.match(match))","typeId":"1","typeName":"Match","sportId":"1",\
      "sportName":"Football","shortSportName":"Football","parentId":"\(BenchRecordID.participant(50_000 + place))",\
      "parentName":"\(country) Premier League","shortParentName":"\(country) PL","parentTemplateId":"119",\
      "categoryId":"\(BenchRecordID.participant(60_000 + place))","categoryName":"\(country)",\
      "shortCategoryName":"\(country)","venueId":"\(BenchRecordID.participant(70_000 + match))",\
      "venueName":"\(town) Arena","shortVenueName":"\(town) Arena","name":"\(home) - \(away)",\
      "shortName":"\(home) - \(away)","startTime":\(Self.time + 300_000 * (match % 240)),"statusId":"2",\
      "statusName":"In Progress","homeParticipantId":"\(BenchRecordID.participant(2 * match))",\
      "homeParticipantName":"\(home)","homeShortParticipantName":"\(home)","homeParticipantShortName":"\(home)",\
      "awayParticipantId":"\(BenchRecordID.participant(2 * match + 1))","awayParticipantName":"\(away)",\
      "awayShortParticipantName":"\(away)","awayParticipantShortName":"\(away)","allowsLiveOdds":true,\
      "hasLiveStatistics":true,"numberOfMarkets":\(markets),"numberOfBettingOffers":\(markets * 4),\
      "currentPartId":"6","currentPartName":"1st Half","rootPartId":"3","rootPartName":"Ordinary Time",\
      "liveBroadcastUrl":"/live/stream/\(match)/index.m3u8","isTopMatch":false,"redirectDelay":"0"}
      """
  }

  private func marketRecord(_ market: Int, match: Int) -> String {
    let type = market % Self.bettingTypes.count
    let (name, line) = (Self.bettingTypes[type], "\(market % 9).5")
    return """
      ,{"_type":"MARKET","id":"\(BenchRecordID.market(market))","name":"\(name), \(line), Ordinary Time",\
      "shortName":"\(name), \(line)","displayName":"\(name), \(line), Ordinary Time",\
      "displayShortName":"\(name), \(line)","displayKey":"threeOutcomesHandicapStyle",\
      "eventId":"\(BenchRecordID.match(match))","eventPartId":"3","eventPartName":"Ordinary Time",\
      "shortEventPartName":"Ordinary Time","bettingTypeId":"\(69 + type)","bettingTypeName":"\(name)",\
      "shortBettingTypeName":"\(name)","scoringUnitId":"1","scoringUnitName":"Goals",\
      "numberOfOutcomes":\(outcomeRange(of: market).count),"isComplete":true,"isClosed":false,"isAvailable":true,\
      "mainLine":\(market.isMultiple(of: 5)),"paramFloat1":\(line),"liveTradingStatus":"OPEN"}
      """
  }

  private func outcomeRecord(_ outcome: Int, market: Int, match: Int) -> String {
    let role = Self.roles[outcome % Self.roles.count]
    // A sixth of the markets have players as outcomes, each in several markets of the match.
    let player = "\(Self.towns[outcome % 20])son, \(Self.towns[(match + outcome) % 20]) \(match)"
    let name = market % 6 == 5 ? player : market % 3 == 1 ? "\(role) \(market % 9).5" : role
    return """
      ,{"_type":"OUTCOME","id":"\(BenchRecordID.outcome(outcome))","typeId":"13","typeName":"\(role)",\
      "eventId":"\(BenchRecordID.match(match))","eventPartId":"3","eventPartName":"Ordinary Time","statusId":"1",\
      "statusName":"Pending","name":"\(name)","translatedName":"\(name)","shortTranslatedName":"\(name)",\
      "headerName":"\(role)","headerShortName":"\(role)","headerNameKey":"\(role.lowercased())",\
      "code":"\(role.lowercased())","isNegation":false,"paramFloat1":\(market % 9).5,\
      "paramParticipantId1":"\(BenchRecordID.participant(2 * match))",\
      "paramParticipantId1Name":"\(Self.towns[match % 20])","paramEventPartId1":"3",\
      "isSettledWithoutResult":false,"sortOrder":\(outcome % 4)}
      """
  }

  private func relationRecord(_ outcome: Int, market: Int) -> String {
    """
    ,{"_type":"MARKET_OUTCOME_RELATION","id":"\(BenchRecordID.relation(outcome))",\
    "marketId":"\(BenchRecordID.market(market))","outcomeId":"\(BenchRecordID.outcome(outcome))"}
    """
  }

  private func offerRecord(_ outcome: Int, market: Int) -> String {
    let odds = Double(110 + SeededGenerator.mix(UInt64(outcome)) % 900) / 100
    return """
      ,{"_type":"BETTING_OFFER","id":"\(BenchRecordID.offer(outcome))","providerId":"3000107","sourceId":"7",\
      "outcomeId":"\(BenchRecordID.outcome(outcome))","bettingTypeId":"\(69 + market % Self.bettingTypes.count)",\
      "statusId":"1","statusName":"Standard","isMainOffer":true,"isLive":true,"isAvailable":true,"odds":\(odds),\
      "couponKey":"3000107_\(outcome)","lastChangedTime":\(Self.time)}
      """
  }

  private static let towns = [
    "Bergen", "Bilbao", "Bristol", "Cardiff", "Dresden", "Dundee", "Ghent", "Graz", "Leeds", "Lublin", "Malaga",
    "Nimes", "Odense", "Parma", "Plovdiv", "Split", "Tallinn", "Turin", "Uppsala", "Vigo",
  ]

  private static let bettingTypes = [
    "Home Draw Away", "Over Under", "Asian Handicap", "Both Teams To Score", "Double Chance", "Draw No Bet",
    "Correct Score", "Half Time/Full Time", "Odd Even", "Next Goal", "Anytime Goalscorer", "Total Corners",
    "Total Cards", "Winning Margin", "Exact Number Of Goals", "Clean Sheet", "Race To Goals", "Team Total",
    "Player To Be Booked", "Method Of First Goal",
  ]

  private static let roles = ["Home", "Draw", "Away", "Over", "Under", "Yes", "No"]
}

/// Ids of 18 digits that grow with the number of the record, with gaps as in the real feed.
enum BenchRecordID {
  static func match(_ number: Int) -> Int { id(number) }
  static func market(_ number: Int) -> Int { id(10_000 + number) }
  static func outcome(_ number: Int) -> Int { id(200_000 + number) }
  static func relation(_ number: Int) -> Int { id(700_000 + number) }
  static func offer(_ number: Int) -> Int { id(1_200_000 + number) }
  static func participant(_ number: Int) -> Int { id(1_700_000 + number) }

  private static func id(_ number: Int) -> Int {
    272_181_284_331_364_608 + 256 * (2048 * number + Int(SeededGenerator.mix(UInt64(number)) % 2048))
  }
}
