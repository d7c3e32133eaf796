import CLibrary

/// A method that removes the bookmaker's margin from the prices of a market.
public enum MarginMethod: String, Hashable, Sendable, CaseIterable {
  /// Divides all implied probabilities by the same number, so that all prices change by the same factor.
  case proportional
  /// Raises all implied probabilities to the same power, so that high prices change by a larger factor than low ones.
  case power

  /// Returns the fair probabilities of outcomes, which add up to the number of winners.
  ///
  /// - Parameters:
  ///   - implied: The implied probabilities, margin included, each above 0 and below 1.
  ///   - winners: The number of outcomes that win, at least 1.
  /// - Returns: The probabilities in the same order, each above 0 and below 1. Nil if there are not more outcomes than
  ///   winners, or if the method would give an outcome a probability of 1 or more.
  public func fairProbabilities(implied: [Double], winners: Int) -> [Double]? {
    guard winners > 0, implied.count > winners, implied.allSatisfy({ $0 > 0 && $0 < 1 }) else { return nil }
    let fair: [Double]
    switch self {
    case .proportional:
      let factor = Double(winners) / implied.reduce(0, +)
      fair = implied.map { $0 * factor }
    case .power:
      let logarithms = implied.map { log($0) }
      let exponent = Self.exponent(logarithms, winners: Double(winners))
      fair = logarithms.map { exp($0 * exponent) }
    }
    return fair.allSatisfy { $0 > 0 && $0 < 1 } ? fair : nil
  }

  /// Returns the exponent at which the powers of probabilities add up to the number of winners, by Newton's method.
  private static func exponent(_ logarithms: [Double], winners: Double) -> Double {
    var exponent = 1.0
    // NB: The sum falls as the exponent grows, ever more slowly. So after the first step at most, the exponent
    // approaches the solution from below.
    for _ in 0..<64 {
      var excess = -winners
      var slope = 0.0
      for logarithm in logarithms {
        let power = exp(logarithm * exponent)
        excess += power
        slope += power * logarithm
      }
      let next = max(0, exponent - excess / slope)
      if abs(next - exponent) <= 1e-14 * exponent { return next }
      exponent = next
    }
    return exponent
  }
}
