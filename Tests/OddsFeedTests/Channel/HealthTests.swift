import CoreMetrics
import MetricsTestKit
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

struct HealthTests {
  private let metrics = TestMetrics()
  private let dimensions = [("topic", "/a")]

  private func total(_ name: String, _ more: [(String, String)] = []) -> Int64 {
    metrics.counterTotal(label: "toteboard_feed_\(name)", dimensions: dimensions + more)
  }

  private func gauge(_ name: String) throws -> Double? {
    try metrics.expectMeter("toteboard_feed_\(name)", dimensions).values.last
  }

  @Test("Health reports counters, conflated values, freshness, and the number of readers and observers")
  func health() async {
    let store = ChannelStore(topic: Topic(path: "/a"))
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 10)
    let reader = ChannelReader(share: nil) {}
    await store.add(reader)
    let market = await store.market(110)
    await store.apply(.of(FeedText.update(FeedText.odds(121, "2.5")), "no JSON"), at: 20)
    let health = await store.health
    #expect(health.topic == Topic(path: "/a"))
    #expect(health.received == (await store.received))
    #expect(health.received.messages == 2)
    #expect(health.received.unparsable == 1)
    #expect(health.conflated == 2)
    #expect(health.freshness == Freshness(.live, since: 10))
    #expect((health.readers, health.observers) == (1, 1))
    withExtendedLifetime((reader, market)) {}
  }

  @Test("Counters are sent to the metrics backend as increments, with the topic as a dimension")
  func counters() async throws {
    let store = ChannelStore(topic: Topic(path: "/a"), metrics: metrics)
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 10)
    await store.apply(.of(FeedText.update(FeedText.odds(121, "2.5")), FeedText.update(FeedText.odds(122, "3"))), at: 20)
    let received = await store.received
    #expect(total("messages") == 3)
    #expect(total("applied") == Int64(received.applied))
    #expect(total("odds_updates") == 2)
    #expect(total("records", [("type", "BETTING_OFFER")]) == Int64(received.kinds.offers))
    let messages = try metrics.expectCounter("toteboard_feed_messages", dimensions).values
    #expect(messages == [1, 2])
  }

  @Test("Gauges are set at most once a second")
  func gauges() async throws {
    let store = ChannelStore(topic: Topic(path: "/a"), metrics: metrics)
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1000))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 2000)
    for now in stride(from: Int64(2100), to: 4000, by: 100) {
      await store.apply(.of(FeedText.update(FeedText.odds(121, "\(now)"))), at: now)
    }
    #expect(try metrics.expectMeter("toteboard_feed_memory_bytes", dimensions).values.count == 3)
    #expect(try gauge("staleness") == 0)
    #expect(try gauge("waiting") == 0)
  }

  @Test("The freshness gauge is updated at once, even if a lost connection delivers no more messages")
  func freshness() async throws {
    let store = ChannelStore(topic: Topic(path: "/a"), metrics: metrics)
    await store.lineChanged(ConnectionUpdate(number: 1, connection: .live, pulse: .sound, time: 1000))
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 2000)
    #expect(try gauge("staleness") == 0)
    await store.lineChanged(ConnectionUpdate(number: 2, connection: .idle, pulse: .down, time: 2001))
    #expect(try gauge("staleness") == Double(await store.freshness.grade.rawValue))
    #expect(try gauge("staleness") != 0)
  }

  @Test("A released channel removes its metrics from the backend")
  func released() async {
    let store = ChannelStore(topic: Topic(path: "/a"), metrics: metrics)
    await store.apply(.of(FeedText.dump(FeedText.football(100))), at: 10)
    #expect(!metrics.counters.isEmpty && !metrics.meters.isEmpty)
    await store.close(at: 20)
    #expect(metrics.counters.isEmpty && metrics.meters.isEmpty)
  }

  @Test("No metrics are created for a no-op metrics backend")
  func nowhere() {
    #expect(FeedMetrics(topic: Topic(path: "/a"), factory: NOOPMetricsHandler.instance) == nil)
  }
}
