import OddsModel
import Testing

@testable import Betfair

@Suite("The topics of Betfair")
struct TopicTests {
  @Test(
    "are parsed from their paths and give the same paths back",
    arguments: [
      "/sports/1", "/sports/1,2/types/MATCH_ODDS,OVER_UNDER_25/countries/GB,IE/in-play", "/in-play", "/event/31234567",
      "/markets/1.234567890,1.5", "/none",
    ])
  func paths(path: String) { #expect(BetfairTopic(Topic(path: path))?.topic.path == path) }

  @Test(
    "are not created from invalid paths",
    arguments: [
      "", "/", "sports/1", "/sports", "/sports/", "/sports/a", "/sports/1,1", "/sports/1/sports/2", "/types/match",
      "/countries/gb", "/countries/GBR", "/in-play/yes", "/event/", "/event/1/2", "/markets/1", "/markets/1.a",
      "/none/1",
      "/live/50", "/sports/1/", "/sports/１",
    ])
  func invalidPaths(path: String) { #expect(BetfairTopic(Topic(path: path)) == nil) }

  @Test("of a match name its event, or its market if it has no event")
  func catalog() throws {
    let catalog = BetfairCatalog()
    let list = catalog.standardChannels(matches: 100)[0].topic
    #expect(catalog.topic(ofMatch: try #require(MatchID("291")), listedIn: list)?.path == "/event/291")
    #expect(catalog.topic(ofMatch: try #require(MatchID("1.234")), listedIn: list)?.path == "/markets/1.234")
    let offers = try ["1.2/47972", "1.2/58805", "1.1/7/+1.5"].map { try #require(OfferID($0)) }
    #expect(catalog.topic(ofOffers: offers, listedIn: list)?.path == "/markets/1.1,1.2")
    #expect(catalog.topic(ofOffers: [], listedIn: list)?.path == "/none")
    for (_, topic) in catalog.standardChannels(matches: 1) { #expect(BetfairTopic(topic) != nil) }
  }
}
