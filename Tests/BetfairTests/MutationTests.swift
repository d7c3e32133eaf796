import JSONText
import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import Betfair

/// The decoder and the store stay consistent on randomly damaged streams.
struct MutationTests {
  /// Returns a stream with random bytes changed and inserted, and lines duplicated, removed and swapped.
  private static func damaged(_ seed: UInt64) -> [UInt8] {
    var options = BetfairStream.Options()
    options.steps = 20
    var random = SeededRandom(seed: seed)
    var lines = BetfairStream(seed: seed, options: options).lines.map { Array($0.utf8) }
    let alphabet = Array(#"{}[]",:0123456789.-eE"nulltruefalseimgmcrcidSUB_IMAGESEG_ENDNaN"#.utf8)
    for _ in 0..<lines.count {
      let line = Int.random(in: lines.indices, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: lines.insert(lines[line], at: Int.random(in: lines.indices, using: &random))
      case 1: if lines.count > 2 { lines.remove(at: line) }
      case 2: lines.swapAt(line, Int.random(in: lines.indices, using: &random))
      default:
        guard !lines[line].isEmpty else { continue }
        let place = Int.random(in: lines[line].indices, using: &random)
        let byte = alphabet.randomElement(using: &random)!
        if Bool.random(using: &random) { lines[line][place] = byte } else { lines[line].insert(byte, at: place) }
      }
    }
    return Array(lines.joined(separator: [0x0A]))
  }

  @Test("A damaged stream leaves the store consistent, and only prices of open markets are bettable")
  func damaged() {
    var unparsable = 0
    for seed: UInt64 in 0..<150 {
      let bytes = Self.damaged(seed)
      var (decoder, batch, state) = (BetfairDecoder(isRecorded: true), FeedBatch(), ChannelState())
      bytes.withUnsafeBufferPointer { bytes in
        bytes.eachLine(in: 0..<bytes.count) { line in
          decoder.decode(bytes, line, into: &batch)
          unparsable += batch.unparsable
          state.apply(batch)
          batch.removeAll()
          state.checkConsistency()
        }
      }
      #expect(state.counters.held == 0 && state.counters.duplicateCreates == 0, "seed \(seed)")
      for match in Array(state.matchIDs).compactMap({ state.match($0) }) {
        for market in match.markets where !market.takesBets || market.exchange?.status != .open {
          #expect(market.outcomes.allSatisfy { !$0.isBettable }, "seed \(seed)")
        }
        // The best price to back is also the first one of the ladder.
        for outcome in match.markets.flatMap(\.outcomes) where outcome.isBettable {
          #expect(outcome.offer?.odds == outcome.exchange?.backs.first?.odds, "seed \(seed)")
        }
      }
    }
    #expect(unparsable > 100)
  }
}
