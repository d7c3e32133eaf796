import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct MatchNameTests {
  private static func drawn(_ name: String, _ width: Int, home: String = "", away: String = "") -> Row {
    let board = Board()
    let formatter = RowFormatter(of: board.state, board.state.layout, Glyphs(.unicode), now: board.now)
    var row = Row(width: width)
    let labels = Match.Names(name: name, home: home, away: away)
    formatter.name(MatchName(labels), name, into: &row, 0..<width, style: .plain)
    return row
  }

  @Test(
    "Both sides are shortened evenly at their ends",
    arguments: [
      ("Ajax - Porto", 12, "Ajax - Porto"), ("Manchester United - Wolverhampton", 28, "Manchester U… - Wolverhampt…"),
      ("Manchester City - Manchester United", 13, "Manc… - Manc…"),
      // No blank before an ellipsis.
      ("Real Madrid - Barcelona", 15, "Real… - Barcel…"),
      // A short side is not shortened.
      ("Ajax - Wolverhampton Wanderers", 16, "Ajax - Wolverha…"),
      ("Wolverhampton Wanderers - Ajax", 16, "Wolverha… - Ajax"),
      ("Wolverhampton vs Sunderland", 16, "Wolve… vs Sunde…"),
      ("北京国安足球俱乐部 - 上海海港足球俱乐部", 17, "北京国… - 上海海…"),
      ("Atle\u{301}tico Madrid - Internazionale", 17, "Atle\u{301}ti… - Intern…"),
      // Only one side.
      ("Premier League Winner", 10, "Premier L…"), (" - Porto", 5, " - P…"), ("Ajax - ", 5, "Ajax…"),
      // Too narrow for two sides.
      ("Ajax - Porto", 6, "Ajax …"), ("Ajax - Porto", 3, "Aj…"), ("Ajax - Porto", 1, "…"), ("Ajax - Porto", 0, ""),
    ])
  func examples(name: String, width: Int, expected: String) {
    #expect(Self.drawn(name, width).description == expected)
  }

  @Test("The feed's names of the sides decide where the name is divided")
  func sides() {
    #expect(
      Self.drawn("Saint - Étienne - Lens", 15, home: "Saint - Étienne", away: "Lens").description == "Saint -… - Lens")
    #expect(Self.drawn("Ajax Amsterdam / FC Porto", 15, home: "Ajax Amsterdam", away: "FC Porto").width == 15)
    #expect(
      Self.drawn("Ajax Amsterdam / FC Porto", 15, home: "Ajax Amsterdam", away: "FC Porto").description
        == "Ajax… / FC Por…")
  }

  @Test("The width of the first side equals that of a distribution cell by cell")
  func law() {
    for home in 1...12 {
      for away in 1...12 {
        let name = MatchName(
          Match.Names(name: String(repeating: "a", count: home) + " - " + String(repeating: "b", count: away)))
        for width in 0...30 {
          let room = width - 3
          guard home + away > room else {
            #expect(name.homeCells(in: width) == home)
            continue
          }
          guard room >= 4 else {
            #expect(name.homeCells(in: width) == nil)
            continue
          }
          var (first, second) = (0, 0)
          for _ in 0..<room {
            if first < home, first <= second || second == away { first += 1 } else { second += 1 }
          }
          #expect(name.homeCells(in: width) == first, "\(home), \(away), \(width)")
        }
      }
    }
  }

  @Test("No name is wider than its columns, and a name that fits is not shortened")
  func random() {
    var random = SeededRandom(seed: 1)
    let pieces = ["a", "Real ", "é", "e\u{301}", "国", " - ", " ", "ﬁ", "👍", "\u{200B}", "-", " v "]
    for _ in 0..<2000 {
      let name = (0..<Int.random(in: 0...12, using: &random)).map { _ in pieces.randomElement(using: &random)! }
        .joined()
      let width = Int.random(in: 0...30, using: &random)
      let row = Self.drawn(name, width)
      #expect(row.width == width && row.isWhole, "'\(name)', \(width)")
      if name.cellWidth <= width { #expect(row.description == name.cleaned, "'\(name)', \(width)") }
    }
  }

  @Test("The searched text is highlighted in both sides of a shortened name")
  func marks() {
    var board = Board()
    board.update(.football(100, "Manchester United - Wolverhampton"))
    for (typed, expected) in [("wolv", "Wolv"), ("manch", "Manch")] {
      board.type("/\(typed)")
      board.press(.enter)
      board.paint()
      #expect(board.line(2).contains("Manchester… - Wolverhampt…"), "\(board.line(2))")
      let found = board.screen.content.rows[2].cells.filter { $0.style.role == .found }
      #expect(String(String.UnicodeScalarView(found.compactMap { Unicode.Scalar($0.scalar) })) == expected)
      board.press(.escape)
    }
  }

  @Test(
    "On 40 and 80 columns both teams are readable",
    arguments: [(40, "Brig… - Atlé…"), (80, "Brighton &… - Atlético Ma…")])
  func narrow(columns: Int, expected: String) {
    var board = Board(rows: 10, columns: columns)
    board.fill()
    board.paint()
    #expect(board.text.contains(expected), "\(board.text)")
  }
}
