import Algorithms

/// A format for prices.
public enum OddsFormat: String, Hashable, Sendable, CaseIterable {
  /// The return on a stake of one, including the stake: 2.50.
  case decimal
  /// The profit as a fraction of the stake, from the bookmakers' ladder of fractions: 6/4.
  case fractional
  /// At odds of 2 or more the profit on a stake of 100, below that the stake that wins 100, as a negative number: +150,
  /// -200.
  case american
  /// The profit on a stake of one: 1.50.
  case hongKong = "hong-kong"
  /// Hong Kong odds up to evens; above evens, the stake that wins one, as a negative number: -0.67.
  case malay
  /// Hong Kong odds from evens upwards; below evens, the stake that wins one, as a negative number: -2.00.
  case indonesian
  /// The probability that the price implies, margin included: 40.0%.
  case implied

  /// A price converted to a format, before it is written as text.
  public enum Figure: Hashable, Sendable {
    /// An amount in ten-millionths. A negative amount is a stake.
    case amount(units: Int64)
    /// A numerator and a denominator: a fraction of the ladder, or a whole number to 1 above its highest fraction.
    case fraction(Int64, Int64)
    /// A whole number, written with its sign.
    case whole(Int64)
    /// A number of tenths of a percent.
    case perMille(Int64)
    /// No figure. Odds of 1 or less win nothing, so there are no fractional, American, Malay or Indonesian ones. Odds
    /// of zero or less, or above 10,000,000, are no price in any format.
    case nothing
  }

  /// Returns a price in this format. Rounds half away from zero.
  public func figure(of odds: DecimalOdds) -> Figure {
    guard 1...DecimalOdds.limit.units ~= odds.units else { return .nothing }
    let one = DecimalOdds.unitsPerOne
    let profit = odds.units - one
    switch self {
    case .decimal: return .amount(units: odds.units)
    case .implied: return .perMille(Self.rounded(one * 1000, over: odds.units))
    case .hongKong: return .amount(units: profit)
    case .fractional, .american, .malay, .indonesian: if profit <= 0 { return .nothing }
    }
    // The stake that wins one, in ten-millionths: the precision of the price.
    let stake = Self.rounded(one * one, over: profit)
    switch self {
    case .fractional: return FractionalLadder.figure(profit: profit)
    case .american where profit >= one: return .whole(Self.rounded(profit * 100, over: one))
    case .american: return .whole(-Self.rounded(one * 100, over: profit))
    case .malay: return .amount(units: profit <= one ? profit : -stake)
    default: return .amount(units: profit >= one ? profit : -stake)
    }
  }

  private static func rounded(_ dividend: Int64, over divisor: Int64) -> Int64 { (dividend + divisor / 2) / divisor }
}

/// The fractions that bookmakers use. They are not reduced (6/4, not 3/2) and have gaps (none between 2/5 and 4/9).
enum FractionalLadder {
  static let rungs: [(Int64, Int64)] =
    [
      1000, 750, 500, 400, 300, 250, 200, 150, 125, 100, 80, 66, 50, 40, 33, 28, 25, 22, 20, 18, 16, 14, 12, 11, 10, 9,
      8,
    ].map { (1, $0) }
    + [
      (2, 15), (1, 7), (2, 13), (1, 6), (2, 11), (1, 5), (2, 9), (1, 4), (2, 7), (3, 10), (1, 3), (4, 11), (2, 5),
      (4, 9), (1, 2), (8, 15), (4, 7), (8, 13), (4, 6), (8, 11), (4, 5), (5, 6), (10, 11), (1, 1), (21, 20), (11, 10),
      (6, 5), (5, 4), (11, 8), (7, 5), (6, 4), (8, 5), (13, 8), (7, 4), (9, 5), (15, 8), (2, 1), (85, 40), (11, 5),
      (9, 4), (12, 5), (5, 2), (13, 5), (11, 4), (14, 5), (3, 1), (16, 5), (10, 3), (7, 2), (18, 5), (4, 1), (9, 2),
      (5, 1), (11, 2), (6, 1), (13, 2), (7, 1), (15, 2), (8, 1), (17, 2), (9, 1), (10, 1), (11, 1), (12, 1), (14, 1),
      (16, 1), (18, 1), (20, 1), (22, 1), (25, 1), (28, 1), (33, 1), (40, 1), (50, 1), (66, 1), (80, 1), (100, 1),
      (125, 1), (150, 1), (200, 1), (250, 1), (300, 1), (400, 1), (500, 1), (750, 1), (1000, 1),
    ]

  /// The highest price, in ten-millionths, at which each rung except the last is the nearest by implied probability. A
  /// price half-way between two rungs belongs to the rung with the lower odds.
  private static let bounds: [Int64] = zip(rungs, rungs.dropFirst()).map { lower, upper in
    func odds(_ rung: (Int64, Int64)) -> Int128 {
      Int128(DecimalOdds.unitsPerOne + rung.0 * DecimalOdds.unitsPerOne / rung.1)
    }
    return Int64(2 * odds(lower) * odds(upper) / (odds(lower) + odds(upper)))
  }

  static func figure(profit: Int64) -> OddsFormat.Figure {
    let one = DecimalOdds.unitsPerOne
    let last = rungs[rungs.count - 1]
    if profit > last.0 * one { return .fraction((profit + one / 2) / one, 1) }
    let rung = rungs[bounds.partitioningIndex { $0 >= profit + one }]
    return .fraction(rung.0, rung.1)
  }
}

extension CaseIterable where Self: Equatable {
  /// The next case. The last case is followed by the first.
  package var next: Self {
    let all = Array(Self.allCases)
    return all[(all.firstIndex(of: self)! + 1) % all.count]
  }
}
