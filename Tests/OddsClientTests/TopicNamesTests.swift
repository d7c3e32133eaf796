import Testing

@testable import OddsClient

@Suite("The topics of lists")
struct TopicNamesTests {
  @Test("are those of the sport with the limit, for each feed")
  func sports() throws {
    let sports: [(sport: Selection.Sport, everyMatrix: Int, eventType: Int, name: String)] = [
      (.football, 1, 1, "football"), (.tennis, 3, 2, "tennis"), (.iceHockey, 6, 7524, "ice-hockey"),
      (.basketball, 8, 7522, "basketball"), (.volleyball, 20, 998_917, "volleyball"),
    ]
    for (sport, everyMatrix, eventType, name) in sports {
      let live = Selection.live(sport: sport, limit: 50)
      let path = try TopicNames.everyMatrix().topic(of: live).path
      #expect(path.hasPrefix("/sports/1/en/live-matches-aggregator-main/\(everyMatrix)/") && path.contains("/50/"))
      let betfair = "/sports/\(eventType)/types/MATCH_ODDS"
      #expect(try TopicNames.betfair.topic(of: live).path == "\(betfair)/in-play/limit/50")
      #expect(try TopicNames.betfair.topic(of: .next(sport: sport, limit: 7)).path == "\(betfair)/limit/7")
      #expect(try TopicNames.polymarket.topic(of: live).path == "/live/\(name)/50")
      #expect(try TopicNames.polymarket.topic(of: .popular(sport: sport, limit: 7)).path == "/today/\(name)/7")
    }
  }

  @Test("have the default limit without one, which at Betfair is none")
  func defaults() throws {
    #expect(try TopicNames.everyMatrix().topic(of: .live()).path.contains("/100/"))
    #expect(try TopicNames.polymarket.topic(of: .live(sport: .tennis)).path == "/live/tennis/100")
    #expect(try TopicNames.betfair.topic(of: .live(sport: .tennis)).path == "/sports/2/types/MATCH_ODDS/in-play")
    #expect(try TopicNames.betfair.topic(of: .live(limit: 100)).path == "/types/MATCH_ODDS/in-play/limit/100")
    #expect(try TopicNames.betfair.topic(of: .live(limit: 5000)).path == "/types/MATCH_ODDS/in-play/limit/200")
  }

  @Test("do not exist with a limit below 1")
  func invalidLimit() {
    for names in [TopicNames.everyMatrix(), .polymarket, .betfair] {
      let error = #expect(throws: OddsClientError.self) { try names.topic(of: .live(sport: .football, limit: 0)) }
      #expect(error?.code == "valueInvalid" && error?.message.contains("'0'") == true)
    }
  }
}
