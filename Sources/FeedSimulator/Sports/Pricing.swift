/// From chances to published prices.
///
/// The overround of a market is the sum of 1 / odds, less 1. It stays within 2 to 8 % because the margin stays
/// within 4 to 5.8 % and rounding to the ladder moves the sum by less than 1.2 %, as long as no price is held back by
/// an end of the ladder: hence the limits on the chances.
enum Pricing {
  /// The shortest price is 1.01; this chance with the largest margin is just below 1 / 1.01.
  static let likeliest = 0.935
  /// The longest price is 1000, and this chance with the largest margin stays below it.
  static let unlikeliest = 0.0012

  /// Chances that can be priced: a sum of 1, none too near to 0 or 1. Unused lanes stay 0.
  static func priceable(_ chances: SIMD3<Double>, count: Int) -> SIMD3<Double> {
    var result = chances
    for lane in 0..<count { result[lane] = max(unlikeliest, result[lane]) }
    result /= result.sum()
    for lane in 0..<count where result[lane] > likeliest {
      result *= (1 - likeliest) / (1 - result[lane])
      result[lane] = likeliest
    }
    return result
  }

  /// The price of a chance, in hundredths, on the ladder.
  static func odds(chance: Double, margin: Double) -> Int32 {
    let fair = 100 / (chance * (1 + margin))
    let step = step(at: fair)
    return min(100_000, max(101, Int32((fair / step).rounded() * step)))
  }

  /// The distance between two rungs of a bookmaker's ladder, in hundredths: finer for short prices.
  private static func step(at odds: Double) -> Double {
    switch odds {
    case ..<200: 1
    case ..<300: 2
    case ..<400: 5
    case ..<600: 10
    case ..<1000: 20
    case ..<2000: 50
    case ..<3000: 100
    case ..<5000: 200
    case ..<10_000: 500
    default: 1000
    }
  }
}
