/// A price as exact decimal odds: an integer count of ten-millionths.
///
/// Feeds send up to seven decimals and odds up to 1,000,000. An integer stores both exactly; a `Double` would not.
public struct DecimalOdds: Hashable, Sendable, Comparable {
  /// The decimal odds in units of 0.0000001. Odds of 2.45 are 24,500,000.
  public let units: Int64

  /// The number of units in odds of 1: 10,000,000.
  public static let unitsPerOne: Int64 = 10_000_000

  /// The highest valid odds: above any bookmaker's offer, far below the bounds of the arithmetic on prices.
  package static let limit = DecimalOdds(units: 10_000_000 * unitsPerOne)

  /// Creates decimal odds from a count of ten-millionths.
  public init(units: Int64) { self.units = units }

  /// Creates decimal odds from a count of thousandths, the unit of recorded prices.
  package init(thousandths: Int64) { units = thousandths * 10_000 }

  public static func < (left: DecimalOdds, right: DecimalOdds) -> Bool { left.units < right.units }

  /// The odds in hundredths, rounded half up. Odds of 2.45 are 245.
  public var hundredths: Int64 { (units + 50_000) / 100_000 }

  /// The odds in thousandths, rounded half up. Odds of 2.45 are 2450.
  package var thousandths: Int64 { (units + 5_000) / 10_000 }

  /// The probability that the price implies, margin included: 1 divided by the odds, so 0.5 for odds of 2. It is 0 for
  /// odds of zero or less, which are no price.
  public var impliedProbability: Double { units > 0 ? Double(Self.unitsPerOne) / Double(units) : 0 }
}

extension DecimalOdds: CustomStringConvertible {
  /// The odds with at least two decimals and no other trailing zeros: "2.00", "2.45", "1.0009".
  public var description: String {
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(Self.unitsPerOne))
    var digits = String(rest + UInt64(Self.unitsPerOne)).dropFirst()
    while digits.count > 2, digits.last == "0" { digits.removeLast() }
    return "\(units < 0 ? "-" : "")\(whole).\(digits)"
  }
}
