import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The price histories of a match whose prices, outcomes and markets are missing at times.
struct MissingPricesLawTests {
  /// Two markets of an exchange. The second one is the main market while the first is missing.
  private struct Prices {
    enum State: CaseIterable { case live, notOffered, suspended, missing }

    var hasMarkets = [true, true]
    /// The states and the prices of the outcomes, three of each market.
    var states = Array(repeating: State.live, count: 6)
    var odds = Array(repeating: Int64(20_000_000), count: 6)

    static func key(_ index: Int) -> OutcomeKey {
      OutcomeKey(market: MarketID(raw: UInt64(index / 3 + 1)), outcome: OutcomeID(raw: UInt64(index + 1)))
    }

    var match: Match {
      Match(
        id: 100, labels: Match.Names(name: "Ajax - Porto"), status: .inProgress,
        markets: hasMarkets.indices.filter { hasMarkets[$0] }.map(market))
    }

    mutating func change(using random: inout SeededRandom) {
      if Int.random(in: 0..<12, using: &random) == 0 {
        hasMarkets[Int.random(in: 0..<2, using: &random)].toggle()
        return
      }
      let index = Int.random(in: 0..<6, using: &random)
      states[index] = Bool.random(using: &random) ? .live : State.allCases.randomElement(using: &random)!
      odds[index] = 1_000_000 * Int64.random(in: 11...29, using: &random)
    }

    private func market(_ number: Int) -> Market {
      let indices = (3 * number..<3 * number + 3).filter { states[$0] != .missing }
      return Market(
        id: MarketID(raw: UInt64(number + 1)), name: "Market \(number)", mainMarketRank: number,
        outcomes: indices.map(outcome), exchange: ExchangeMarket(status: .open))
    }

    private func outcome(_ index: Int) -> Outcome {
      let price = states[index] == .notOffered ? nil : DecimalOdds(units: odds[index])
      let offer = BettingOffer(
        id: OfferID(raw: UInt64(index + 1)), odds: price, status: states[index] == .suspended ? .suspended : .standard)
      return Outcome(
        id: OutcomeID(raw: UInt64(index + 1)), name: "Outcome \(index)", key: ["home", "draw", "away"][index % 3],
        offer: offer, isBettable: states[index] == .live)
    }
  }

  private typealias States = ArraySlice<(second: Int, match: Match)>

  /// Returns the history of an outcome over the states of a match, unknown while the match lacks the outcome.
  private static func history(of key: OutcomeKey, in states: States) -> PriceHistory {
    var history = PriceHistory()
    for (second, match) in states {
      guard let market = match.markets.first(where: { $0.id == key.market }),
        let outcome = market.outcomes.first(where: { $0.id == key.outcome })
      else {
        history.markUnknown(at: second)
        continue
      }
      history.record(outcome.offer?.odds, outcome.isBettable ? .live : .suspended, at: second)
    }
    return history
  }

  @Test(
    "The histories of an open match, and those of a match that is opened later, equal a log of all its states",
    arguments: Laws.seeds(30))
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var prices = Prices()
    var board = Board(rows: 40, columns: 120)
    board.update(prices.match)
    board.openMatch(prices.match, hasTopic: false)
    var states: States = [(10, prices.match)]
    for _ in 0..<60 {
      board.wait(.milliseconds(Int.random(in: 0...3000, using: &random)))
      prices.change(using: &random)
      let match = prices.match
      board.update(match)
      states.append((board.state.context(board.now).second, match))
      let row = try #require(board.state.list.rows[id: 100])
      var later = PriceHistories()
      later.seed(match, from: row, since: 0)
      // The row has the prices since its main market was another one.
      let since = states.lastIndex { $0.match.mainMarket?.id != match.mainMarket?.id }.map { $0 + 1 } ?? 0
      for key in (0..<6).map(Prices.key) {
        let history = board.state.detail.histories[100, key]
        #expect((history?.steps ?? []) == Self.history(of: key, in: states).steps)
        let isInRow = match.mainMarket?.outcomes.contains { $0.id == key.outcome } ?? false
        guard isInRow, row.recent.changes.count < RecentPrices.limit else { continue }
        #expect((later[100, key]?.steps ?? []) == Self.history(of: key, in: states[since...]).steps)
      }
    }
  }

  @Test("The chart of a match that is opened later shows the time in which nobody offered a price")
  func notOffered() {
    var (prices, board) = (Prices(), Board(rows: 40, columns: 120))
    board.update(prices.match)
    for (state, wait) in [(.notOffered, 20), (.live, 60)] as [(Prices.State, Int)] {
      board.wait(.seconds(wait))
      prices.states[0] = state
      board.update(prices.match)
    }
    board.wait(.seconds(10))
    board.openMatch(prices.match)
    let steps = board.state.detail.histories[100, Prices.key(0)]?.steps ?? []
    #expect(steps.map { Int($0.second) } == [10, 30, 90] && steps.map(\.state) == [.live, .suspended, .live])
  }

  @Test("The price of a market that is removed is unknown until the market returns")
  func removedMarket() throws {
    var (prices, board) = (Prices(), Board(rows: 40, columns: 120))
    board.update(prices.match)
    board.openMatch(prices.match, hasTopic: false)
    for (hasMarket, odds, wait) in [(false, 20_000_000, 10), (true, 22_000_000, 590)] as [(Bool, Int64, Int)] {
      board.wait(.seconds(wait))
      prices.hasMarkets[0] = hasMarket
      prices.odds[0] = odds
      board.update(prices.match)
    }
    let history = try #require(board.state.detail.histories[100, Prices.key(0)])
    #expect(history.steps.map { Int($0.second) } == [10, 20, 610])
    #expect(history.steps.map(\.state) == [.live, .unknown, .live])
    #expect(history.change(over: 60, at: 615) == nil && history.change(over: nil, at: 615) == 100)
  }

  @Test("An outcome that returns has its first opening price, and no earlier prices")
  func returned() throws {
    var (prices, board) = (Prices(), Board(rows: 40, columns: 120))
    board.update(prices.match)
    board.openMatch(prices.match)
    board.updateMatch(prices.match)
    board.wait(.seconds(10))
    prices.states[0] = .missing
    board.updateMatch(prices.match)
    #expect(board.state.detail.histories[100, Prices.key(0)] == nil)
    board.wait(.seconds(10))
    prices.states[0] = .live
    prices.odds[0] = 25_000_000
    board.updateMatch(prices.match)
    let history = try #require(board.state.detail.histories[100, Prices.key(0)])
    #expect(history.steps.map { Int($0.second) } == [30] && history.change(over: nil, at: 30) == 250)
  }
}
