import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

struct ChannelStoreTests {
  private let store = ChannelStore(topic: Topic(path: "/a"))

  private func reader(onPending: @escaping @Sendable () -> Void = {}) async -> ChannelReader {
    let reader = ChannelReader(share: nil, onPending: onPending)
    await store.add(reader)
    return reader
  }

  private func apply(_ messages: String...) async { await store.apply(.lines(messages), at: 0) }

  @Test("The snapshot is sorted by start time, then id; matches without a start time come last")
  func order() async {
    await apply(
      FeedText.dump(
        FeedText.football(300, start: 5), FeedText.football(1000, start: 5), FeedText.football(200, start: 9),
        #"{"_type":"MATCH","id":"1","name":"x - y"}"#))
    #expect(await store.snapshot().map(\.id) == [300, 1000, 200, 1])
  }

  @Test("A reader first gets all matches, then only changed ones, with the changes of a match merged")
  func conflation() async throws {
    await apply(FeedText.dump(FeedText.football(100), FeedText.football(200)))
    let reader = await reader()
    #expect(reader.drain()?.changed.map(\.id).sorted() == [100, 200])
    #expect(reader.drain() == nil)
    await apply(FeedText.update(FeedText.odds(121, "2.5")))
    await apply(FeedText.update(FeedText.odds(121, "2.6")), FeedText.update(FeedText.delete("MATCH", 200)))
    let changes = try #require(reader.drain())
    #expect(changes.changed.map { $0.mainMarket?.outcomes[0].offer?.odds?.description } == ["2.60"])
    #expect(changes.removed == [200])
    #expect(changes.conflated == 1)
    #expect(changes.received.oddsUpdates == 2)
  }

  @Test("A change that is reverted before the reader drains is not reported")
  func backAndForth() async throws {
    await apply(FeedText.dump(FeedText.football(100)))
    let reader = await reader()
    _ = reader.drain()
    await apply(FeedText.update(FeedText.odds(121, "2.5")))
    await apply(FeedText.update(FeedText.odds(121, "2.45")))
    #expect(try #require(reader.drain()).changed.isEmpty)
  }

  @Test("A reader is notified at the start, then once until it drains")
  func bell() async {
    let notifications = Counter()
    let reader = await reader { notifications.add() }
    _ = reader.drain()
    for _ in 0..<5 { await apply(FeedText.update(FeedText.odds(121, "2.5"))) }
    #expect(notifications.count == 2)
    _ = reader.drain()
    await apply(FeedText.dump())
    #expect(notifications.count == 3)
  }

  @Test("The store removes readers that are dropped")
  func dropping() async {
    for _ in 0..<100 { _ = await reader() }
    #expect(await store.readerCount == 0)
  }

  @Test("Each changed match has the freshness of its own trading status, with the time of its receipt")
  func ownFreshness() async throws {
    let suspended = (121...123).map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }
    await store.apply(.of(FeedText.dump(FeedText.football(100), FeedText.football(200))), at: 10)
    let reader = await reader()
    let first = try #require(reader.drain())
    #expect(first.changedFreshness == [Freshness(.live, since: 10), Freshness(.live, since: 10)])

    await store.apply(.of(FeedText.update(suspended.joined(separator: ","))), at: 20)
    await store.apply(.of(FeedText.update(FeedText.odds(121, "3"))), at: 30)
    let second = try #require(reader.drain())
    #expect(second.changed.map(\.id) == [100])
    #expect(second.changedFreshness == [Freshness(.suspended, since: 20)])

    await store.apply(.of(FeedText.update(FeedText.change("MARKET", 110, #""isClosed":true"#))), at: 40)
    #expect(try #require(reader.drain()).changedFreshness == [Freshness(.closed, since: 40)])
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 50)
    let last = try #require(reader.drain())
    #expect(last.changedFreshness == [Freshness(.live, since: 50)])
    #expect(last.removed == [200])
  }

  @Test("A connection update older than the last one is ignored")
  func oldNews() async throws {
    let reader = await reader()
    await store.lineChanged(ConnectionUpdate(number: 2, connection: .live, pulse: .sound, time: 2))
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .connecting(attempt: 1), pulse: .down, time: 1))
    #expect(try #require(reader.drain()).connection == .live)
  }
}
