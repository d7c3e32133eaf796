import EveryMatrix
import OddsModel
import Testing

@testable import FeedSimulator

@Suite("A topic's dump and updates")
struct TopicFeedTests {
  private static let topics: [Topic] = [
    .aggregator(.live, matches: 500),
    .aggregator(.live, matches: 5, markets: 2),
    .aggregator(.next, matches: 500),
    .aggregator(.next, matches: 4),
    .aggregator(.popular, matches: 500),
    .aggregator(.popular, sport: "1", matches: 10, markets: 1),
    .aggregator(.live, sport: "3", matches: 500),
    .sports(liveOnly: false), .sports(liveOnly: true),
  ]

  /// Topics of the initial book: a live match, a list of offers, and an empty list.
  private static let ofBook: [Topic] = {
    guard let matches = try? book(matches: 40).matches, let live = matches.first(where: \.isLive) else { return [] }
    let offers = matches.prefix(9).flatMap { $0.markets.map { OfferID(raw: UInt64($0.offerID(1))) } }
    return [.match(MatchID(raw: UInt64(live.id))), .offers(Array(offers)), .offers([])]
  }()

  @Test("add up to a fresh dump at any time, and refer only to known records", arguments: topics + ofBook)
  func replay(topic: Topic) throws {
    var book = try book(matches: 40)
    var feed = TopicFeed(topic: topic)
    feed.start(in: book)
    var replica = try CheckedReplica(dump: feed.dump(of: book))
    var starts = 0
    for tick in 1...5_000 {
      let changes = book.tick(elapsed: tick.isMultiple(of: 900) ? 300_000 : 3_000, updates: 4)
      starts += changes.sports.count
      for frame in feed.frames(for: changes, of: book) {
        try replica.apply(frame)
        #expect((1...67).contains(replica.recordsInLastMessage))
      }
      guard tick.isMultiple(of: 250) else { continue }
      #expect(try replica == CheckedReplica(dump: TopicFeed(topic: topic).dump(of: book)))
    }
    #expect(starts > 100)
  }

  @Test("contain the first matches by start time, up to the topic's limit")
  func limit() throws {
    let book = try book()
    let feed = TopicFeed(topic: .aggregator(.next, matches: 7))
    let times = try CheckedReplica(dump: feed.dump(of: book)).all("MATCH").compactMap { $0["startTime"] as? Int64 }
    #expect(times.sorted() == Array(book.matches.filter(\.isUpcoming).map(\.startTime).sorted().prefix(7)))
  }

  @Test("list the types in the order of the real feed, with ids of 18 digits")
  func order() throws {
    let book = try book()
    let feed = TopicFeed(topic: .aggregator(.popular, matches: 100))
    let text = String(decoding: feed.dump(of: book), as: UTF8.self)
    var types: [Substring] = []
    for piece in text.split(separator: "\"_type\":\"").dropFirst() {
      let type = piece.prefix { $0 != "\"" }
      if types.last != type { types.append(type) }
    }
    #expect(
      types == [
        "SPORT", "LOCATION", "EVENT_CATEGORY", "MATCH", "EVENT_INFO", "MARKET", "OUTCOME", "MARKET_OUTCOME_RELATION",
        "BETTING_OFFER", "MAIN_MARKET", "LIVE_MATCHES_NUMBER",
      ])
    let replica = try CheckedReplica(dump: Array(text.utf8))
    for (type, records) in replica.records where type != "SPORT" {
      #expect(records.keys.allSatisfy { $0.utf8.count == 18 && Int64($0) != nil }, "\(type)")
    }
    #expect(replica.all("MATCH").count == 100)
    #expect(replica.all("OUTCOME").allSatisfy { $0["marketId"] == nil })
  }

  @Test("show a kick-off as an update in popular, an arrival in live and a departure in next")
  func kickOff() throws {
    var book = try book()
    var feeds = [Topic.MatchList.popular, .live, .next].map { TopicFeed(topic: .aggregator($0, matches: 100)) }
    for index in feeds.indices { feeds[index].start(in: book) }
    let upcoming = book.matches.filter(\.isUpcoming)
    let first = try #require(upcoming.min { $0.startTime < $1.startTime })
    let tick = book.tick(elapsed: first.startTime - book.time, updates: 0)
    let texts = feeds.indices.map { index in
      feeds[index].frames(for: tick, of: book).map { String(decoding: $0, as: UTF8.self) }.joined()
    }
    let changed = #""entityType":"MATCH","id":"\#(first.id)""#
    #expect(texts[0].contains(#""changeType":"UPDATE",\#(changed),"changedProperties":{"statusId":"2""#))
    #expect(!texts[0].contains(#""changeType":"CREATE",\#(changed)"#))
    #expect(texts[1].contains(#""changeType":"CREATE",\#(changed)"#))
    #expect(texts[2].contains(#""changeType":"DELETE",\#(changed)"#))
  }

  @Test("replace a market with a new handicap within one message")
  func lines() throws {
    var book = try book(matches: 30)
    var feed = TopicFeed(topic: .aggregator(.live, matches: 100))
    feed.start(in: book)
    var replaced = 0
    for _ in 0..<2_000 {
      let tick = book.tick(elapsed: 1_000, updates: 20)
      let texts = feed.frames(for: tick, of: book).map { String(decoding: $0, as: UTF8.self) }
      for case .lineReplaced(let index, let before, let after) in tick.changes.map(\.kind) {
        replaced += 1
        let gone = #""DELETE","entityType":"MARKET","id":"\#(before.id)""#
        let come = #""CREATE","entityType":"MARKET","id":"\#(after.markets[index].id)""#
        #expect(texts.contains { $0.contains(gone) && $0.contains(come) })
      }
    }
    #expect(replaced > 20)
  }

  @Test("are empty for a topic that the feed does not know", arguments: ["/sports/1/en/disciplines/DEAD/BOTH", "x"])
  func unknownTopic(path: String) throws {
    var book = try book(matches: 10)
    var feed = TopicFeed(topic: Topic(path: path))
    feed.start(in: book)
    #expect(try CheckedReplica(dump: feed.dump(of: book)).records.isEmpty)
    let tick = book.tick(elapsed: 1_000, updates: 10)
    #expect(feed.frames(for: tick, of: book).isEmpty)
  }
}
