import OddsModel
import TestSupport
import Testing

@testable import Dashboard

struct PriceHistoryTests {
  /// The complete history of a price, with which the compact one is compared.
  private struct PriceHistoryModel {
    var entries: [(second: Int, odds: DecimalOdds?, state: PriceHistory.State)] = []

    func entry(at second: Int) -> (second: Int, odds: DecimalOdds?, state: PriceHistory.State)? {
      entries.last { $0.second <= second }
    }

    func odds(at second: Int) -> DecimalOdds? {
      guard let entry = entry(at: second), entry.state != .unknown else { return nil }
      return entry.odds
    }

    func change(over span: Int?, at second: Int) -> Int? {
      guard let last = entry(at: second), last.state == .live, let odds = last.odds,
        let before = span.map({ self.odds(at: PriceHistory.reference($0, before: second)) })
          ?? entries.first(where: { $0.odds != nil })?.odds
      else { return nil }
      return Int((Double(odds.units - before.units) * 1000 / Double(before.units)).rounded())
    }

    func wasSuspended(in seconds: Range<Int>) -> Bool {
      entry(at: seconds.lowerBound - 1)?.state == .suspended && entry(at: seconds.lowerBound)?.state == .suspended
        || entries.contains { seconds.contains($0.second) && $0.state == .suspended }
    }
  }

  private static let prices: [DecimalOdds] = (0..<12).map { DecimalOdds(units: 15_000_000 + $0 * 1_234_567) }

