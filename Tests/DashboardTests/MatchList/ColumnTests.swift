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
    "Rows of different sports have a column for it, as wide as there is room",
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

  @Test("The sports are those of all rows, whatever comes and goes")
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
    "The arrow of the order stands in its column, and a gap before the next title",
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
      let row = board.screen.shown.rows[1].cells
      let arrows = row.indices.filter { row[$0].style == Style(.strong) }
      // A title as wide as the first column has its arrow in the gap, which the blank before the score's title follows.
      let isFull = key == .time && words(.columnTime).cellWidth == cells.count
      let arrow = isFull ? cells.upperBound : cells.upperBound - 1
      #expect(arrows == [arrow], "\(key): \(board.line(1))")
      if arrow + 1 < columns { #expect(row[arrow + 1].scalar == 0x20, "\(key): \(board.line(1))") }
      let before = row[max(0, cells.lowerBound - 2)..<cells.lowerBound]
      #expect(before.isEmpty || before.contains { $0.scalar == 0x20 }, "\(key): \(board.line(1))")
    }
  }

  @Test("A word found in a name without a column tells where", arguments: [40, 80])
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
    // A word in two hidden names, or in the only one that the filter asks for.
    board.press(.escape)
    board.type("/country ~ \"ital\"")
    board.press(.enter)
    board.paint()
    #expect(board.line(counters).hasSuffix("1 of 2 in COUNTRY"), "\(board.line(counters))")
  }

  @Test("A row that does not match, and is shown nevertheless, tells nothing")
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

  @Test("A word found in a column on the screen tells nothing")
  func visible() {
    var board = Board(rows: 10, columns: 120)
    board.update(Match(id: 1, labels: Match.Names(name: "Roma - Lazio", tournament: "Serie A"), startTime: 0))
    board.type("/serie")
    board.press(.enter)
    board.paint()
    #expect(!board.state.layout.columns[.tournament].isEmpty && !board.text.contains("in TOURNAMENT"))
  }
}
