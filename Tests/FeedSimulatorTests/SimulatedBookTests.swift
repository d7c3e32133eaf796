import EveryMatrix
import Testing

@testable import FeedSimulator

@Suite("The simulated book")
struct SimulatedBookTests {
  private func bytes(seed: UInt64) throws -> [[UInt8]] {
    var book = try book(seed: seed)
    var feed = TopicFeed(topic: .aggregator(.popular, matches: 100))
    feed.start(in: book)
    var frames = [feed.dump(of: book)]
    for _ in 0..<500 {
      let tick = book.tick(elapsed: 1_000, updates: 5)
      frames += feed.frames(for: tick, of: book)
    }
    return frames
  }

  @Test("produces the same bytes from the same seed, and different bytes from another seed")
  func seeds() throws {
    let first = try bytes(seed: 7)
    #expect(try first == bytes(seed: 7))
    #expect(try first != bytes(seed: 8))
  }

  @Test("keeps the overround of every market within 2 to 8 % and prices within 1.01 to 1000, over 100,000 updates")
  func overround() throws {
    var book = try book()
    var overrounds: [Double] = []
    var odds: Set<Int32> = []
    var updates = 0
    while updates < 100_000 {
      updates += book.tick(elapsed: 5_000, updates: 50).oddsUpdates
      for market in book.matches.lazy.flatMap(\.markets) {
        odds.formUnion(market.offers.lazy.map(\.odds))
        overrounds.append(market.offers.reduce(-1) { $0 + 100 / Double($1.odds) })
      }
    }
    #expect(try #require(overrounds.min()) >= 0.02)
    #expect(try #require(overrounds.max()) <= 0.08)
    #expect(try #require(odds.min()) >= 101)
    #expect(try #require(odds.max()) <= 100_000)
    #expect(odds.contains(101), "a match that is all but won was never priced")
  }

  @Test("sends 71 % updates of the odds, 25 % of the status and 4 % of all fields")
  func shares() throws {
    var book = try book()
    var counts: [OfferChange.Form: Double] = [:]
    for _ in 0..<6_000 {
      for case .offer(_, let change) in book.tick(elapsed: 50, updates: 5).changes.map(\.kind) {
        counts[change.form, default: 0] += 1
      }
    }
    let all = counts.values.reduce(0, +)
    let status = (counts[.status] ?? 0) + (counts[.live] ?? 0)
    #expect(abs(status / all - 0.25) < 0.01)
    #expect(abs((counts[.all] ?? 0) / all - 0.04) < 0.01)
    #expect(abs((counts[.price] ?? 0) / all - 0.71) < 0.02)
  }

  @Test("publishes the updates that are due, and at most its debt limit in advance", arguments: [1, 3, 100, 1_667])
  func rate(updates: Int) throws {
    var book = try book()
    var published = 0
    for tick in 1...400 {
      published += book.tick(elapsed: 16, updates: updates).oddsUpdates
      #expect((0...SimulatedBook.longestDebt + 3).contains(published - tick * updates))
    }
  }

  @Test("starts or ends one of 100 matches at least every two minutes, and keeps their number")
  func turnover() throws {
    var book = try book()
    #expect(book.matches.count { !$0.isUpcoming } == 60)
    var events = 0
    var gone = 0
    for _ in 0..<3_600 {
      let tick = book.tick(elapsed: 2_000, updates: 1)
      gone += tick.removed.count
      events += tick.sports.count
    }
    #expect(events > 60, "in two hours")
    #expect(gone > 40)
    #expect(book.matches.count == 100)
    #expect((40...75).contains(book.matches.count { !$0.isUpcoming }))
    expectConsistent(book)
  }

  /// Expects that the values derived from the matches are consistent with them.
  private func expectConsistent(_ book: SimulatedBook) {
    #expect(book.order.map { book.matches[$0].startTime } == book.matches.map(\.startTime).sorted())
    #expect(book.due == book.matches.map(\.due))
    for sport in SimulatedSport.allCases {
      let live = book.matches.count { $0.sport == sport && $0.isLive }
      let upcoming = book.matches.count { $0.sport == sport && $0.isUpcoming }
      #expect(book.counts[sport.rawValue] == SportCount(live: live, upcoming: upcoming))
    }
    var slots: [Int64: Int] = [:]
    for (slot, match) in book.matches.enumerated() {
      for id in [match.id] + match.markets.map(\.id) { slots[id] = slot }
    }
    #expect(book.slots == slots)
  }

  @Test("jumps to as many new matches at the new time, and continues from there", arguments: [1, 7, 2_000])
  func jump(matches: Int) throws {
    var book = try book(matches: matches)
    for _ in 0..<50 { _ = book.tick(elapsed: 5_000, updates: 40) }
    let before = book
    book.jump(elapsed: 43_200_000)
    #expect(book.time == before.time + 43_200_000)
    #expect(book.matches.map(\.sport) == before.matches.map(\.sport))
    #expect(Set(book.matches.map(\.name)).count == matches)
    #expect(Set(book.matches.map(\.id)).isDisjoint(with: before.matches.map(\.id)))
    #expect(book.matches.allSatisfy { !$0.isUpcoming || $0.startTime >= book.time })
    #expect(book.matches.count(where: \.isLive) == (matches * 3 + 4) / 5)
    expectConsistent(book)
    for _ in 0..<50 { _ = book.tick(elapsed: 5_000, updates: 40) }
    expectConsistent(book)
  }

  @Test("suspends all offers of a match for 3 to 8 s after a match event")
  func suspension() throws {
    var book = try book(matches: 20)
    var since: [Int64: Int64] = [:]
    var lengths: [Int64] = []
    for _ in 0..<20_000 {
      _ = book.tick(elapsed: 250, updates: 1)
      for match in book.matches {
        guard match.isSuspended else {
          if let start = since.removeValue(forKey: match.id), match.isLive { lengths.append(book.time - start) }
          continue
        }
        since[match.id] = since[match.id] ?? book.time
        #expect(match.markets.flatMap(\.offers).allSatisfy { $0.status == .suspended })
      }
    }
    #expect(lengths.count > 50)
    #expect(lengths.allSatisfy { (2_750...8_250).contains($0) })
  }

  @Test("replaces its only match with another one when it ends", arguments: UInt64(0)..<5)
  func singleMatch(seed: UInt64) throws {
    var book = try book(matches: 1, seed: seed)
    var names: Set<String> = []
    for _ in 0..<20_000 {
      _ = book.tick(elapsed: 1_000, updates: 1)
      names.insert(book.matches[0].name)
    }
    #expect(names.count > 1)
  }

  @Test("has 20,000 matches with unique names and ids")
  func manyMatches() throws {
    var book = try book(matches: 20_000)
    _ = book.tick(elapsed: 60_000, updates: 1_000)
    #expect(Set(book.matches.map(\.name)).count == 20_000)
    let ids = book.matches.flatMap { [$0.id] + $0.markets.map(\.id) }
    #expect(Set(ids).count == 80_000)
    #expect(ids.allSatisfy { String($0).count == 18 && $0.isMultiple(of: 16) })
    let feed = TopicFeed(topic: .aggregator(.popular, matches: 20_000, markets: 1))
    #expect(feed.dump(of: book).count > 20_000_000)
  }
}
