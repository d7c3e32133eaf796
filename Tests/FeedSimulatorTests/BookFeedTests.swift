import EveryMatrix
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("The book as a feed")
struct BookFeedTests {
  private let page = Topic.aggregator(.popular, matches: 10)

  private func feed() throws -> BookFeed {
    BookFeed(options: try SimulatorOptions(matches: 20, rate: 50, startTime: startTime), uptime: 0)
  }

  @Test("dumps of an open topic agree with its updates, and do not affect them")
  func dumps() throws {
    var feed = try feed()
    let isOpen = feed.open(page)
    #expect(isOpen)
    var replica = try CheckedReplica(dump: feed.bytes(of: page))
    for tick in 1...200 as ClosedRange<UInt64> {
      for news in feed.advance(to: tick * 500_000_000) {
        #expect(news.topic == page)
        for message in news.messages { try replica.apply(message) }
      }
      if tick.isMultiple(of: 20) {
        let fresh = try CheckedReplica(dump: feed.bytes(of: page))
        #expect(replica == fresh)
      }
    }
  }

  @Test(
    "an unknown topic cannot be opened, and has no dump and no canonical form",
    arguments: ["", "/sports/1/en/nothing/1/2", "/feed", "/sports/1/en/x/match-odds"])
  func unknown(path: String) throws {
    var feed = try feed()
    let topic = Topic(path: path)
    let (isOpen, dump) = (feed.open(topic), feed.dump(of: topic))
    #expect(!isOpen && dump == nil)
    #expect(feed.canonical(topic) == nil)
  }

