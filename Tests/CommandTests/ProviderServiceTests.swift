import ArgumentParser
import Dashboard
import EveryMatrix
import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import OddsFeed
@testable import toteboard

/// The recording of the topics that a board opens.
struct ProviderServiceTests {
  /// A connection on which nothing happens.
  private struct SilentTransport: FeedTransport {
    private let events = AsyncStream.makeStream(of: TransportEvent.self)

    func makeDecoder() -> any FeedDecoder { MessageDecoder() }
    func connect() async -> AsyncStream<TransportEvent> { events.stream }
    func disconnect() async { events.continuation.finish() }
    func subscribe(_ subscription: Subscription) async {}
    func unsubscribe(_ subscription: Subscription) async {}
  }

  @Test("A topic that a tab and a pane have open is recorded for both, for each until it is closed")
  func shared() async throws {
    let directory = TemporaryDirectory()
    let history = HistoryRecorder(
      HistoryFile("\(directory.path)/history.db"), feed: "f", limits: HistoryLimits(),
      clock: ManualClock().clientClock, onMessage: { _ in })
    let feed = FeedOptions.Feed(transport: SilentTransport(), channels: [], channelIndex: 0)
    let service = ProviderService(feed, bounds: try StoreLimitOptions.parse([]), history: history)
    let topic = Topic(path: "/sports/1/en/100/match-odds")
    let tab = await service.open(topic) {}
    let pane = await service.open(topic) {}
    let store = try #require(tab as? SubscribedChannel).share.store
    #expect(await store.followers.map(\.number) == [1, 2])
    await pane.close()
    #expect(await store.followers.map(\.number) == [1])
    let secondPane = await service.open(topic) {}
    await tab.close()
    #expect(await store.followers.map(\.number) == [3])
    await secondPane.close()
    #expect(await store.followers.isEmpty)
  }
}
