import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The opening price: the first recorded price of an outcome, or else the first price of this run.
struct OpeningPricesLawTests {
  /// A log of all prices, in which the opening prices are looked up.
  private struct Log {
    var recorded: [Dashboard.OutcomeKey: DecimalOdds] = [:]
    var seen: [Match] = []

    func opening(of key: Dashboard.OutcomeKey) -> DecimalOdds? {
      if let odds = recorded[key] { return odds }
      for match in seen where match.mainMarket?.id == key.market {
        if let odds = match.mainMarket?.outcomes.first(where: { $0.id == key.outcome })?.lastOdds { return odds }
      }
      return nil
    }

    /// The change of the favourite since its opening price.
    var move: Int? {
      guard let market = seen.last?.mainMarket, let favourite = market.favourite else { return nil }
      let openings = Set(
        market.outcomes.filter { $0.lastOdds == favourite }.map {
          opening(of: Dashboard.OutcomeKey(market: market.id, outcome: $0.id))
        })
      guard openings.count == 1, case let opening?? = openings.first else { return nil }
      return Int((Double(opening.units) / Double(favourite.units) * 10_000).rounded()) - 10_000
    }
  }

  private static let prices = [15, 18, 18, 21, 24, 31].map { DecimalOdds(units: $0 * 1_000_000) }

  /// Returns a state of a match in which outcomes and markets are missing at times. The first market is the main one,
  /// or else the second.
  private static func match(_ template: Match, _ random: inout SeededRandom) -> Match {
    var markets: [Market] = []
    for id in [110, 200] as [MarketID] where Int.random(in: 0..<4, using: &random) > 0 {
      var outcomes: [Outcome] = []
      for var outcome in template.markets[0].outcomes where Int.random(in: 0..<5, using: &random) > 0 {
        let odds = prices.randomElement(using: &random)!
        outcome.offer?.odds = odds
        outcome.lastOdds = odds
        outcomes.append(outcome)
      }
      markets.append(Market(id: id, name: "Market", outcomes: outcomes))
    }
    return Match(id: template.id, labels: template.labels, status: template.status, markets: markets)
  }

  @Test("MOVE% of a row equals that of a log of all prices, in any order of live and recorded prices, with gaps")
  func law() throws {
    let template = Match.football()
    let market = try #require(template.mainMarket)
    var moves: Set<Int?> = []
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      var (rows, log) = (RowList(), Log())
      for step in 0..<12 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let outcome = market.outcomes.randomElement(using: &random)!.id
          let key = Dashboard.OutcomeKey(market: market.id, outcome: outcome)
          // The file's opening price of an outcome never changes.
          let odds = log.recorded[key] ?? DecimalOdds(units: Int64.random(in: 11_000_000...40_000_000, using: &random))
          log.recorded[key] = odds
          rows.apply(
            OpeningBatch(prices: [OpeningBatch.Price(match: 100, market: market.id, outcome: outcome, odds: odds)]))
        } else {
          let match = Self.match(template, &random)
          log.seen.append(match)
          rows.update([match], now: .seconds(step))
        }
        guard let row = rows.all.first(where: { $0.id == 100 }) else { continue }
        #expect(row.move == log.move, "seed \(seed), step \(step)")
        moves.insert(row.move)
      }
    }
    #expect(moves.count > 100 && moves.contains(nil))
  }

  @Test("The opening prices of outcomes that are gone are kept for a limited number of them")
  func bounded() {
    var openings = OpeningPrices()
    for id in (1...1000) as ClosedRange<UInt64> {
      let offer = BettingOffer(id: OfferID(raw: id), odds: DecimalOdds(units: 20_000_000))
      let outcome = Outcome(id: OutcomeID(raw: id), name: "\(id)", offer: offer, isBettable: true)
      openings.apply(Market(id: 110, name: "Winner", outcomes: [outcome]), favourite: nil)
      #expect(openings.missing.count == min(Int(id) - 1, MissingOpenings.limit))
    }
  }

  @Test("Opening prices of a match are kept across tabs until no channel has the match")
  func lifetime() throws {
    let market = try #require(Match.football().mainMarket)
    let price = OpeningBatch.Price(
      match: 100, market: market.id, outcome: market.outcomes[2].id, odds: DecimalOdds(units: 40_000_000))
    var rows = RowList()
    rows.apply(OpeningBatch(prices: [price]))
    rows = rows.emptied
    rows.update([.football(odds: ["2.45", "3.1", "2"])], now: .zero)
    #expect(rows[0].move == 10_000)
    rows.remove(100)
    rows.apply(OpeningBatch(gone: [100]))
    rows.update([.football(odds: ["2.45", "3.1", "2"])], now: .zero)
    #expect(rows[0].move == 0 && rows.openings.isEmpty)
  }

  @Test("A frozen screen applies recorded opening prices when it is unfrozen")
  func frozen() throws {
    let market = try #require(Match.football().mainMarket)
    var board = Board()
    board.update(.football(odds: ["2", "3.1", "2.9"]))
    board.type("p")
    let price = OpeningBatch.Price(
      match: 100, market: market.id, outcome: market.outcomes[0].id, odds: DecimalOdds(units: 30_000_000))
    board.send(.openingsRead(OpeningBatch(prices: [price])))
    #expect(board.state.list.rows[0].move == 0)
    board.type("p")
    #expect(board.state.list.rows[0].move == 5000)
  }
}
