import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

struct FollowingTests {
  private let topic = Topic(path: "/a")

  @Test(
    "Following whole frames leads to the same state as following each message, with one call per frame",
    arguments: 1...8)
  func together(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    let frames = (0..<6).map { frame in
      (0..<Int.random(in: 1...5, using: &random)).map { line in
        if frame + line == 0 { return FeedText.dump(FeedText.football(100), FeedText.football(1100)) }
        let id = [121, 122, 1121, 1122, 5].randomElement(using: &random)!
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return FeedText.update(FeedText.delete("BETTING_OFFER", id))
        case 1: return FeedText.dump(FeedText.football(100, odds: ["\(1 + line).5", "2", "3"]))
        case 2: return "no JSON"
        default: return FeedText.update(FeedText.odds(id, "\(Int.random(in: 11...99, using: &random)).5"))
        }
      }
    }
    let (each, all) = (ChannelStore(topic: topic), ChannelStore(topic: topic))
    let (eachCalls, allCalls) = (Locked(0), Locked(0))
    await each.follow { _, _ in eachCalls.withLock { $0 += 1 } }
    await all.follow(eachMessage: false) { _, _ in allCalls.withLock { $0 += 1 } }
    var decoder = MessageDecoder()
    var messages = 0
    for lines in frames {
      var batch = FeedBatch()
      let bytes = Array(lines.joined(separator: "\n").utf8)
      let subscription = Subscription(topic: topic, generation: 1)
      decoder.decode(TransportFrame(subscription: subscription, bytes: bytes, framing: .lines), into: &batch)
      messages += batch.messages.count
      await each.apply(batch, at: 1000)
      await all.apply(batch, at: 1000)
    }
    #expect(await each.snapshot() == all.snapshot(), "seed \(seed)")
    #expect(await each.received == all.received, "seed \(seed)")
    #expect(await each.freshness == all.freshness, "seed \(seed)")
    #expect(eachCalls.withLock { $0 } == messages && allCalls.withLock { $0 } == frames.count, "seed \(seed)")
  }
}
