import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The changes of a favourite's price over one and five minutes, compared with a list of all prices.
struct FavouriteMovesLawTests {
  @Test("Changes equal those of a list of all prices, last until the announced second, and use bounded memory")
  func law() {
    for seed in Laws.seeds(60) {
      var random = SeededRandom(seed: seed)
      var (history, prices) = (FavouriteHistory(), [(second: Int, units: Int64)]())
      var (second, since, market) = (0, 0, MarketID(raw: 1))
      var current: Int64?

      func plain(_ span: Int, at second: Int) -> Int32? {
        guard let current, second - span >= since, let before = prices.last(where: { $0.second <= second - span })
        else {
          return nil
        }
        return Int32((Double(current - before.units) * 1000 / Double(before.units)).rounded())
      }
      func check(at second: Int) {
        let moves = history.moves(at: second, knownSince: since)
        #expect(moves.oneMinute == plain(60, at: second), "seed \(seed), second \(second)")
        #expect(moves.fiveMinutes == plain(300, at: second), "seed \(seed), second \(second)")
      }

      let pace = [1, 3, 40, 200].randomElement(using: &random)!
      for _ in 0..<1500 {
        switch Int.random(in: 0..<400, using: &random) {
        case 0:
          market = MarketID(raw: market.raw + 1)
          prices = []
        case 1: since = second
        case 2:
          second = max(0, second - Int.random(in: 0...30, using: &random))
          since = second
          history.rewind(to: second)
          prices.removeAll { $0.second > second }
        default: break
        }
        current =
          Int.random(in: 0..<8, using: &random) == 0 ? nil : Int64.random(in: 101...140, using: &random) * 100_000
        let isKnown = Int.random(in: 0..<300, using: &random) > 0
        history.record(current.map { DecimalOdds(units: $0) }, of: market, isKnown: isKnown, at: second)
        if !isKnown {
          prices = []
          current = nil
        }
        if let current { prices.append((second, current)) }
        check(at: second)
        #expect(history.count <= FavouriteHistory.limit)
        // Nothing changes before the announced second.
        let next = history.nextChange(after: second, knownSince: since)
        let moves = history.moves(at: second, knownSince: since)
        let step = Int.random(in: 0...pace, using: &random)
        for later in second...second + step where later < next ?? .max {
          #expect(history.moves(at: later, knownSince: since) == moves, "seed \(seed), second \(later)")
        }
        second += step
        check(at: second)
      }
    }
  }

  @Test("After any jumps in a recording, changes are those of its prices, and known since the last gap")
  func jumps() {
    for seed in Laws.seeds(30) {
      var random = SeededRandom(seed: seed)
      var prices = [DecimalOdds(units: 20_000_000)]
      for _ in 1..<2000 {
        let isSame = Int.random(in: 0..<8, using: &random) > 0
        prices.append(isSame ? prices.last! : DecimalOdds(units: Int64.random(in: 101...110, using: &random) * 100_000))
      }
      var moves = FavouriteMoves(knownSince: 0)
      moves.reset(0)
      var second = 0
      var since = 0
      var shown: DecimalOdds?
      for _ in 0..<1500 {
        // A row whose price is the same gets no update.
        if prices[second] != shown {
          shown = prices[second]
          _ = moves.record(shown, of: 1, isKnown: true, in: 0, at: second)
        }
        let recent = moves.moves(of: 0, at: second)
        for (span, change) in zip(RecentMoves.spans, [recent.oneMinute, recent.fiveMinutes]) {
          var expected: Int32?
          if second - span >= since {
            let (now, before) = (prices[second].units, prices[second - span].units)
            expected = Int32((Double(now - before) * 1000 / Double(before)).rounded())
          }
          #expect(change == expected, "seed \(seed), second \(second)")
        }
        guard Int.random(in: 0..<80, using: &random) == 0 || second + 1 == prices.count else {
          second += 1
          continue
        }
        let target = min(max(0, second + Int.random(in: -400...200, using: &random)), prices.count - 1)
        if target < second {
          moves.rewind(to: target)
          since = min(since, target)
        } else {
          moves.markUnknown(until: target)
          since = target
        }
        second = target
      }
    }
  }
}
