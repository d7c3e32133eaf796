import Localization
import OddsModel
import Testing

@testable import toteboard

@Suite("The title of a topic of a recording")
struct RecordingTitleTests {
  @Test(
    "is that of its list, or the last part of its path before a limit",
    arguments: [
      ("/sports/1/en/live-matches-aggregator-main/3/all-locations/default-event-info/50/3", "Live tennis"),
      ("/sports/1/types/MATCH_ODDS/in-play", "In-play"),
      ("/levels/1/no-volumes/sports/1/types/MATCH_ODDS/in-play/limit/50", "In-play"), ("/limit/50", "Feed"),
      ("/event/31234567", "31234567"), ("/limit", "Limit"), ("/", "Feed"),
      ("/live/50", "Live"), ("/today/50", "Today"), ("/live/ice-hockey/50", "Ice-hockey"), ("/league/nba/50", "Nba"),
    ])
  func title(path: String, title: String) { #expect(Topic(path: path).title(.english) == title) }
}
