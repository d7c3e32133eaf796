import EveryMatrix
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("The book as a feed")
struct BookFeedTests {
  private let page = Topic.aggregator(.popular, matches: 10)

  private func feed() throws -> BookFeed {
    BookFeed(options: try SimulatorOptions(matches: 20, rate: 50, startTime: opening), uptime: 0)
  }

  private func dump(_ feed: inout BookFeed) throws -> [UInt8] {
    let dump = feed.dump(of: page)
    return try #require(dump)
  }

  @Test("dumps of an open topic add up with its updates, and disturb nobody")
  func dumps() throws {
    var feed = try feed()
    let isOpen = feed.open(page)
    #expect(isOpen)
    var replica = try Replica(dump: dump(&feed))
    for tick in 1...200 as ClosedRange<UInt64> {
      for news in feed.advance(to: tick * 500_000_000) {
        #expect(news.topic == page)
        for message in news.messages { try replica.apply(message) }
      }
      if tick.isMultiple(of: 20) {
        let fresh = try Replica(dump: dump(&feed))
        #expect(replica == fresh)
      }
    }
  }

  @Test(
    "an unknown topic is none, open or not",
    arguments: ["", "/sports/1/en/nothing/1/2", "/feed", "/sports/1/en/x/match-odds"])
  func unknown(path: String) throws {
    var feed = try feed()
    let topic = Topic(path: path)
    let (isOpen, dump) = (feed.open(topic), feed.dump(of: topic))
    #expect(!isOpen && dump == nil)
  }

  @Test("while nobody listens its time passes without prices, all at once")
  func rest() throws {
    var feed = try feed()
    let before = try dump(&feed)
    var news = feed.advance(to: 60_000_000_000)
    #expect(news.isEmpty)
    let after = try dump(&feed)
    #expect(after != before)
    _ = feed.open(page)
    feed.close(page)
    news = feed.advance(to: 61_000_000_000)
    #expect(news.isEmpty)
  }
}
