import OddsModel
import TestSupport
import Testing

@testable import toteboard

/// The prices beside the scale of an SVG chart.
struct ChartLevelLawTests {
  /// The steps in thousandths: 0.01, 0.02, 0.05 and so on.
  private static let steps: [Int64] = {
    var steps: [Int64] = [10, 20, 50]
    for _ in 0..<9 { steps += steps.suffix(3).map { $0 * 10 } }
    return steps
  }()

  private static func number(_ random: inout SeededRandom) -> Int64 {
    let bits = Int64.random(in: 0...32, using: &random)
    return Int64.random(in: 0...(1 << bits), using: &random)
  }

  private static func levels(_ low: Int64, _ high: Int64) -> [DecimalOdds] {
    HistoryChart.levels(6, in: DecimalOdds(thousandths: low)...DecimalOdds(thousandths: high))
  }

  @Test(
    "A scale has the multiples of the smallest step of which there are at most seven",
    arguments: 0..<20 as Range<UInt64>)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    for _ in 0..<200 {
      let low = 1000 + Self.number(&random)
      let size = 70 + Self.number(&random)
      let step = Self.steps.first { size / $0 <= 6 }!
      let expected = (low / step...(low + size) / step).map { $0 * step }.filter { $0 >= low }
      let levels = Self.levels(low, low + size)
      #expect(levels == expected.map { DecimalOdds(thousandths: $0) }, "\(low)...\(low + size)")
      #expect(2...7 ~= levels.count, "\(low)...\(low + size)")
    }
  }

  @Test("A scale from 5 to 150, and one from 1.01 to 990, have several prices")
  func extremes() {
    #expect(Self.levels(5000, 150_000).map(\.description) == ["50.00", "100.00", "150.00"])
    #expect(Self.levels(1010, 990_000).map(\.description) == ["200.00", "400.00", "600.00", "800.00"])
    #expect(Self.levels(1010, 1010).map(\.description) == ["1.01"])
  }
}
