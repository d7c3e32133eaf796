import OddsFeed
import TestSupport
import Testing

@testable import FeedClient

struct ChannelStoreTests {
  private let store = ChannelStore(topic: Topic(path: "/a"))

  private func reader(onPending: @escaping @Sendable () -> Void = {}) async -> ChannelReader {
    let reader = ChannelReader(share: nil, onPending: onPending)
    await store.add(reader)
    return reader
  }

  private func apply(_ messages: String...) async { await store.apply(.lines(messages)) }

  @Test("The snapshot is sorted by start time, then id; matches without a start time come last")
  func order() async {
    await apply(
      FeedText.dump(
        FeedText.football(300, start: 5), FeedText.football(1000, start: 5), FeedText.football(200, start: 9),
        #"{"_type":"MATCH","id":"1","name":"x - y"}"#))
    #expect(await store.snapshot().map(\.id) == [300, 1000, 200, 1])
  }

  @Test("A reader gets everything first, then only what differs, merged, the newest last")
  func conflation() async throws {
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    let reader = await reader()
    #expect(reader.take()?.changed.map(\.id).sorted() == [100, 200])
    #expect(reader.take() == nil)
    await apply(FeedText.update(FeedText.odds(121, "2.5")))
    await apply(FeedText.update(FeedText.odds(121, "2.6")), FeedText.update(FeedText.delete("MATCH", 200)))
    let changes = try #require(reader.take())
    #expect(changes.changed.map { $0.mainMarket?.outcomes[0].offer?.odds?.description } == ["2.60"])
    #expect(changes.removed == [200])
    #expect(changes.conflated == 1)
    #expect(changes.received.oddsUpdates == 2)
  }

  @Test("A change that goes back before the reader asks is no change")
  func backAndForth() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let reader = await reader()
    _ = reader.take()
    await apply(FeedText.update(FeedText.odds(121, "2.5")))
    await apply(FeedText.update(FeedText.odds(121, "2.45")))
    #expect(try #require(reader.take()).changed.isEmpty)
  }

  @Test("The bell rings at the start, then once until the reader has taken")
  func bell() async {
    let rings = Counter()
    let reader = await reader { rings.add() }
    _ = reader.take()
    for _ in 0..<5 { await apply(FeedText.update(FeedText.odds(121, "2.5"))) }
    #expect(rings.count == 2)
    _ = reader.take()
    await apply(FeedText.dump())
    #expect(rings.count == 3)
  }

  @Test("Observers of a match, a market and an outcome hear of their own changes once, and of its end")
  func observers() async {
    await apply(FeedText.dump(FeedText.football(100)))
    var match = await store.match(100).makeAsyncIterator()
    var market = await store.market(110).makeAsyncIterator()
    var outcome = await store.outcome(112).makeAsyncIterator()
    #expect(await match.next()?.id == 100)
    #expect(await market.next()?.id == 110)
    #expect(await outcome.next()?.offer?.odds?.description == "3.10")
    await apply(FeedText.update(FeedText.odds(121, "9")))
    await apply(FeedText.update(FeedText.odds(122, "4")))
    #expect(await outcome.next()?.offer?.odds?.description == "4.00")
    #expect(await market.next()?.outcomes.map { $0.offer?.odds?.description } == ["9.00", "4.00", "2.90"])
    await apply(FeedText.update(FeedText.delete("MARKET", 110)))
    #expect(await market.next() == nil)
    #expect(await outcome.next() == nil)
    #expect(await match.next()?.markets == [])
    await apply(FeedText.update(FeedText.delete("MATCH", 100)))
    #expect(await match.next() == nil)
    var gone = await store.match(100).makeAsyncIterator()
    #expect(await gone.next() == nil)
  }

  @Test("Dropping readers and observers leaves no audience")
  func dropping() async {
    await apply(FeedText.dump(FeedText.football(100)))
    for _ in 0..<1000 {
      var iterator = await store.match(100).makeAsyncIterator()
      _ = await iterator.next()
    }
    while await store.audience > 0 { await Task.yield() }
  }

  @Test("A cancelled task stops waiting")
  func cancellation() async {
    await apply(FeedText.dump(FeedText.football(100)))
    let match = await store.match(100)
    let task = Task {
      var count = 0
      for await _ in match { count += 1 }
      return count
    }
    task.cancel()
    #expect(await task.value <= 1)
  }
}
