import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

/// Random feeds, read at a random pace.
@Suite(.timeLimit(.minutes(45)))
struct ConflationLawTests {
  /// Returns a random message about two matches with one market each: a dump, a delete, or a status or price, which may
  /// be unchanged.
  private static func message(_ random: inout SeededRandom, deletes: Bool = true) -> String {
    let match = [100, 200].randomElement(using: &random)!
    let offer = match + Int.random(in: 21...23, using: &random)
    switch Int.random(in: deletes ? 0..<20 : 3..<20, using: &random) {
    case 0: return FeedText.dump(FeedText.football(100), FeedText.football(200))
    case 1: return FeedText.dump(FeedText.football(match))
    case 2: return FeedText.update(FeedText.delete("MATCH", match))
    case 3: return FeedText.update(FeedText.delete("BETTING_OFFER", offer))
    case 4:
      return FeedText.update(FeedText.change("MARKET", match + 10, #""isAvailable":\#(Bool.random(using: &random))"#))
    case 5...8:
      let status = ["1", "7"].randomElement(using: &random)!
      return FeedText.update(FeedText.change("BETTING_OFFER", offer, #""statusId":"\#(status)""#))
    default: return FeedText.update(FeedText.odds(offer, "\(Int.random(in: 2...4, using: &random))"))
    }
  }

  @Test("Readers at any pace end with the newest state and never receive an unchanged match", arguments: 0..<20)
  func readers(seed: UInt64) async {
    var random = SeededRandom(seed: seed)
    var readers = PacedReaders(ChannelStore(topic: Topic(path: "/a")), seed: seed)
    for _ in 0..<300 { await readers.apply(.of(Self.message(&random))) }
    _ = await readers.finish()
    #expect(readers.faults.isEmpty, "seed \(seed)")
  }

  @Test("Observers at any pace end with the newest value and never receive an unchanged one", arguments: 0..<20)
  func observers(seed: UInt64) async throws {
    var random = SeededRandom(seed: seed)
    let store = ChannelStore(topic: Topic(path: "/a"))
    await store.apply(.of(FeedText.dump(FeedText.football(100), FeedText.football(200))), at: 0)
    let outcomes = [await follow(store.prices(of: 111), seed), await follow(store.prices(of: 111), seed)]
    let market = await follow(store.market(110), seed)
    let match = await follow(store.match(100), seed)
    var isThere = (outcome: true, market: true, match: true)
    for step in 0..<300 {
      await store.apply(.of(Self.message(&random, deletes: seed % 2 == 0)), at: Int64(step))
      if Int.random(in: 0..<5, using: &random) == 0 { await Task.yield() }
      let now = await store.snapshot().first { $0.id == 100 }
      isThere.match = isThere.match && now != nil
      isThere.market = isThere.market && now?.mainMarket != nil
      isThere.outcome = isThere.outcome && now?.mainMarket?.outcomes.contains { $0.id == 111 } == true
    }
    let truth = await store.snapshot().first { $0.id == 100 }
    await store.close(at: 300)
    for outcome in outcomes {
      let last = try await outcome.cancellableValue
      if isThere.outcome { #expect(last == truth?.mainMarket?.outcomes.first, "seed \(seed)") }
    }
    let (lastMarket, lastMatch) = (try await market.cancellableValue, try await match.cancellableValue)
    if isThere.market { #expect(lastMarket == truth?.mainMarket, "seed \(seed)") }
    if isThere.match { #expect(lastMatch == truth, "seed \(seed)") }
  }

  /// Reads a sequence to its end at a random pace and returns the last value.
  private func follow<Value: Equatable>(_ sequence: AsyncLatestValue<Value>, _ seed: UInt64) -> Task<Value?, Never> {
    Task {
      var pace = SeededRandom(seed: seed)
      var last: Value?
      for await value in sequence {
        #expect(value != last, "seed \(seed)")
        last = value
        for _ in 0..<Int.random(in: 0..<5, using: &pace) { await Task.yield() }
      }
      return last
    }
  }
}
