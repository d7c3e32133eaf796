import OddsModel

/// The arithmetic of bets. Amounts are whole numbers of the smallest part of a currency, below 10^14. All prices are at
/// most `DecimalOdds.limit`, and above 1 unless a function says otherwise. Each result is exact before it is rounded.
enum BetCalculation {
  private static let one = Int128(DecimalOdds.unitsPerOne)
  /// The number of parts of a probability of 1: a probability is a count of ten-millionths.
  static let certainty: Int64 = 10_000_000
  /// The number of parts of a whole Kelly stake: a fraction is a count of thousandths.
  static let wholeFraction = 1000

  /// Returns the amount that a stake returns if the bet wins, the stake included. Rounds down.
  static func payout(of stake: Int128, at odds: DecimalOdds) -> Int128 { stake * Int128(odds.units) / one }

  /// Returns the amount that is lost if a bet laid against an outcome loses. Rounds up.
  static func liability(of stake: Int128, at odds: DecimalOdds) -> Int128 {
    (stake * (Int128(odds.units) - one) + one - 1) / one
  }

  /// Returns the largest stake of a bet laid against an outcome whose liability is at most `liability`. Nil if the
  /// price is 1 or less: then no stake has a liability.
  static func layStake(liability: Int128, at odds: DecimalOdds) -> Int128? {
    if odds.units <= DecimalOdds.unitsPerOne { return nil }
    return liability * one / (Int128(odds.units) - one)
  }

  /// Splits a total into stakes on outcomes so that the lowest return is as high as whole parts allow. Without rounding
  /// all returns would be the same, and each stake would be in proportion to 1 / price.
  ///
  /// - Returns: The stakes, which add up to the total.
  static func dutchStakes(total: Int128, prices: [DecimalOdds]) -> [Int128] {
    let odds = prices.map { Int128($0.units) }
    guard let lowest = odds.min() else { return [] }
    func stakes(returning amount: Int128) -> [Int128] { odds.map { (amount + $0 - 1) / $0 } }
    // The highest return, in ten-millionths of a part, that the total pays for on each outcome.
    var amounts = (paid: Int128(0), unpaid: total * lowest + 1)
    while amounts.unpaid - amounts.paid > 1 {
      let middle = (amounts.paid + amounts.unpaid) / 2
      if stakes(returning: middle).reduce(0, +) <= total { amounts.paid = middle } else { amounts.unpaid = middle }
    }
    var result = stakes(returning: amounts.paid)
    // The parts that are left are fewer than the outcomes. Each goes to the lowest return.
    for _ in 0..<Int(total - result.reduce(0, +)) {
      let index = result.indices.min { result[$0] * odds[$0] < result[$1] * odds[$1] }!
      result[index] += 1
    }
    return result
  }

  /// Returns the stake that the Kelly criterion gives for a bank, rounded down. Nil if the price is not worth a bet.
  ///
  /// - Parameters:
  ///   - chance: The probability of the outcome, in ten-millionths.
  ///   - fraction: The part of the full stake, in thousandths.
  static func kellyStake(bank: Int128, at odds: DecimalOdds, chance: Int64, fraction: Int) -> Int128? {
    let price = Int128(odds.units)
    let edge = Int128(chance) * price - Int128(certainty) * one
    if edge <= 0 { return nil }
    return bank * edge * Int128(fraction) / (Int128(certainty) * (price - one) * Int128(wholeFraction))
  }
}
