import OddsModel
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsHistory

/// Prices are recorded only while their age is known.
@Suite(.timeLimit(.minutes(45)))
struct KnownPricesTests {
  @Test("Prices are unknown for a stale source or catalogue, and for a locked or closed channel")
  func causes() {
    let unknown = Freshness.Cause.allCases.filter { !Freshness(.delayed, since: 0, cause: $0).hasKnownPrices }
    #expect(unknown == [.sourceStale, .catalogueStale])
    let grades = Freshness.Grade.allCases.filter { Freshness($0, since: 0).hasKnownPrices }
    #expect(grades == [.live, .delayed, .suspended])
  }

  @Test("While the source is stale, the price in the history is unknown")
  func stale() async throws {
    let harness = RecorderHarness()
    let store = ChannelStore(topic: Topic(path: "t"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    let (follow, end) = harness.recorder.follower()
    await store.follow(follow)
    func send(_ batch: FeedBatch, _ source: SourceState?, at offset: Int64) async {
      var batch = batch
      if let source { batch.messages[0].source = source }
      await store.apply(batch, at: ManualClock.wallStart + offset)
    }
    await send(.of(FeedText.dump(FeedText.football(100, odds: ["2.45", "3.1", "2.9"]))), nil, at: 10)
    await send(.of(FeedText.update(FeedText.odds(121, "2.50"))), .impaired(.delayedAccess), at: 20)
    await send(.of(FeedText.update(FeedText.odds(121, "2.55"))), .impaired(.sourceStale), at: 30)
    await send(.of(FeedText.update(FeedText.odds(121, "2.60"))), nil, at: 40)
    await send(.of(FeedText.update(FeedText.odds(121, "2.65"))), .live, at: 50)
    await harness.writeBatch()
    end()
    await harness.recorder.finish()
    let states = try harness.steps()
    #expect(states.prefix(4) == ["10 live 2.45", "20 live 2.50", "30 unknown 2.50", "50 live 2.65"], "\(states)")
  }

  @Test("While a match is over, its prices in the history are not live, even if its offers remain")
  func ended() async throws {
    let harness = RecorderHarness()
    let store = ChannelStore(topic: Topic(path: "t"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    let (follow, end) = harness.recorder.follower()
    await store.follow(follow)
    let messages = [
      FeedText.dump(FeedText.football()), FeedText.update(FeedText.change("MATCH", 100, #""statusId":"3""#)),
      FeedText.update(FeedText.odds(121, "2.50")), FeedText.update(FeedText.change("MATCH", 100, #""statusId":"2""#)),
    ]
    for (index, message) in messages.enumerated() {
      await store.apply(.of(message), at: ManualClock.wallStart + 10 * Int64(index))
    }
    await harness.writeBatch()
    end()
    await harness.recorder.finish()
    let states = try harness.steps()
    #expect(
      states.prefix(4) == ["0 live 2.45", "10 suspended 2.45", "20 suspended 2.50", "30 live 2.50"], "\(states)")
  }
}
