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
}