  @Test("Changes over 1, 5 and 30 minutes and since the start equal those of a complete history")
  func law() {
    for seed in 0..<30 {
      var random = SeededRandom(seed: UInt64(seed))
      var (history, model) = (PriceHistory(), PriceHistoryModel())
      // From a change every few minutes to many a second.
      let pause = [0, 1, 3, 20, 240][seed % 5]
      var second = Int.random(in: 0...100, using: &random)
      for _ in 0..<(pause < 2 ? 6000 : 900) {
        second +=
          Int.random(in: 0...max(1, pause), using: &random) * (Int.random(in: 0..<3, using: &random) == 0 ? 0 : 1)
        switch Int.random(in: 0..<20, using: &random) {
        case 0:
          history.markUnknown(at: second)
          if let last = model.entries.last { model.entries.append((second, last.odds, .unknown)) }
        case 1:
          history.record(nil, .suspended, at: second)
          model.entries.append((second, nil, .suspended))
        default:
          let price = Self.prices.randomElement(using: &random)!
          let state: PriceHistory.State = Int.random(in: 0..<5, using: &random) == 0 ? .suspended : .live
          history.record(price, state, at: second)
          model.entries.append((second, price, state))
        }
        #expect(history.steps.count <= PriceHistory.limit)
        if Int.random(in: 0..<40, using: &random) == 0 {
          for span in DetailLayout.spans {
            let (actual, expected) = (history.change(over: span, at: second), model.change(over: span, at: second))
            #expect(actual == expected, "seed \(seed), second \(second), span \(span ?? 0)")
          }
        }
      }
      for span in [1, 7, 60, 299, 300, 301, 500, 1799, 1800] {
        for later in [0, 1, 5, 9, 10, 33] {
          #expect(
            history.change(over: span, at: second + later) == model.change(over: span, at: second + later),
            "seed \(seed), span \(span), \(later) s later")
        }
      }
      for start in stride(from: (second - 2300) / 10 * 10, to: second, by: 10) where start > model.entries[0].second {
        let cell = start..<start + 10
        let suspended =
          history.steps(in: cell).contains { $0.wasSuspended || $0.state == .suspended }
          || history.step(at: start - 1)?.state == .suspended && history.step(at: start)?.state == .suspended
        #expect(suspended || !model.wasSuspended(in: cell), "seed \(seed): a suspension at \(start) is lost")
      }
    }
  }

  @Test("Six hours of changes are conflated in bounded memory, and every bucket keeps its price range")
  func conflation() {
    for (seed, pause) in [1, 2, 5, 30, 400].enumerated() {
      var random = SeededRandom(seed: UInt64(seed))
      var (history, model) = (PriceHistory(), PriceHistoryModel())
      // The prices by second, in the order of the seconds.
      var prices: [DecimalOdds?] = []
      var second = 0
      while second < 30_000 {
        let odds = DecimalOdds(units: Int64.random(in: 11_000_000...90_000_000, using: &random))
        let state: PriceHistory.State = Int.random(in: 0..<6, using: &random) == 0 ? .suspended : .live
        history.record(odds, state, at: second)
        model.entries.append((second, odds, state))
        #expect(history.steps.count <= PriceHistory.limit)
        let next = second + Int.random(in: 1...pause, using: &random)
        prices += Array(repeating: state == .live ? odds : nil, count: next - second)
        second = next
      }
      let newest = Int(history.steps[history.steps.count - 1].second)
      #expect(zip(history.steps, history.steps.dropFirst()).allSatisfy { $0.second < $1.second })
      #expect(history.steps[0].second <= newest - PriceHistory.reach)
      for start in stride(from: (newest - PriceHistory.reach) / 60 * 60 + 60, to: newest / 60 * 60, by: 60) {
        let bucket = start..<start + 60
        let expected = prices[start - 1..<bucket.upperBound].compactMap(\.self)
        let known = history.step(at: start - 1).flatMap { $0.state == .live ? $0.odds : nil }
        let found =
          [known].compactMap(\.self)
          + history.steps(in: bucket).compactMap { $0.state == .live ? $0.odds : nil }
        #expect(found.min() == expected.min() && found.max() == expected.max(), "seed \(seed), bucket \(start)")
        #expect(history.odds(at: bucket.upperBound - 1) == model.odds(at: bucket.upperBound - 1), "bucket \(start)")
      }
    }
    #expect(MemoryLayout<PriceHistory.Step>.stride == 16)
  }

  @Test("Without new prices a change differs only at the times that nextChange returns")
  func nextChange() {
    for seed in 0..<20 {
      var random = SeededRandom(seed: UInt64(seed))
      var history = PriceHistory()
      var second = 0
      for _ in 0..<60 {
        second += Int.random(in: 0...90, using: &random)
        history.record(Self.prices.randomElement(using: &random)!, .live, at: second)
      }
      for case let span? in DetailLayout.spans {
        var at = second
        while let next = history.nextChange(over: span, after: at) {
          #expect(next > at, "seed \(seed)")
          for quiet in at..<next {
            #expect(
              history.change(over: span, at: quiet) == history.change(over: span, at: at), "seed \(seed), \(quiet)")
          }
          at = next
        }
        #expect(history.change(over: span, at: at + 5000) == history.change(over: span, at: at))
      }
    }
  }

  @Test("Only the last price of a second is kept, and a suspension in that second is remembered")
  func within() {
    var history = PriceHistory()
    history.record(Self.prices[0], .live, at: 5)
    history.record(Self.prices[1], .live, at: 9)
    history.record(Self.prices[0], .live, at: 9)
    #expect(history.steps.map(\.second) == [5])
    history.record(Self.prices[0], .suspended, at: 12)
    history.record(Self.prices[0], .live, at: 12)
    #expect(history.steps.map(\.second) == [5, 12])
    #expect(history.steps.last?.wasSuspended == true && history.steps.last?.state == .live)
  }

  @Test("A price has no change while it is unknown, or if it was unknown at the start of the period")
  func unknown() {
    var history = PriceHistory()
    history.record(Self.prices[0], .live, at: 0)
    history.markUnknown(at: 100)
    #expect(history.change(over: 60, at: 120) == nil)
    history.record(Self.prices[2], .live, at: 130)
    #expect(history.change(over: 60, at: 131) == history.change(over: nil, at: 131))
    #expect(history.change(over: 60, at: 165) == nil)
    #expect(history.change(over: 60, at: 190) == 0)
    #expect(history.change(over: nil, at: 190)! > 0)
  }

  @Test("Histories are kept only for recently opened matches and for outcomes that still exist")
  func bounded() {
    var histories = PriceHistories()
    func key(_ id: UInt32) -> OutcomeKey {
      OutcomeKey(market: MarketID(integerLiteral: id), outcome: OutcomeID(integerLiteral: id))
    }
    for id in (1...20) as ClosedRange<UInt32> {
      let match = MatchID(integerLiteral: id)
      histories.begin(match)
      histories.begin(1)
      var history = PriceHistory()
      history.record(Self.prices[0], .live, at: 0)
      histories.put(history, of: key(1), in: match)
      histories.put(history, of: key(2), in: match)
      histories.retain(only: [key(2)], of: match)
    }
    #expect(histories.count == PriceHistories.limit)
    #expect(histories[1, key(2)] != nil && histories[20, key(2)] != nil)
    #expect(histories[1, key(1)] == nil && histories[10, key(2)] == nil)
  }
}
