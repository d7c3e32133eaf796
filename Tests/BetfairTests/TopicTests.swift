import OddsModel
import Testing

@testable import Betfair

@Suite("The topics of Betfair")
struct TopicTests {
  @Test(
    "are parsed from their paths and give the same paths back",
    arguments: [
      "/sports/1", "/sports/1,2/types/MATCH_ODDS,OVER_UNDER_25/countries/GB,IE/in-play", "/in-play", "/event/31234567",
      "/markets/1.234567890,1.5", "/none", "/levels/1/sports/1/in-play", "/levels/10/no-volumes/in-play",
      "/no-volumes/event/29", "/levels/4/markets/1.5", "/sports/1/in-play/limit/50", "/limit/200",
      "/levels/1/no-volumes/sports/1/types/MATCH_ODDS/in-play/limit/50",
    ])
  func paths(path: String) { #expect(BetfairTopic(Topic(path: path))?.topic.path == path) }

  @Test(
    "are not created from invalid paths",
    arguments: [
      "", "/", "sports/1", "/sports", "/sports/", "/sports/a", "/sports/1,1", "/sports/1/sports/2", "/types/match",
      "/countries/gb", "/countries/GBR", "/in-play/yes", "/event/", "/event/1/2", "/markets/1", "/markets/1.a",
      "/none/1",
      "/live/50", "/sports/1/", "/sports/１", "/levels/0/in-play", "/levels/11/in-play", "/levels/05/in-play",
      "/levels/+5/in-play", "/levels/-1/in-play", "/levels/a/in-play", "/levels/in-play", "/levels/5", "/levels",
      "/levels/5/", "/no-volumes", "/no-volumes/levels/5/in-play", "/levels/5/levels/5/in-play",
      "/no-volumes/no-volumes/in-play", "/in-play/levels/5", "/in-play/no-volumes",
      "/limit", "/limit/0", "/limit/201", "/limit/+5", "/limit/05", "/limit/5/limit/5", "/limit/5/levels/5",
      "/levels/5/limit", "/no-volumes/limit/201", "/limit/5/event/29", "/event/29/limit/5",
    ])
  func invalidPaths(path: String) { #expect(BetfairTopic(Topic(path: path)) == nil) }

  @Test(
    "have one path for the same criteria in any order, and for the same prices",
    arguments: [
      ("/limit/50/in-play/countries/GB/sports/1", "/sports/1/countries/GB/in-play/limit/50"),
      ("/levels/3/limit/5", "/limit/5"), ("/levels/3/no-volumes/in-play/sports/1", "/no-volumes/sports/1/in-play"),
      ("/levels/5/no-volumes/limit/200/types/WIN", "/levels/5/no-volumes/types/WIN/limit/200"),
    ])
  func canonicalPaths(path: String, canonical: String) throws {
    let topic = try #require(BetfairTopic(Topic(path: path)))
    #expect(topic.topic.path == canonical && BetfairTopic(topic.topic) == topic)
  }

  @Test("have three levels and the stakes matched unless the path has others", arguments: 1...10, [true, false])
  func prices(levels: Int, hasVolumes: Bool) throws {
    let path = "/levels/\(levels)\(hasVolumes ? "" : "/no-volumes")/sports/1"
    let topic = try #require(BetfairTopic(Topic(path: path)))
    #expect(topic.levels == levels && topic.hasVolumes == hasVolumes)
    #expect(topic.topic.path == (levels == 3 ? String(path.dropFirst("/levels/3".count)) : path))
    let subscription = try #require(topic.subscription)
    let volumes = hasVolumes ? #""EX_TRADED_VOL","# : ""
    let request =
      #"{"op":"marketSubscription","id":2,"segmentationEnabled":true,"heartbeatMs":5000,"marketFilter":{"#
      + #""eventTypeIds":["1"]},"marketDataFilter":{"ladderLevels":\#(levels),"#
      + #""fields":["EX_BEST_OFFERS_DISP","EX_LTP",\#(volumes)"EX_MARKET_DEF"]}}"#
    #expect(String(decoding: subscription.request(id: 2, from: nil), as: UTF8.self) == request)
  }

  @Test("of a sport's list select its main markets, in-play and limited if that is wanted")
  func lists() throws {
    let live = BetfairCatalog.list(sport: "1", isInPlay: true, limit: 50)
    #expect(live.path == "/sports/1/types/MATCH_ODDS/in-play/limit/50")
    #expect(BetfairCatalog.list(sport: "7", limit: 5000).path == "/sports/7/types/WIN/limit/200")
    #expect(BetfairCatalog.list(sport: nil, isInPlay: true).path == "/types/MATCH_ODDS/in-play")
    let topic = try #require(BetfairTopic(live))
    let subscription = try #require(topic.subscription)
    #expect(topic.limit == 50 && subscription.turnsInPlay == true)
    #expect(subscription.eventTypes == ["1"] && subscription.marketTypes == ["MATCH_ODDS"])
  }

  @Test("of a match name its event, or its market if it has no event")
  func catalog() throws {
    let catalog = BetfairCatalog()
    let list = catalog.standardChannels(matches: 100)[0].topic
    #expect(catalog.topic(ofMatch: try #require(MatchID("291")), listedIn: list)?.path == "/event/291")
    #expect(catalog.topic(ofMatch: try #require(MatchID("1.234")), listedIn: list)?.path == "/markets/1.234")
    let offers = try ["1.2/47972", "1.2/58805", "1.1/7/+1.5"].map { try #require(OfferID($0)) }
    #expect(catalog.topic(ofOffers: offers, listedIn: list)?.path == "/markets/1.1,1.2")
    #expect(catalog.topic(ofOffers: [], listedIn: list)?.path == "/none")
    // The pane shows three levels and the stakes matched, whatever the channel has.
    let light = Topic(path: "/levels/1/no-volumes/sports/1")
    #expect(catalog.topic(ofMatch: try #require(MatchID("291")), listedIn: light)?.path == "/event/291")
    for (_, topic) in catalog.standardChannels(matches: 1) { #expect(BetfairTopic(topic) != nil) }
  }
}
