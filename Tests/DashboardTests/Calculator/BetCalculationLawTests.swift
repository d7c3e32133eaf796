import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The arithmetic of the bet calculator, compared with exact fractions and with a search of all splits.
@Suite("The arithmetic of bets")
struct BetCalculationLawTests {
  /// A fraction of whole numbers with a positive denominator.
  private struct Fraction {
    var top: Int128
    var bottom: Int128

    init(_ top: Int128, _ bottom: Int128 = 1) {
      let divisor = Self.divisor(top, bottom)
      self.top = top / divisor
      self.bottom = bottom / divisor
    }

    private static func divisor(_ a: Int128, _ b: Int128) -> Int128 {
      b == 0 ? max(1, Int128(a.magnitude)) : divisor(b, a % b)
    }

    static func * (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.top, a.bottom * b.bottom) }
    static func / (a: Fraction, b: Fraction) -> Fraction { Fraction(a.top * b.bottom, a.bottom * b.top) }
    static func + (a: Fraction, b: Fraction) -> Fraction {
      Fraction(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom)
    }
    static func - (a: Fraction, b: Fraction) -> Fraction { a + Fraction(-b.top, b.bottom) }

    /// The fraction rounded down. The fraction is not negative.
    var floor: Int128 { top / bottom }
    var ceiling: Int128 { (top + bottom - 1) / bottom }
  }

  /// A random price as exact decimal odds and as a fraction.
  private func price(_ random: inout SeededRandom) -> (odds: DecimalOdds, fraction: Fraction) {
    let units: Int64
    switch Int.random(in: 0..<4, using: &random) {
    case 0: units = Int64.random(in: 10_000_001...10_100_000, using: &random)
    case 1: units = Int64.random(in: 10_000_001...10_000_000_000, using: &random)
    default: units = Int64.random(in: 101...2000, using: &random) * 100_000
    }
    return (DecimalOdds(units: units), Fraction(Int128(units), 10_000_000))
  }

  @Test("Return and liability are the exact amounts, rounded down and up")
  func singleBets() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<5000 {
      let stake = Int128(Int64.random(in: 1...100_000_000_000, using: &random))
      let (odds, fraction) = price(&random)
      #expect(BetCalculation.payout(of: stake, at: odds) == (Fraction(stake) * fraction).floor)
      #expect(BetCalculation.liability(of: stake, at: odds) == (Fraction(stake) * (fraction - Fraction(1))).ceiling)
    }
    let limit = BetCalculation.payout(of: 99_999_999_999_999, at: .limit)
    #expect(limit == Int128(99_999_999_999_999) * Int128(10_000_000))
  }

  @Test("The stake of a liability is the largest one whose liability is not higher")
  func layStake() throws {
    var random = SeededRandom(seed: 5)
    for _ in 0..<5000 {
      let liability = Int128(Int64.random(in: 1...100_000_000_000, using: &random))
      let (odds, fraction) = price(&random)
      let stake = try #require(BetCalculation.layStake(liability: liability, at: odds))
      #expect(stake == (Fraction(liability) / (fraction - Fraction(1))).floor)
      #expect(BetCalculation.liability(of: stake, at: odds) <= liability)
      #expect(BetCalculation.liability(of: stake + 1, at: odds) > liability)
    }
    // The lowest price above 1 gives the highest stake.
    let highest = BetCalculation.layStake(liability: 99_999_999_999_999, at: DecimalOdds(units: 10_000_001))
    #expect(highest == Int128(99_999_999_999_999) * Int128(10_000_000))
    #expect(BetCalculation.layStake(liability: 99_999_999_999_999, at: .limit) == 10_000_001)
    for units: Int64 in [0, 9_999_999, 10_000_000] {
      #expect(BetCalculation.layStake(liability: 2500, at: DecimalOdds(units: units)) == nil)
    }
  }

  @Test("The smallest and the largest amounts and prices are rounded like others")
  func extremes() throws {
    let prices = [10_000_001, 10_100_000, 10_000_000_000, DecimalOdds.limit.units].map { DecimalOdds(units: $0) }
    for amount: Int128 in [0, 1, 2, 99, 100, 101, 99_999_999_999_999] {
      for odds in prices {
        let fraction = Fraction(Int128(odds.units), 10_000_000)
        let profit = fraction - Fraction(1)
        #expect(BetCalculation.payout(of: amount, at: odds) == (Fraction(amount) * fraction).floor)
        #expect(BetCalculation.liability(of: amount, at: odds) == (Fraction(amount) * profit).ceiling)
        let stake = try #require(BetCalculation.layStake(liability: amount, at: odds))
        #expect(stake == (Fraction(amount) / profit).floor)
        #expect(BetCalculation.liability(of: stake, at: odds) <= amount)
        for other in prices { expectDutch(amount, [odds, other]) }
      }
    }
  }

  /// Checks that the stakes add up to the total, and that the lowest return is at most that of the exact shares and
  /// less than that by at most one part of each stake.
  private func expectDutch(_ total: Int128, _ prices: [DecimalOdds]) {
    let stakes = BetCalculation.dutchStakes(total: total, prices: prices)
    #expect(stakes.reduce(0, +) == total && stakes.allSatisfy { $0 >= 0 })
    let sum = prices.map { Fraction(10_000_000, Int128($0.units)) }.reduce(Fraction(0)) { $0 + $1 }
    let ideal = (Fraction(total) / sum * Fraction(10_000_000)).floor
    let paid = lowest(stakes, prices)
    #expect(paid <= ideal && paid + Int128(prices.count) * Int128(prices.max()!.units) >= ideal, "\(total) \(prices)")
  }

  @Test("A Kelly stake is bank x fraction x (chance x price - 1) / (price - 1), rounded down")
  func kelly() {
    var random = SeededRandom(seed: 2)
    var stakes = 0
    for _ in 0..<5000 {
      let bank = Int128(Int64.random(in: 1...100_000_000, using: &random))
      let (odds, fraction) = price(&random)
      let chance = Int64.random(in: 1..<1000, using: &random) * 10_000
      let part = Int.random(in: 1...1000, using: &random)
      let edge = Fraction(Int128(chance), 10_000_000) * fraction - Fraction(1)
      let exact = Fraction(bank) * Fraction(Int128(part), 1000) * (edge / (fraction - Fraction(1)))
      let stake = BetCalculation.kellyStake(bank: bank, at: odds, chance: chance, fraction: part)
      #expect(stake == (edge.top <= 0 ? nil : exact.floor))
      if let stake {
        stakes += 1
        #expect(stake <= bank)
      }
    }
    #expect(stakes > 1000)
    // The largest values do not overflow.
    #expect(
      BetCalculation.kellyStake(bank: 99_999_999_999_999, at: .limit, chance: 9_999_999, fraction: 1000) != nil)
  }

  @Test("A dutch bet has the highest minimum return of all splits of the total")
  func allSplits() {
    var random = SeededRandom(seed: 3)
    for _ in 0..<300 {
      let count = Int.random(in: 1...3, using: &random)
      let total = Int128(Int.random(in: 1...40, using: &random))
      let prices = (0..<count).map { _ in price(&random).odds }
      let stakes = BetCalculation.dutchStakes(total: total, prices: prices)
      #expect(stakes.count == count && stakes.reduce(0, +) == total && stakes.allSatisfy { $0 >= 0 })
      #expect(lowest(stakes, prices) == best(total, prices[...]))
    }
  }

  private func lowest(_ stakes: [Int128], _ prices: [DecimalOdds]) -> Int128 {
    zip(stakes, prices).map { $0 * Int128($1.units) }.min()!
  }

  /// Returns the highest minimum return of all splits, in ten-millionths.
  private func best(_ total: Int128, _ prices: ArraySlice<DecimalOdds>) -> Int128 {
    guard let first = prices.first else { return 0 }
    if prices.count == 1 { return total * Int128(first.units) }
    return (0...Int(total)).map { stake in
      min(Int128(stake) * Int128(first.units), best(total - Int128(stake), prices.dropFirst()))
    }.max()!
  }

  @Test("The stakes and the minimum return of a dutch bet are close to those of the exact shares")
  func shares() {
    var random = SeededRandom(seed: 4)
    for _ in 0..<2000 {
      let count = Int.random(in: 1...5, using: &random)
      let total = Int128(Int.random(in: 1...10_000_000, using: &random))
      let hundredths = (0..<count).map { _ in Int128(Int.random(in: 101...3000, using: &random)) }
      let prices = hundredths.map { DecimalOdds(units: Int64($0) * 100_000) }
      let stakes = BetCalculation.dutchStakes(total: total, prices: prices)
      let sum = hundredths.map { Fraction(100, $0) }.reduce(Fraction(0)) { $0 + $1 }
      for (stake, price) in zip(stakes, hundredths) {
        let share = Fraction(total) * Fraction(100, price) / sum
        #expect(stake >= share.floor - Int128(count) && stake <= share.ceiling + Int128(count))
      }
      // Rounding does not raise the minimum return, and lowers it by at most one unit of stake per outcome.
      let ideal = Fraction(total) / sum
      let paid = lowest(stakes, prices)
      #expect(paid <= (ideal * Fraction(10_000_000)).floor)
      #expect(paid + Int128(count) * Int128(prices.max()!.units) >= (ideal * Fraction(10_000_000)).floor)
    }
    #expect(BetCalculation.dutchStakes(total: 100, prices: []) == [])
    let large = BetCalculation.dutchStakes(total: 99_999_999_999_999, prices: Array(repeating: .limit, count: 30))
    #expect(large.reduce(0, +) == 99_999_999_999_999)
  }
}
