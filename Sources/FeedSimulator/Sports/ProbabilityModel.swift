/// The chances of results in the current state of a match. Prices fluctuate around them.
struct ProbabilityModel {
  /// The expected goals, points or games at the end.
  let total: Double
  /// The expected difference at the end, home minus away.
  let difference: Double
  /// Like `difference`, with a lead in sets converted to games or points.
  private let resultLead: Double
  /// The standard deviation of the rest of the match.
  private let deviation: Double
  private let hasDraw: Bool

  init(play: MatchProgress, edge: Double, tempo: Double) {
    let rules = play.sport.rules
    let remaining = play.remaining
    total = Double(play.tally.total) + rules.total * tempo * remaining
    difference = Double(play.tally.lead) + edge * remaining
    deviation = rules.spread * remaining.squareRoot()
    hasDraw = play.sport.hasDraw
    resultLead =
      switch rules.format {
      case .clock: difference
      case .sets(let sets): Double(play.sets.lead) * sets.worth + Double(play.inSet.lead) + edge * remaining
      }
  }

  /// The chances of home, draw, away; or of home, away, 0 if the sport has no draw.
  var result: SIMD3<Double> {
    guard hasDraw else { return twoWay(Self.normal(resultLead / deviation)) }
    let home = Self.normal((resultLead - 0.5) / deviation)
    let away = Self.normal((-resultLead - 0.5) / deviation)
    return SIMD3(home, 1 - home - away, away)
  }

  /// Returns the chances of over, under, 0.
  func total(over line: Double) -> SIMD3<Double> { twoWay(Self.normal((total - line) / deviation)) }

  /// Returns the chances of home with the handicap added to its score, away, 0.
  func handicap(_ line: Double) -> SIMD3<Double> { twoWay(Self.normal((difference + line) / deviation)) }

  private func twoWay(_ first: Double) -> SIMD3<Double> { SIMD3(first, 1 - first, 0) }

  /// Returns the normal distribution function with an error below 0.01. Does not use the C library's `exp`.
  private static func normal(_ value: Double) -> Double {
    let square = value * value
    return 0.5 * (1 + value / (2.466 + square * square).squareRoot().squareRoot())
  }
}
