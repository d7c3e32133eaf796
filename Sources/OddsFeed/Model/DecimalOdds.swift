/// A price as decimal odds, held exactly: an integer count of ten-millionths.
///
/// Seven decimals up to 1,000,000 (what the feed sends, Records.md) fit without loss; no `Double` is involved.
public struct DecimalOdds: Hashable, Sendable, Comparable {
  /// Decimal odds in units of 0.0000001: 2.45 is 24,500,000.
  public let units: Int64

  /// How many units are one: 10,000,000.
  public static let unitsPerOne: Int64 = 10_000_000

  /// The highest odds that a feed can send: 10,000,000. A record with higher ones is set aside.
  package static let limit = DecimalOdds(units: 10_000_000 * unitsPerOne)

  /// Decimal odds from a count of ten-millionths.
  public init(units: Int64) {
    self.units = units
  }

  public static func < (left: DecimalOdds, right: DecimalOdds) -> Bool { left.units < right.units }

  /// The odds rounded half up to hundredths: 2.45 is 245.
  public var hundredths: Int64 { (units + 50_000) / 100_000 }

  /// What the price says the chance is, 0 to 1, margin included.
  public var impliedProbability: Double { Double(Self.unitsPerOne) / Double(units) }
}

extension DecimalOdds: CustomStringConvertible {
  /// Two decimals at least and as many as there are: "2.00", "2.45", "1.0009".
  public var description: String {
    let (whole, rest) = units.magnitude.quotientAndRemainder(dividingBy: UInt64(Self.unitsPerOne))
    var digits = String(rest + UInt64(Self.unitsPerOne)).dropFirst()
    while digits.count > 2, digits.last == "0" { digits.removeLast() }
    return "\(units < 0 ? "-" : "")\(whole).\(digits)"
  }
}
