import OddsModel
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsHistory

/// Several subscriptions to one topic share a store.
@Suite(.timeLimit(.minutes(45)))
struct SharedTopicLawTests {
  @Test("While a topic has a subscription, its history does not depend on their number", arguments: Laws.seeds(8))
  func subscriptions(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let (one, several) = (RecorderHarness(), RecorderHarness())
    let store = ChannelStore(topic: Topic(path: "t"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    await store.follow(one.recorder.follower().follow)
    var open: [(number: UInt64, end: @Sendable () -> Void)] = []
    for step in 0..<60 {
      if open.isEmpty || Bool.random(using: &random) {
        let (follow, end) = several.recorder.follower()
        open.append((number: await store.follow(follow), end: end))
      } else if open.count > 1 {
        let closed = open.remove(at: Int.random(in: 0..<open.count, using: &random))
        await store.unfollow(closed.number)
        closed.end()
      }
      let odds = FeedText.update(FeedText.odds(121, "\(Int.random(in: 2...9, using: &random)).50"))
      let message = step == 0 ? FeedText.dump(FeedText.football()) : odds
      await store.apply(.of(message), at: ManualClock.wallStart + 10 * Int64(step))
    }
    for harness in [one, several] {
      await harness.writeBatch()
      await harness.recorder.finish()
    }
    let steps = try one.steps()
    #expect(steps.count > 30, "seed \(seed)")
    #expect(try several.steps() == steps, "seed \(seed)")
  }

  @Test("A subscription that is closed is not continued by the messages of another one")
  func closed() async throws {
    let harness = RecorderHarness()
    let store = ChannelStore(topic: Topic(path: "t"), line: ConnectionUpdate(connection: .live, pulse: .sound))
    let (follow, end) = harness.recorder.follower()
    let number = await store.follow(follow)
    await store.apply(.of(FeedText.dump(FeedText.football())), at: ManualClock.wallStart)
    await store.unfollow(number)
    await harness.writeBatch()
    end()
    await store.apply(.of(FeedText.update(FeedText.odds(121, "9.50"))), at: ManualClock.wallStart + 1100)
    await harness.writeBatch()
    await harness.recorder.finish()
    #expect(try harness.steps() == ["0 live 2.45", "1000 unknown 2.45"])
  }
}
