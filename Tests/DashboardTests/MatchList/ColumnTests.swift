import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Columns that depend on the rows, and their titles.
struct ColumnTests {
  private static func match(_ id: MatchID, _ sport: SportID?, _ name: String) -> Match {
    Match(id: id, labels: Match.Names(name: "m\(id) - x", sport: name), sportID: sport, startTime: 0)
  }

  @Test(
    "Rows of several sports have a sport column, as wide as the screen allows",
    arguments: [(40, ["", ""]), (80, ["Footb", "Tenni"]), (120, ["Footb", "Tenni"]), (140, ["Football", "Tennis"])])
  func sports(columns: Int, texts: [String]) {
    var board = Board(rows: 10, columns: columns)
    func sport(_ row: Int) -> String {
      let cells = board.state.layout.columns[.sport]
      return String(
        Array(board.line(row)).dropFirst(cells.lowerBound).prefix(cells.count).split(separator: " ").joined())
    }
    board.update(Self.match(1, 1, "Football"))
    #expect(board.state.layout.columns[.sport].isEmpty)
    board.update(Self.match(2, 3, "Tennis"))
    board.paint()
    #expect([sport(2), sport(3)] == texts)
    #expect(board.line(1).contains("SPORT") == (columns > 40))
    board.update(removed: [1])
    #expect(board.state.layout.columns[.sport].isEmpty)
    board.update(Self.match(2, 8, "Basketball"), Self.match(3, 8, "Basketball"), Self.match(4, nil, ""))
    #expect(board.state.layout.columns[.sport].isEmpty)
    board.update(Self.match(3, 1, "Football"))
    #expect(board.state.layout.columns[.sport].isEmpty == (columns == 40))
  }

  @Test("After any update or removal, the list knows whether its rows have several sports")
  func counts() {
    var random = SeededRandom(seed: 3)
    var rows = RowList()
    for _ in 0..<2000 {
      let id = MatchID(raw: UInt64.random(in: 1...5, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        rows.remove(id)
      } else {
        rows.update([Self.match(id, [nil, 1, 1, 1, 3].randomElement(using: &random)!, "")], now: .zero)
      }
      #expect(rows.mixesSports == (Set(rows.all.compactMap(\.sportID)).count > 1))
    }
  }

  @Test(
    "The sort arrow is in the sorted column, with a gap before the next title",
    arguments: Language.allCases, [80, 120, 130, 200])
  func titles(language: Language, columns: Int) {
    let words = Catalog(language)
    var board = Board(rows: 10, columns: columns, words: words)
    board.fill()
    for key in BoardColumn.allCases {
      _ = board.state.sort(by: RowOrder(key), now: board.now)
      board.paint()
      let cells = board.state.layout.columns[key]
      if cells.isEmpty { continue }
      if case .left = key.entry.alignment { continue }
      let row = board.screen.content.rows[1].cells
      let arrows = row.indices.filter { row[$0].style == Style(.strong) }
      // If the title fills the first column its arrow is in the gap, before the blank of the score's title.
      let isFull = key == .time && words(.columnTime).cellWidth == cells.count
      let arrow = isFull ? cells.upperBound : cells.upperBound - 1
      #expect(arrows == [arrow], "\(key): \(board.line(1))")
      if arrow + 1 < columns { #expect(row[arrow + 1].scalar == 0x20, "\(key): \(board.line(1))") }
      let before = row[max(0, cells.lowerBound - 2)..<cells.lowerBound]
      #expect(before.isEmpty || before.contains { $0.scalar == 0x20 }, "\(key): \(board.line(1))")
    }
  }

  @Test("A filter match in a field without a column is reported with the field's title", arguments: [40, 80])
  func hidden(columns: Int) throws {
    var board = Board(rows: 10, columns: columns)
    let hints = try #require(board.state.layout.hints)
    let counters = try #require(board.state.layout.counters)
    let labels = Match.Names(name: "Roma - Lazio", tournament: "Serie A", category: "Italy")
    board.update(Match(id: 1, labels: labels, startTime: 0), .football(100, "Ajax - Porto"))
    board.type("/serie")
    board.paint()
    #expect(board.line(hints).hasSuffix(" 1 of 2 in TOURNAMENT"), "\(board.line(hints))")
    board.press(.enter)
    board.paint()
    #expect(board.line(counters).hasSuffix(" 1 of 2 in TOURNAMENT"), "\(board.line(counters))")
    board.press(.escape)
    board.type("/roma")
    board.press(.enter)
    board.paint()
    #expect(board.line(counters).hasSuffix("/roma 1 of 2"), "\(board.line(counters))")
    // The filter names the hidden field itself.
    board.press(.escape)
    board.type("/country ~ \"ital\"")
    board.press(.enter)
    board.paint()
    #expect(board.line(counters).hasSuffix("1 of 2 in COUNTRY"), "\(board.line(counters))")
  }

  @Test("A row that is shown although it does not match reports no hidden field")
  func others() {
    var board = Board(rows: 10, columns: 80)
    let labels = Match.Names(name: "Roma - Lazio", tournament: "Serie A")
    board.update(Match(id: 1, labels: labels, startTime: 0), .football(100, "Serie FC - Porto"))
    board.type("/serie odds > 1")
    board.press(.enter)
    board.type("f")
    #expect(board.state.list.rows.count == 2 && board.state.filterResult?.found == 1)
    #expect(board.state.filterResult?.hidden == [])
  }

  @Test("A filter match in a visible column is not reported")
  func visible() {
    var board = Board(rows: 10, columns: 120)
    board.update(Match(id: 1, labels: Match.Names(name: "Roma - Lazio", tournament: "Serie A"), startTime: 0))
    board.type("/serie")
    board.press(.enter)
    board.paint()
    #expect(!board.state.layout.columns[.tournament].isEmpty && !board.text.contains("in TOURNAMENT"))
  }
}
