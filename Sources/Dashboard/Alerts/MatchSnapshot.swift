import OddsFeed

/// What rules look at in a match besides single prices, and sentences tell of it.
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