  @Test("a match topic exists while the book has the match, and an open one stays open afterwards")
  func matchTopics() throws {
    var feed = try feed()
    let first = try #require(
      try CheckedReplica(dump: feed.bytes(of: page)).all("MATCH").compactMap { $0["id"] as? String }.min())
    let match = Topic(path: "/sports/1/en/\(first)/match-odds")
    // The id of a market, and an unknown id.
    for other in ["\(Int(first)! + 16)", "1"].map({ Topic(path: "/sports/1/en/\($0)/match-odds") }) {
      let isOpen = feed.open(other)
      #expect(!isOpen && feed.canonical(other) == other)
    }
    let isOpen = feed.open(match)
    #expect(isOpen)
    var seconds: UInt64 = 0
    repeat {
      seconds += 5
      _ = feed.advance(to: seconds * 1_000_000_000)
    } while try !CheckedReplica(dump: feed.bytes(of: match)).all("MATCH").isEmpty && seconds < 40_000
    #expect(seconds < 40_000)
    feed.close(match)
    let again = feed.open(match)
    #expect(!again && feed.dump(of: match) == nil)
  }

  @Test(
    "equivalent requests have the same canonical topic",
    arguments: [
      ("popular-matches-aggregator-main/1/all-locations/default-event-info/007/+9", "7/3"),
      ("popular-matches-aggregator-main/1/all-locations/default-event-info/100/3", "20/3"),
      ("popular-matches-aggregator-main/1/all-locations/default-event-info/-1/-1", "0/0"),
    ])
  func equalRequests(path: String, counts: String) throws {
    let feed = try feed()
    for language in ["en", "fr", "zh"] {
      #expect(
        feed.canonical(Topic(path: "/sports/1/\(language)/\(path)"))?.path
          == "/sports/1/en/popular-matches-aggregator-main/1/all-locations/default-event-info/\(counts)")
    }
  }

  @Test("a watch list is the same topic in any order, and has at most 200 offers")
  func watchLists() throws {
    let feed = try feed()
    func canonical(_ list: String) -> String? {
      feed.canonical(Topic(path: "/sports/1/en/bettingOffers/\(list)"))?.path
    }
    #expect(canonical("3,+1,02,1") == "/sports/1/en/bettingOffers/1,2,3")
    #expect(canonical("1,x") == nil)
    #expect(canonical("0") == nil)
    #expect(canonical(",") == nil)
    #expect(canonical((1...200).map(String.init).joined(separator: ",")) != nil)
    #expect(canonical((1...201).map(String.init).joined(separator: ",")) == nil)
  }

  @Test(
    "topics with an unknown operator, language, sport or location have no canonical form",
    arguments: [
      "/sports/2/en/disciplines/BOTH/BOTH", "/sports/1/xx/disciplines/BOTH/BOTH", "/sports/1/EN/disciplines/BOTH/BOTH",
      "/sports/1/en/disciplines/BOTH/LIVE", "/sports/1/en/0/match-odds", "/sports/1/en/99999999999999999999/match-odds",
      "/sports/1/en/live-matches-aggregator-main/2/all-locations/default-event-info/5/3",
      "/sports/1/en/live-matches-aggregator-main/1/Paris/default-event-info/5/3",
      "/sports/1/en/live-matches-aggregator-main/1/all-locations/other-info/5/3",
    ])
  func inventedTopics(path: String) throws { #expect(try feed().canonical(Topic(path: path)) == nil) }

  // MARK: Long gaps

  private static let halfDay: UInt64 = 12 * 3_600_000_000_000

  private func ids(_ dump: [UInt8]) throws -> Set<Int> {
    let replica = try CheckedReplica(dump: dump)
    return Set((replica.all("MATCH") + replica.all("MARKET")).compactMap { ($0["id"] as? String).flatMap(Int.init) })
  }

  @Test("a jump of twelve hours replaces each match only once")
  func idleHours() throws {
    var feed = try feed()
    let all = Topic.aggregator(.popular, matches: 20)
    let before = try ids(feed.bytes(of: all))
    _ = feed.advance(to: Self.halfDay)
    let after = try ids(feed.bytes(of: all))
    #expect(after.count == before.count && after.isDisjoint(with: before))
    // A match and each of its three markets take a block of 16 ids.
    #expect(try #require(after.max()) - #require(before.max()) == 20 * 4 * 16)
  }

  @Test("a gap of ten minutes is simulated without replacing all matches")
  func shortGap() throws {
    var feed = try feed()
    let before = try ids(feed.bytes(of: page))
    _ = feed.advance(to: 600_000_000_000)
    #expect(try !ids(feed.bytes(of: page)).isDisjoint(with: before))
  }

  @Test("after a stall of hours, each open topic gets one dump, then updates")
  func stall() throws {
    var feed = try feed()
    let topics = [page, .sports(liveOnly: false)]
    for topic in topics { _ = feed.open(topic) }
    let news = feed.advance(to: Self.halfDay)
    #expect(news.map(\.topic) == topics)
    #expect(news.allSatisfy { $0.messages.count == 1 })
    var replica = try CheckedReplica(dump: try #require(news.first?.messages.first))
    #expect(try replica == CheckedReplica(dump: feed.bytes(of: page)))
    for second in 1...30 as ClosedRange<UInt64> {
      for news in feed.advance(to: Self.halfDay + second * 1_000_000_000) where news.topic == page {
        for message in news.messages { try replica.apply(message) }
      }
    }
    #expect(try replica == CheckedReplica(dump: feed.bytes(of: page)))
  }

  @Test("large dumps after a stall are spread over several calls, and a topic has no messages before its dump")
  func largeDumps() throws {
    var feed = BookFeed(options: try SimulatorOptions(matches: 1_000, startTime: startTime), uptime: 0)
    let topics = [1_000, 999].map { Topic.aggregator(.popular, matches: $0) }
    for topic in topics { _ = feed.open(topic) }
    let first = feed.advance(to: Self.halfDay)
    #expect(first.map(\.topic) == [topics[0]])
    #expect(try #require(first.first?.messages.first).count >= BookFeed.dumpLimit)
    let second = feed.advance(to: Self.halfDay + 1_000_000_000).filter { $0.topic == topics[1] }
    #expect(second.map(\.messages.count) == [1])
    let replica = try CheckedReplica(dump: try #require(second.first?.messages.first))
    #expect(replica.all("MATCH").count == 999)
  }

  @Test("the same seed and calls give the same bytes after a jump")
  func determinism() throws {
    let texts = try (0..<2).map { _ in
      var feed = try feed()
      _ = feed.open(page)
      return [Self.halfDay, Self.halfDay + 1_000_000_000, 2 * Self.halfDay].flatMap { feed.advance(to: $0) }
        .flatMap(\.messages)
    }
    #expect(texts[0] == texts[1] && texts[0].count >= 3)
  }

  @Test("without open topics, time passes in one step and no messages are produced")
  func rest() throws {
    var feed = try feed()
    let before = try feed.bytes(of: page)
    var news = feed.advance(to: 60_000_000_000)
    #expect(news.isEmpty)
    let after = try feed.bytes(of: page)
    #expect(after != before)
    _ = feed.open(page)
    feed.close(page)
    news = feed.advance(to: 61_000_000_000)
    #expect(news.isEmpty)
  }
}
