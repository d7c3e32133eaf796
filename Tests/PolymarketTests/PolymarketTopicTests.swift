import OddsModel
import Polymarket
import Testing

/// The topics of Polymarket and the topics that a board asks for.
struct PolymarketTopicTests {
  private let catalog = PolymarketCatalog()
  private let list = Topic(path: "/league/nfl/40")

  @Test(
    "A path is read and written back",
    arguments: [
      "/live/50", "/today/5", "/league/nba/5", "/event/9", "/none", "/live/football/50", "/today/ice-hockey/5",
    ])
  func path(text: String) { #expect(PolymarketTopic(Topic(path: text))?.topic.path == text) }

  @Test(
    "Another path is no topic",
    arguments: [
      "", "/none/1", "/live/0", "/league/NBA/5", "/event/0", "live/5", "/live/chess/5", "/live/football",
      "/today/football/0", "/live/football/5/5",
    ])
  func noPath(text: String) { #expect(PolymarketTopic(Topic(path: text)) == nil) }

  @Test("There is a topic of a match and of a page, and none of single offers")
  func topics() {
    #expect(catalog.topic(ofMatch: 16085, listedIn: list)?.path == "/event/16085")
    #expect(catalog.matchLimit(of: list) == 40 && catalog.topic(list, limitedTo: 5).path == "/league/nfl/5")
    let tennis = Topic(path: "/live/tennis/40")
    #expect(catalog.matchLimit(of: tennis) == 40 && catalog.topic(tennis, limitedTo: 5).path == "/live/tennis/5")
    #expect(catalog.topic(ofOffers: [], listedIn: list) == nil)
    #expect(catalog.topic(ofOffers: [1], listedIn: list) == nil)
  }
}
