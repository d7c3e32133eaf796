/// The kinds of markets of every match, in the order in which a topic's limit includes them.
enum MarketKind: Int, CaseIterable, Sendable {
  case result, totals, handicap
}

/// A market with its offers. Its id is the first of a block for its outcomes, relations and offers.
struct SimulatedMarket: Sendable {
  let id: Int64
  let kind: MarketKind
  let roles: [OutcomeRole]
  /// The handicap, or the total of an over/under market, in goals, points or games; nil for the result.
  let line: Double?
  var offers: [SimulatedOffer]
  /// The factor by which each chance deviates from that of the match state.
  var drift = SIMD3<Double>(repeating: 1)
  var isClosed = false
  /// The time at which the market became unavailable, in milliseconds since 1970; nil while it is available.
  var notAvailableSince: Int64?

  /// Creates a market at the prices of the outlook, with the line at which the chances are most even.
  init(id: Int64, kind: MarketKind, outlook: ProbabilityModel, hasDraw: Bool, margin: Double, time: Int64) {
    self.id = id
    self.kind = kind
    roles =
      switch kind {
      case .result: hasDraw ? [.home, .draw, .away] : [.home, .away]
      case .totals: [.over, .under]
      case .handicap: [.home, .away]
      }
    line = Self.bestLine(kind, outlook)
    offers = roles.map { _ in SimulatedOffer(odds: 0, changedAt: time) }
    let prices = prices(outlook, drift: drift, margin: margin)
    for index in offers.indices { offers[index].odds = prices[index] }
  }

  var isAvailable: Bool { notAvailableSince == nil && !isClosed }

  func outcomeID(_ index: Int) -> Int64 { id + 1 + Int64(index) }
  func relationID(_ index: Int) -> Int64 { id + 4 + Int64(index) }
  func offerID(_ index: Int) -> Int64 { id + 7 + Int64(index) }

  /// Returns the prices, in hundredths. Unused lanes are 0.
  func prices(_ outlook: ProbabilityModel, drift: SIMD3<Double>, margin: Double) -> SIMD3<Int32> {
    let chances = Pricing.priceable(chances(outlook) * drift, count: roles.count)
    var prices = SIMD3<Int32>()
    for lane in roles.indices { prices[lane] = Pricing.odds(chance: chances[lane], margin: margin) }
    return prices
  }

  /// Returns true if the chances at this line are so uneven that another line replaces it.
  func wantsNewLine(_ outlook: ProbabilityModel) -> Bool {
    guard let line, let best = Self.bestLine(kind, outlook), best != line else { return false }
    return !(0.25...0.75).contains(chances(outlook).x)
  }

  private func chances(_ outlook: ProbabilityModel) -> SIMD3<Double> {
    switch kind {
    case .result: outlook.result
    case .totals: outlook.total(over: line ?? 0)
    case .handicap: outlook.handicap(line ?? 0)
    }
  }

  /// Returns the line at which the chances are most even, a half-integer to prevent ties; nil for the result.
  private static func bestLine(_ kind: MarketKind, _ outlook: ProbabilityModel) -> Double? {
    switch kind {
    case .result: nil
    case .totals: outlook.total.rounded(.down) + 0.5
    case .handicap: -(outlook.difference.rounded(.down) + 0.5)
    }
  }
}
