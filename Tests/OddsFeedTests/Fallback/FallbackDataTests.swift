import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

/// Data from the cache and the REST API in a channel's store, in place of the stream.
@Suite(.timeLimit(.minutes(45)))
struct FallbackDataTests {
  private let store = ChannelStore(topic: Topic(path: "/a"), keepsUpdates: true)

  private func apply(_ odds: String, _ source: DataSource, at now: Int64 = 5) async {
    await store.apply(.of(FeedText.dump(FeedText.football(odds: [odds, "3.1", "2.9"]))), at: now, from: source)
  }

  private func updateConnection(_ pulse: HeartbeatMonitor.Grade, _ connection: ConnectionState, _ number: UInt64) async
  {
    await store.lineChanged(ConnectionUpdate(number: number, connection: connection, pulse: pulse, time: Int64(number)))
  }

  private var homePrice: String? {
    get async { await store.snapshot().first?.mainMarket?.outcomes.first?.offer?.odds?.description }
  }

  @Test("Cached data fills only an empty channel; API data replaces stream data only after a connection loss")
  func order() async {
    await apply("2", .cache(savedAt: 1))
    #expect(await homePrice == "2.00")
    await apply("3", .api)
    await apply("2", .cache(savedAt: 1))
    #expect(await homePrice == "3.00")
    await apply("4", .stream)
    await apply("3", .api)
    await apply("2", .cache(savedAt: 1))
    #expect(await homePrice == "4.00")
    await updateConnection(.sound, .live, 1)
    await apply("3", .api)
    #expect(await homePrice == "4.00")
    await updateConnection(.down, .connecting(attempt: 1), 2)
    await apply("2", .cache(savedAt: 1))
    #expect(await homePrice == "4.00")
    await apply("3", .api)
    #expect(await homePrice == "3.00")
  }

  @Test("Updates that await the stream's dump stay pending while cached or API data is shown")
  func kept() async {
    await updateConnection(.sound, .live, 1)
    await store.apply(.of(FeedText.update(FeedText.odds(121, "9"))), at: 5)
    await apply("2", .cache(savedAt: 1))
    await apply("3", .api)
    #expect(await homePrice == "3.00")
    #expect(await store.freshness.grade == .delayed)
    await apply("4", .stream)
    #expect(await homePrice == "9.00")
    #expect(await store.freshness.grade == .live)
  }

  @Test("Cached data is not counted as received, and only stream data is saved, with the time of its last receipt")
  func counts() async {
    await apply("2", .cache(savedAt: 1))
    #expect(await store.received == FeedCounters())
    #expect(await store.saved == nil)
    await apply("3", .api)
    #expect(await store.received.dumps == 1)
    #expect(await store.saved == nil)
    await updateConnection(.sound, .live, 1)
    await apply("4", .stream, at: 77)
    #expect(await store.saved?.heardAt == 77)
    await store.apply(.of(FeedText.dump()), at: 78)
    #expect(await store.saved == nil)
  }

  @Test("An observer of a match that cached and API data lack waits for the stream's dump")
  func observers() async {
    var other = await store.match(200).makeAsyncIterator()
    await apply("2", .cache(savedAt: 1))
    await apply("3", .api)
    await store.apply(.of(FeedText.dump(FeedText.football(200))), at: 5)
    #expect(await other.next()?.id == 200)
    await store.close(at: 9)
  }

  @Test("A polled channel is delayed in any connection state, and follows the connection again without the API")
  func grades() async {
    await updateConnection(.down, .connecting(attempt: 1), 1)
    await apply("3", .api)
    #expect(await store.freshness == Freshness(.delayed, since: 5))
    await updateConnection(.sound, .live, 2)
    await updateConnection(.down, .connecting(attempt: 1), 3)
    await updateConnection(.over, .failed(FeedError("why", remedy: "what then")), 4)
    #expect(await store.freshness == Freshness(.delayed, since: 5))
    await store.apiLost(at: 8)
    #expect(await store.freshness == Freshness(.closed, since: 8))
    await updateConnection(.down, .connecting(attempt: 1), 9)
    #expect(await store.freshness == Freshness(.locked, since: 9))
    await updateConnection(.sound, .live, 10)
    await apply("4", .stream, at: 11)
    #expect(await store.freshness == Freshness(.live, since: 11))
  }
}
