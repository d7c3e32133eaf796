/// What the state of a match says about its end: the true chances that prices wander around.
struct ProbabilityModel {
  /// Expected goals, points or games at the end.
  let total: Double
  /// Expected difference at the end, home minus away.
  let difference: Double
  /// Like `difference`, with sets in hand counted for what they are worth.
  private let resultLead: Double
  /// Standard deviation of what is still to come.
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

  /// Home, draw, away; or home, away, 0 where there is no draw.
  var result: SIMD3<Double> {
    guard hasDraw else { return twoWay(Self.normal(resultLead / deviation)) }
    let home = Self.normal((resultLead - 0.5) / deviation)
    let away = Self.normal((-resultLead - 0.5) / deviation)
    return SIMD3(home, 1 - home - away, away)
  }

  /// Over, under.
  func total(over line: Double) -> SIMD3<Double> {
    twoWay(Self.normal((total - line) / deviation))
  }

  /// Home with the handicap added to its score, away.
  func handicap(_ line: Double) -> SIMD3<Double> {
    twoWay(Self.normal((difference + line) / deviation))
  }

  private func twoWay(_ first: Double) -> SIMD3<Double> {
    SIMD3(first, 1 - first, 0)
  }

  /// The normal distribution function, within 0.01, without the C library's `exp`.
  private static func normal(_ value: Double) -> Double {
    let square = value * value
    return 0.5 * (1 + value / (2.466 + square * square).squareRoot().squareRoot())
  }
}
