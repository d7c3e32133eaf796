import OddsModel

/// The state of a match that rules evaluate and sentences describe.
struct MatchSnapshot: Hashable, Sendable {
  let grade: Freshness.Grade
  let score: Score?
  let status: MatchStatus
  let prices: PriceTriple

  init(_ match: Match) {
    (grade, score, status) = (match.tradingStatus, match.score, match.status)
    prices = match.mainMarket.map(PriceTriple.init) ?? PriceTriple()
  }
}
