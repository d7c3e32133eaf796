import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The recorded prices in the pane of a match.
struct RecordedPricesTests {
  private static func odds(_ random: inout SeededRandom) -> DecimalOdds {
    DecimalOdds(units: Int64.random(in: 15_000_000...15_900_000, using: &random))
  }

  private static func series(_ random: inout SeededRandom, _ times: ClosedRange<Int64>) -> PriceSeries {
    let times = (0..<Int.random(in: 0...30, using: &random)).map { _ in Int64.random(in: times, using: &random) }
    return PriceSeries(
      steps: Set(times).sorted().map { time in
        let state = [PriceSeries.State.live, .live, .suspended, .unknown].randomElement(using: &random)!
        return PriceSeries.Step(time: time, state: state, odds: odds(&random))
      })
  }

  @Test("At each second a chart has the price that the board received, or else the recorded one")
  func filled() {
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      let recorded = PriceHistory(Self.series(&random, -40_000...30_000), epoch: 0)
      let seen = PriceHistory(Self.series(&random, 0...40_000), epoch: 0)
      let filled = seen.filled(from: recorded)
      for second in -41...41 {
        let (own, other) = (seen.step(at: second), recorded.step(at: second))
        let expected = own.map { $0.state != .unknown } ?? false ? own : other ?? own
        let step = filled.step(at: second)
        #expect(step?.state == expected?.state && step?.odds == expected?.odds, "seed \(seed), second \(second)")
      }
    }
  }

  @Test("The recorded price of a second is its last one, and a suspension in that second is remembered")
  func seconds() {
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      let (series, epoch) = (Self.series(&random, 5000...25_000), Int64.random(in: 0...30_000, using: &random))
      let history = PriceHistory(series, epoch: epoch)
      for second in -32...32 {
        let begin = epoch + Int64(second) * 1000
        let expected = series.steps.last { $0.time < begin + 1000 }
        let step = history.step(at: second)
        #expect(step?.odds == expected?.odds && (step?.state == .live) == (expected?.state == .live), "seed \(seed)")
        let isSuspended = series.steps.contains { $0.state == .suspended && begin..<begin + 1000 ~= $0.time }
        if isSuspended { #expect(step?.wasSuspended == true, "seed \(seed), second \(second)") }
      }
    }
  }

  @Test("A long recording is conflated, and keeps its lowest, highest and last prices")
  func long() {
    var random = SeededRandom(seed: 3)
    let steps = (0..<120_000).map { second in
      PriceSeries.Step(time: Int64(second) * 1000, state: .live, odds: Self.odds(&random))
    }
    let history = PriceHistory(PriceSeries(steps: steps), epoch: 0)
    #expect(history.steps.count <= PriceHistory.recordedLimit)
    let prices = history.steps.compactMap(\.odds)
    #expect(prices.min() == steps.compactMap(\.odds).min() && prices.max() == steps.compactMap(\.odds).max())
    #expect(prices.last == steps.last?.odds)
  }

  @Test("A column with many changes is a candle whose prices equal those of a plain computation")
  func candles() {
    var count = 0
    for seed in 0..<200 {
      var random = SeededRandom(seed: UInt64(seed))
      var history = PriceHistory()
      for second in 0..<250 where Int.random(in: 0..<3, using: &random) > 0 {
        let state = [PriceHistory.State.live, .live, .live, .suspended, .unknown].randomElement(using: &random)!
        history.record(Self.odds(&random), state, at: second)
      }
      let window = ChartWindow(columns: Int.random(in: 5...40, using: &random), length: 300, newest: 249)
      let shape = [GlyphShape.braille, .stars][seed % 2]
      let chart = Chart(Chart.Input(history: history, window: window, height: 7, shape: shape))
      for column in 0..<window.columns {
        let seconds = window.seconds(of: column).clamped(to: -1000..<250)
        // The live prices that are set in the column. `all` also has the price at its start.
        let prices = seconds.compactMap { second in
          history.steps.first { $0.second == Int32(second) && $0.state == .live }?.odds
        }
        var all = prices
        let before = history.step(at: seconds.lowerBound - 1)
        if history.step(at: seconds.lowerBound) == before, before?.state == .live, let odds = before?.odds {
          all.insert(odds, at: 0)
        }
        let isCandle = prices.count >= Chart.candleChanges
        let candle = chart.candles[column]
        #expect((candle != nil) == isCandle, "seed \(seed), column \(column)")
        guard isCandle, let candle else { continue }
        count += 1
        #expect(
          [candle.open, candle.close, candle.low, candle.high] == [all[0], all.last, all.min(), all.max()],
          "seed \(seed), column \(column)")
        #expect(chart.rows.contains { $0[column] != nil })
      }
    }
    #expect(count > 500)
  }

  @Test("A candle has a body from its first to its last price, and wicks to its lowest and highest price")
  func shapes() {
    func odds(_ number: Int64) -> DecimalOdds { DecimalOdds(units: number * 10_000_000) }
    var candle = Candle(odds(2), isChange: false)
    for number: Int64 in [5, 1, 4] { candle.add(odds(number)) }
    func text(_ shape: GlyphShape, _ rows: Int) -> [String] {
      shape.candle(candle, on: odds(1)...odds(5), rows: rows).map { "\($0.row)\($0.character)" }
    }
    #expect(text(.stars, 5) == ["0|", "1#", "2#", "3#", "4|"])
    #expect(text(.braille, 2) == ["0╽", "1╿"])
    #expect(text(.braille, 1) == ["0┃"])
  }
}
