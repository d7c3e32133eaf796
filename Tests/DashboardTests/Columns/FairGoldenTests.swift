import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The list sorted by fair price, compared with `Golden/` and with the fair prices of the markets. RECORD=1 updates the
/// files.
struct FairGoldenTests {
  private static let sizes = [(24, 80), (40, 120), (60, 200), (24, 40)]

  /// Four matches with fair prices, one with a suspended price, and one whose margin is too low.
  private static let matches: [Match] = [
    .football(100, "Ajax - Porto"),
    .football(200, "北京国安 - 上海海港", odds: ["1.5", "4", "6.25"]),
    .football(300, "Brighton & Hove Albion - Atlético Madrid", odds: ["1000", "12.5", "1.01"]),
    .football(400, "Roma - Lazio", then: FeedText.change("BETTING_OFFER", 422, #""statusId":"7""#)),
    twoOutcomes(500, "Alcaraz - Sinner", [172, 220]),
    .football(600, "Santos - Bahia", odds: ["3.5", "4", "5"]),
  ]
  private static let withoutFairPrices: [MatchID] = [400, 600]

  private static func twoOutcomes(_ id: UInt64, _ name: String, _ hundredths: [Int64]) -> Match {
    let outcomes = hundredths.enumerated().map { index, price in
      let raw = id + UInt64(index)
      let offer = BettingOffer(id: OfferID(raw: raw), odds: DecimalOdds(units: price * 100_000))
      return Outcome(id: OutcomeID(raw: raw), name: ["1", "2"][index], offer: offer, isBettable: true)
    }
    return Match(
      id: MatchID(raw: id), labels: Match.Names(name: name), startTime: 1_750_752_000_000, status: .inProgress,
      markets: [Market(id: MarketID(raw: id), name: "Match Odds", outcomes: outcomes)])
  }

  private func board(
    rows: Int, columns: Int, glyphs: GlyphSet = .unicode, words: Catalog = .english,
    method: MarginMethod = .proportional
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: words)
    let chosen: [BoardColumn] = [.name, .fair, .home, .draw, .away]
    board.state.settings.columns = chosen.map { ChosenColumn($0) }
    board.state.settings.marginMethod = method
    for match in Self.matches { board.update(match) }
    _ = board.state.sort(by: RowOrder(.fair), now: board.now)
    board.paint()
    return board
  }

  /// Returns the fair prices in a row of the screen: three texts, each empty if there is no price.
  private func shownPrices(_ board: Board, row: Int) -> [String] {
    let cells = board.state.layout.columns[.fair]
    return (0..<3).map { index -> String in
      let start = cells.lowerBound + index * (ShortText.priceWidth + 1)
      let price = board.screen.content.rows[row].cells[start..<start + ShortText.priceWidth]
      return String(price.map { Character(Unicode.Scalar($0.scalar) ?? " ") }).filter { $0 != " " }
    }
  }

  @Test("The list with fair prices has its golden text at each size", arguments: sizes)
  func list(rows: Int, columns: Int) {
    board(rows: rows, columns: columns).expectGolden("fair-\(columns)x\(rows)")
  }

  @Test("The list has golden texts in French, Chinese and ASCII, and with fair prices by power")
  func others() {
    for language in [Language.french, .traditionalChinese] {
      board(rows: 24, columns: 80, words: Catalog(language)).expectGolden("fair-\(language.rawValue)-80x24")
    }
    board(rows: 24, columns: 80, glyphs: .ascii).expectGolden("fair-ascii-80x24")
    board(rows: 24, columns: 80, method: .power).expectGolden("fair-power-80x24")
  }

  @Test(
    "Each fair price is that of the market, and the rows follow the lowest one", arguments: MarginMethod.allCases)
  func prices(method: MarginMethod) throws {
    for (rows, columns) in Self.sizes {
      let board = board(rows: rows, columns: columns, method: method)
      #expect(board.state.list.rows.count == Self.matches.count)
      var lowest: [DecimalOdds?] = []
      for position in 0..<board.state.list.rows.count {
        let id = board.state.list.rows[position].id
        let market = try #require(Self.matches.first { $0.id == id }?.mainMarket)
        let fair = FairPrices(market, method)
        let odds = market.outcomes.indices.map { index in fair.flatMap { $0.odds(ofOutcomeAt: index) } }
        var expected = ["", "", ""]
        for (column, odds) in zip(odds.count == 2 ? [0, 2] : [0, 1, 2], odds) {
          expected[column] = odds.map { "\(ShortText($0))" } ?? ""
        }
        let shown = shownPrices(board, row: position + 2)
        #expect(shown == expected, "\(columns) columns: \(board.line(position + 2))")
        #expect(shown.allSatisfy(\.isEmpty) == Self.withoutFairPrices.contains(id), "\(id)")
        lowest.append(odds.compactMap(\.self).min())
      }
      let known = lowest.compactMap(\.self)
      #expect(known == known.sorted() && lowest.prefix(known.count).allSatisfy { $0 != nil }, "\(lowest)")
    }
  }

  @Test("By default, a fair price is the price times the sum of the implied probabilities")
  func proportion() throws {
    let board = board(rows: 24, columns: 80)
    for position in 0..<board.state.list.rows.count {
      let id = board.state.list.rows[position].id
      if Self.withoutFairPrices.contains(id) { continue }
      let market = try #require(Self.matches.first { $0.id == id }?.mainMarket)
      let odds = market.outcomes.compactMap { $0.offer?.odds }.map { Double($0.units) / 10_000_000 }
      let sum = odds.map { 1 / $0 }.reduce(0, +)
      let shown = shownPrices(board, row: position + 2).compactMap { Double($0) }
      #expect(shown.count == odds.count, "\(board.line(position + 2))")
      for (price, odds) in zip(shown, odds) { #expect(abs(price - odds * sum) < 0.0051, "\(odds)") }
    }
  }
}
