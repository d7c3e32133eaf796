import Localization
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The filter and the command line on whole screens, compared with `Golden/`.
struct FindGoldenTests {
  /// The scenes, each with a name and the keys that lead to it.
  private static let scenes: [(name: String, keys: @Sendable (inout Board) -> Void)] = [
    ("typing", { $0.type("/b mad") }),
    (
      "found",
      {
        $0.type("/b mad"); $0.press(.enter)
      }
    ),
    (
      "marked",
      {
        $0.type("/por"); $0.press(.enter); $0.type("f")
      }
    ),
    ("unfinished", { $0.type("/odds < 2 and margin ~") }),
    (
      "none",
      {
        $0.type("/zzz"); $0.press(.enter)
      }
    ),
    ("commands", { $0.type(":") }),
    (
      "completing",
      {
        $0.type(":sort "); $0.press(.tab, .tab)
      }
    ),
    ("usage", { $0.type(":write ") }),
    (
      "refused",
      {
        $0.type(":sort up"); $0.press(.enter)
      }
    ),
  ]

  private static func board(
    _ scene: Int, _ language: Language, rows: Int, columns: Int, glyphs: GlyphSet = .unicode
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: Catalog(language))
    board.fill()
    board.paint()
    scenes[scene].keys(&board)
    board.paint()
    return board
  }

  /// The frame's text, with marks below each row at matched cells and at the cursor.
  private static func picture(_ board: Board) -> String {
    let frame = view(board.state, now: board.now, glyphs: board.screen.glyphs)
    let bottom = Layout(size: board.state.size).titles == nil ? 0 : 1
    return frame.rows.enumerated().map { at, row in
      let marks = row.cells.map { $0.style.role == .found ? "^" : at > bottom && $0.style.role == .bar ? "#" : " " }
      let line = String(marks.joined().reversed().drop { $0 == " " }.reversed())
      return row.description + (line.isEmpty ? "" : "\n" + line)
    }.joined(separator: "\n")
  }

  @Test(
    "Each scene has its golden text in each language at each size",
    arguments: Language.allCases, [(5, 20), (10, 40), (24, 80), (40, 120)])
  func scenes(language: Language, size: (rows: Int, columns: Int)) {
    let text = Self.scenes.indices.map { scene in
      "= \(Self.scenes[scene].name)\n"
        + Self.picture(Self.board(scene, language, rows: min(size.rows, 9), columns: size.columns))
    }.joined(separator: "\n")
    let name = "find-\(language.rawValue)-\(size.columns)"
    #expect(text == Golden.text(name, recording: text))
  }

  @Test("Each scene has its golden text in ASCII")
  func ascii() {
    let text = Self.scenes.indices.map { scene in
      "= \(Self.scenes[scene].name)\n" + Self.picture(Self.board(scene, .french, rows: 9, columns: 80, glyphs: .ascii))
    }.joined(separator: "\n")
    #expect(text == Golden.text("find-ascii-80", recording: text))
  }

  @Test(
    "Rows fill the width of the screen and wide characters stay whole at any size",
    arguments: Language.allCases)
  func sizes(language: Language) {
    for scene in Self.scenes.indices {
      for columns in [1, 2, 3, 7, 13, 20, 33, 40, 79, 80, 200] {
        for rows in columns < 80 ? [1, 2, 4, 5, 8] : [9] {
          let board = Self.board(scene, language, rows: rows, columns: columns)
          let frame = view(board.state, now: board.now)
          #expect(frame.rows.allSatisfy { $0.width == columns && $0.isWhole }, "\(columns)x\(rows)")
        }
      }
    }
  }

  @Test("A long input with wide characters and marks scrolls to keep the cursor visible")
  func scrolling() {
    var board = Board(rows: 5, columns: 20)
    let text = "北京国安e\u{301}上海海港 and odds < 2"
    board.type("/" + text)
    for step in 0...text.count {
      board.paint()
      let cells = board.screen.content.rows[4].cells
      let cursor = cells.indices.filter { cells[$0].style.role == .bar }
      #expect(cursor.count == 1 || cursor.count == 2 && cells[cursor[0]].width == 2, "\(step): \(board.line(4))")
      #expect(board.screen.content.rows[4].isWhole)
      board.press(.left)
    }
    #expect(board.line(4).hasPrefix("/北京国安é上"))
  }

  @Test("The help lists all commands and filter fields without truncation", arguments: Language.allCases)
  func help(language: Language) {
    var board = Board(rows: 260, columns: 100, words: Catalog(language))
    board.type("?")
    board.paint()
    for row in 0..<260 { #expect(!board.line(row).hasSuffix("…"), "\(board.line(row))") }
    for command in NamedCommand.allCases { #expect(board.text.contains(command.usage + " ")) }
    for field in FilterField.allCases { #expect(board.text.contains(field.usage)) }
  }
}
