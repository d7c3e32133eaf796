import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The opening price: the first recorded price of an outcome, or else the first price of this run.
struct OpeningPricesLawTests {
  /// A log of all prices, in which the opening prices are looked up.
  private struct Log {
    var recorded: [OutcomeID: DecimalOdds] = [:]
    var seen: [Match] = []

    func opening(of outcome: OutcomeID) -> DecimalOdds? {
      if let odds = recorded[outcome] { return odds }
      for match in seen {
        if let odds = match.mainMarket?.outcomes.first(where: { $0.id == outcome })?.lastOdds { return odds }
      }
      return nil
    }

    /// The change of the favourite since its opening price.
    var move: Int? {
      guard let market = seen.last?.mainMarket, let favourite = market.favourite else { return nil }
      let openings = Set(market.outcomes.filter { $0.lastOdds == favourite }.map { opening(of: $0.id) })
      guard openings.count == 1, case let opening?? = openings.first else { return nil }
      return Int((Double(opening.units) / Double(favourite.units) * 10_000).rounded()) - 10_000
    }
  }

  private static let prices = ["1.50", "1.80", "1.80", "2.10", "2.45", "3.1"]

  @Test("OPEN% of a row equals that of a log of all prices, in any order of live and recorded prices")
  func law() throws {
    let market = try #require(Match.football().mainMarket)
    var moves: Set<Int?> = []
    for seed in 0..<300 {
      var random = SeededRandom(seed: UInt64(seed))
      var (rows, log) = (RowList(), Log())
      for step in 0..<8 {
        if Int.random(in: 0..<3, using: &random) == 0 {
          let outcome = market.outcomes.randomElement(using: &random)!.id
          // The file's opening price of an outcome never changes.
          let odds =
            log.recorded[outcome] ?? DecimalOdds(units: Int64.random(in: 11_000_000...40_000_000, using: &random))
          log.recorded[outcome] = odds
          rows.apply(
            OpeningBatch(prices: [OpeningBatch.Price(match: 100, market: market.id, outcome: outcome, odds: odds)]))
        } else {
          let match = Match.football(odds: (0..<3).map { _ in Self.prices.randomElement(using: &random)! })
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
