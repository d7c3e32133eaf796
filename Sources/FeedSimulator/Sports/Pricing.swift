/// Computes published prices from chances.
///
/// The overround of a market is the sum of 1 / odds, minus 1. It stays within 2 to 8 %, because the margin stays within
/// 4 to 5.8 % and rounding to the ladder moves the sum by less than 1.2 %. This holds only while no price is clamped to
/// an end of the ladder, hence the limits on the chances.
enum Pricing {
  /// The maximum chance. With the largest margin it is just below 1 / 1.01; 1.01 is the shortest price.
  static let likeliest = 0.935
  /// The minimum chance. Even with the smallest margin its price is below 1000, the longest price.
  static let unlikeliest = 0.0012

  /// Returns chances that can be priced: their sum is 1, and none is too near to 0 or 1. Unused lanes stay 0.
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

  /// Returns the price of a chance, in hundredths, rounded to the ladder.
  static func odds(chance: Double, margin: Double) -> Int32 {
    let fair = 100 / (chance * (1 + margin))
    let step = step(at: fair)
    return min(100_000, max(101, Int32((fair / step).rounded() * step)))
  }

  /// Returns the step of the price ladder at some odds, in hundredths. Short prices have finer steps.
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
