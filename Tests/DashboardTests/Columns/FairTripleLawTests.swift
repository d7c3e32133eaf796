import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The column of fair prices, compared with the fair prices of the market in the pane.
struct FairTripleLawTests {
  private static func market(using random: inout SeededRandom) -> Market {
    let isExchange = Bool.random(using: &random)
    let count = Int.random(in: 1...4, using: &random)
    let outcomes = (0..<count).map { index -> Outcome in
      let id = UInt64(index + 1)
      let odds = DecimalOdds(units: Int64.random(in: 95...500, using: &random) * 100_000)
      let state = Int.random(in: 0..<12, using: &random)
      let back = BettingOffer(id: OfferID(raw: id), odds: odds, status: state == 0 ? .suspended : .standard)
      let lay = BettingOffer(id: OfferID(raw: id + 10), odds: DecimalOdds(units: odds.units + 300_000))
      return Outcome(
        id: OutcomeID(raw: id), name: count == 3 ? ["1", "X", "2"][index] : "Outcome \(index)", offer: back,
        isBettable: state > 1,
        exchange: isExchange ? ExchangePrices(backs: [back], lays: state == 2 ? [] : [lay]) : nil)
    }
    let stated = ([nil, nil, 2, 3] as [Int?]).randomElement(using: &random)!
    return Market(
      id: 7, name: "Match Odds", statedOutcomeCount: stated, outcomes: outcomes,
      exchange: isExchange ? ExchangeMarket(status: .open, winnerCount: Int.random(in: 1...2, using: &random)) : nil)
  }

  /// Returns true if the feed states more outcomes than the market has.
  private static func lacksOutcomes(_ market: Market) -> Bool {
    market.statedOutcomeCount.map { $0 > market.outcomes.count } ?? false
  }

  @Test(
    "A row has the pane's fair prices if it shows the whole market and all of it can be bet on, otherwise none")
  func law() {
    var count = 0
    for seed in Laws.seeds(3000) {
      var random = SeededRandom(seed: seed)
      let market = Self.market(using: &random)
      let match = Match(id: 1, labels: Match.Names(name: "a - b"), status: .inProgress, markets: [market])
      let row = MatchRow(match, now: .zero, newest: nil)
      let method = MarginMethod.allCases.randomElement(using: &random)!
      let fair = row.fairPrices(method)
      let isWhole = market.outcomes.count <= 3 && market.winnerCount == 1 && !Self.lacksOutcomes(market)
      let canBet = market.outcomes.allSatisfy { outcome in
        outcome.isBettable && (market.exchange == nil || outcome.exchange?.lays.isEmpty == false)
      }
      if Self.lacksOutcomes(market) { #expect(FairPrices(market, method) == nil, "seed \(seed)") }
      guard isWhole, canBet, let pane = FairPrices(market, method) else {
        #expect(fair == nil, "seed \(seed)")
        continue
      }
      let expected = market.outcomes.indices.map { pane.odds(ofOutcomeAt: $0) }
      #expect(fair?.odds.compactMap(\.self) == expected.compactMap(\.self), "seed \(seed)")
      count += 1
    }
    #expect(count > 100)
  }
}
