import OddsModel
import Platform
import TestSupport
import Testing

@testable import OddsFeed
@testable import Polymarket

@Suite("The prices after random events of the market channel")
struct BookLawTests {
  private static let outcomes: [String: UInt64] = [
    "11": 5010, "12": 5011, "21": 5020, "22": 5021, "31": 5030, "32": 5031,
  ]

  @Test("equal those of a simple model after each event", arguments: Laws.seeds(40))
  func model(seed: UInt64) throws {
    var truth = MarketTruth(seed: seed)
    var reader = Reader([Sample.game])
    for _ in 0..<250 {
      reader.read(truth.next())
      try check(&reader, truth)
    }
  }

  private func check(_ reader: inout Reader, _ truth: MarketTruth) throws {
    let match = try #require(reader.match())
    for id in truth.ids {
      let outcome = try #require(reader.outcome(Self.outcomes[id]!))
      let expected = truth.prices(of: id)
      func level(_ level: (Int64, Int64)) -> (Int64, Int64) {
        let odds = (Double(10_000_000) * 10_000_000 / Double(level.0)).rounded()
        return (Int64(odds), Int64(Double(level.1) * Double(level.0) / 10_000_000))
      }
      func pricesAndSizes(_ offers: [BettingOffer]) -> [[Int64]] { offers.map { [$0.odds!.units, $0.size!.units] } }
      #expect(pricesAndSizes(outcome.exchange?.backs ?? []) == expected.asks.map { [level($0).0, level($0).1] })
      #expect(pricesAndSizes(outcome.exchange?.lays ?? []) == expected.bids.map { [level($0).0, level($0).1] })
      #expect(outcome.offer?.odds?.units == expected.asks.first.map { level($0).0 })
      #expect(outcome.isBettable == (!expected.asks.isEmpty && !truth.isAwaiting(id)))
      if !expected.asks.isEmpty || !expected.bids.isEmpty { #expect(outcome.offer?.status == .standard) }
      #expect(outcome.exchange?.lastTraded?.units == truth.tokens[id]!.lastTraded.map { level(($0, 0)).0 })
      let market = try #require(match.markets.first { $0.outcomes.contains { $0.id == outcome.id } })
      #expect(market.exchange?.isAwaitingImage == truth.isAwaiting(id))
      #expect(market.isClosed == truth.tokens[id]!.isResolved)
    }
  }

  @Test("do not depend on how events are grouped into frames and batches", arguments: Laws.seeds(40))
  func batches(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var truth = MarketTruth(seed: seed)
    let events = (0..<200).map { _ in truth.next() }
    var single = Reader([Sample.game])
    for event in events { single.read(event) }

    var joined = Reader([Sample.game])
    var batch = FeedBatch()
    var rest = events[...]
    while !rest.isEmpty {
      let count = min(rest.count, Int.random(in: 1...7, using: &random))
      let frame =
        count == 1 ? rest.first! : "[\(rest.prefix(count).joined(separator: ", "))]"
      rest.removeFirst(count)
      Array(frame.utf8).withUnsafeBufferPointer { joined.decoder.decode($0, 0..<$0.count, into: &batch) }
      guard Int.random(in: 0..<3, using: &random) == 0 || rest.isEmpty else { continue }
      joined.apply(batch)
      batch.removeAll()
    }
    #expect(single.match() == joined.match())
    #expect(single.exceptions == joined.exceptions)
  }

  @Test(
    "reach readers at any pace, which end with the newest prices and receive no change without effect",
    arguments: Laws.seeds(20))
  func readers(seed: UInt64) async {
    var truth = MarketTruth(seed: seed)
    var readers = PacedReaders(ChannelStore(topic: Topic(path: "/a")), seed: seed)
    var decoder = PolymarketDecoder()
    let texts = [SessionMessage.events([Sample.game])] + (0..<300).map { _ in Array(truth.next().utf8) }
    for text in texts {
      var batch = FeedBatch()
      text.withUnsafeBufferPointer { decoder.decode($0, 0..<$0.count, into: &batch) }
      await readers.apply(batch)
    }
    #expect(await readers.finish() == 1 && readers.faults.isEmpty)
  }

  @Test("are unknown after a truncated frame, wherever it is cut", arguments: Laws.seeds(10))
  func truncatedFrame(seed: UInt64) throws {
    var truth = MarketTruth(seed: seed)
    var reader = Reader([Sample.game])
    var random = SeededRandom(seed: seed)
    for count in 1...40 {
      for _ in 0..<10 { reader.read(truth.next()) }
      try check(&reader, truth)
      var copy = truth
      let bytes = Array("[\(copy.next()),\(copy.next())]".utf8)
      reader.read(Array(bytes.prefix(Int.random(in: 1..<bytes.count, using: &random))))
      truth.markAllUnknown()
      try check(&reader, truth)
      #expect(reader.unparsable == count)
    }
  }
}
