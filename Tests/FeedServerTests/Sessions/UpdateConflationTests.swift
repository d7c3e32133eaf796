import EveryMatrix
import FeedSimulator
import OddsModel
import TestSupport
import Testing

@Suite("Conflated updates")
struct UpdateConflationTests {
  @Test("one conflated message has the effect of several updates", arguments: [1, 2, 3, 5, 8] as [UInt64])
  func law(seed: UInt64) throws {
    let topic = Topic.aggregator(.popular, matches: 12)
    let options = try SimulatorOptions(matches: 16, seed: seed, rate: 200, startTime: 1_750_000_000_000)
    var book = BookFeed(options: options, uptime: 0)
    _ = book.open(topic)
    let dump = try book.bytes(of: topic)
    var (each, one) = (FeedReplica(), FeedReplica())
    each.apply(dump)
    one.apply(dump)
    var random = SeededRandom(seed: seed)
    var uptime: UInt64 = 0
    var sizes = (0, 0)
    for _ in 0..<40 {
      var messages: [[UInt8]] = []
      for _ in 0..<Int.random(in: 1...20, using: &random) {
        uptime += UInt64.random(in: 100_000_000...6_000_000_000, using: &random)
        messages += book.advance(to: uptime).flatMap(\.messages)
      }
      for message in messages { each.apply(message) }
      let conflated = try #require(UpdateConflation.message(of: messages))
      one.apply(conflated)
      let isSame = each.matches == one.matches
      #expect(isSame)
      sizes.0 += conflated.count
      sizes.1 += messages.reduce(0) { $0 + $1.count }
    }
    #expect(sizes.0 < sizes.1)
  }

  @Test("only properties that later records set again are omitted; the order and the last version are kept")
  func records() {
    let messages = [
      FeedText.update(FeedText.odds(1, "1.5"), FeedText.change("BETTING_OFFER", 2, #""odds":2,"statusId":"1""#)),
      FeedText.update(FeedText.odds(1, "1.6"), FeedText.odds(2, "2.2"), FeedText.delete("MARKET", 3)),
      FeedText.update(
        FeedText.change("BETTING_OFFER", 2, #""statusId":"7""#), FeedText.odds(1, "1.7"), FeedText.odds(4, "4")
      ).replacing("1750752647777", with: "1750752648888"),
    ]
    #expect(
      UpdateConflation.message(of: messages.map { Array($0.utf8) }).map { String(decoding: $0, as: UTF8.self) }
        == FeedText.update(
          FeedText.odds(2, "2.2"), FeedText.delete("MARKET", 3),
          FeedText.change("BETTING_OFFER", 2, #""statusId":"7""#),
          FeedText.odds(1, "1.7"), FeedText.odds(4, "4")
        ).replacing("1750752647777", with: "1750752648888"))
  }

  @Test("updates before the deletion or creation of an entity are not omitted for later ones")
  func barriers() {
    let messages = [
      FeedText.update(FeedText.odds(1, "1.5")), FeedText.update(FeedText.delete("BETTING_OFFER", 1)),
      FeedText.update(FeedText.create("BETTING_OFFER", 1, #"{"id":"1"}"#)), FeedText.update(FeedText.odds(1, "1.6")),
    ]
    let conflated = UpdateConflation.message(of: messages.map { Array($0.utf8) })
    #expect(
      conflated.map { String(decoding: $0, as: UTF8.self) }
        == FeedText.update(
          FeedText.odds(1, "1.5"), FeedText.delete("BETTING_OFFER", 1),
          FeedText.create("BETTING_OFFER", 1, #"{"id":"1"}"#), FeedText.odds(1, "1.6")))
  }

  @Test(
    "only valid updates are conflated", arguments: [FeedText.dump(), "{", "[]", #"{"messageType":"UPDATE"}"#, ""])
  func other(_ text: String) {
    #expect(UpdateConflation.message(of: [Array(FeedText.update().utf8), Array(text.utf8)]) == nil)
    #expect(UpdateConflation.message(of: []) == nil)
  }
}
