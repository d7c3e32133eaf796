import JSONText
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Polymarket

@Suite("Bytes that Polymarket would not send")
struct HostileInputTests {
  @Test(
    "do not crash any reader, and no price in a closed market is bettable",
    arguments: Laws.seeds(30))
  func mutations(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var truth = MarketTruth(seed: seed)
    var reader = Reader([Sample.game, Sample.footballGame])
    var summaries = MarketEventReader()
    let events = [
      SessionMessage.events([Sample.game]), SessionMessage.changed([Sample.footballGame], removed: [16085]),
      Array(
        #"{"gameId":19439,"slug":"a-b-c","homeTeam":"b","awayTeam":"c","score":"1-2|3-4,5-6","elapsed":"9+1"}"#.utf8),
    ]
    for _ in 0..<200 {
      var bytes =
        Int.random(in: 0..<4, using: &random) == 0 ? events.randomElement(using: &random)! : Array(truth.next().utf8)
      for _ in 0..<Int.random(in: 0...4, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(contentsOf: #"{}[]",:9"#.utf8.shuffled(using: &random).prefix(2), at: place)
        }
      }
      bytes.withUnsafeBufferPointer { bytes in
        _ = MarketSummary(bytes, &summaries)
        _ = try? GammaEvents(bytes)
        _ = SportsUpdate.read(bytes)
        _ = PolymarketFormat().isMessage(bytes)
        _ = PolymarketFormat().head(of: bytes)
      }
      reader.read(bytes)
    }
    for id in reader.state.matchIDs {
      for market in reader.match(id.raw)?.markets ?? [] where !market.takesBets {
        #expect(!market.outcomes.contains { $0.isBettable })
      }
    }
  }
}
