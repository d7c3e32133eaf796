import OddsFeed

/// What rules look at in a match.
struct AlertSight: Hashable, Sendable {
  let grade: Staleness.Grade
  let score: Score?
  let status: MatchStatus
  let prices: PriceTriple

  init(_ match: Match) {
    (grade, score, status) = (match.ownGrade, match.score, match.status)
    prices = match.mainMarket.map(PriceTriple.init) ?? PriceTriple()
  }

  /// A price that can be bet on.
  func price(_ pick: AlertRule.Pick) -> DecimalOdds? {
    switch pick {
    case .home: prices.first.bettable
    case .draw: prices.middle.bettable
    case .away: prices.last.bettable
    case .any: nil
    case .favourite:
      // While a price is held, who the favourite is is not known.
      PriceTriple.indices.contains { prices[$0].state == .suspended }
        ? nil : PriceTriple.indices.compactMap { prices[$0].bettable }.min()
    }
  }
}

extension PriceCell {
  /// The price where it can be bet on.
  var bettable: DecimalOdds? { state == .live ? odds : nil }
}

extension AlertRule.Pick {
  /// What is looked at one by one.
  var parts: [AlertRule.Pick] { self == .any ? [.home, .draw, .away] : [self] }
}
