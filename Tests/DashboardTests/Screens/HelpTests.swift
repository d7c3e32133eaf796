import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The content of the help, and the search in it.
struct HelpTests {
  private var board = Board()

  init() { board.type("?") }

  private var search: HelpSearch? { board.state.overlay?.search }
  private var note: LocalizedMessage? { board.state.statusBar.message?.sentence }

  /// The texts of the selected rows of the screen.
  private mutating func selected() -> [String] {
    board.paint()
    return board.screen.content.rows.filter { $0.cells.contains { $0.style.ground == .selected } }.map(\.description)
  }

  @Test("The help explains each symbol, column, counter, command, field and flag", arguments: Language.allCases)
  func content(language: Language) {
    let words = Catalog(language)
    var board = Board(rows: 24, columns: 200, words: words)
    board.type("?")
    let table = HelpTable(of: board.state)
    let texts = Set((0..<table.count).flatMap { table.row($0).pieces.map(\.text) })
    let keys: [MessageKey] = [
      .rowSuspended, .rowEnded, .columnTime, .columnScore, .columnMatch, .columnMargin, .columnMove, .columnAge,
      .columnPart, .columnTournament, .columnCountry, .detailColumnTrend, .detailColumnOutcome, .detailColumnPrice,
      .detailColumnOpen, .detailColumnChance, .counterFrames, .counterUpdates, .counterChanges, .counterConflated,
      .counterBytes, .modeWholeScreen, .helpSymbols, .helpColumns, .helpDetailColumns, .helpCounters, .helpCommands,
      .helpFilters, .helpRules,
    ]
    for key in keys { #expect(texts.contains(words(key)), "\(key)") }
    for label in ["▲ ▼", "?", "-", "★", "!", "•", "▸", "░", "●", "■", "▶ ‖", "—", "+", "…"] {
      #expect(texts.contains(label), "\(label)")
    }
    let typed =
      NamedCommand.allCases.map(\.usage) + FilterField.allCases.map(\.usage) + FilterFlag.allCases.map(\.rawValue)
    for label in typed { #expect(texts.contains(label), "\(label)") }
    // The keys come first.
    #expect(table.row(0).pieces.map(\.text) == [words(.helpMoving)])
  }

  @Test("Each example of a filter or a rule is valid")
  func examples() throws {
    for row in HelpRow.filters {
      let text = Catalog.english.text(row.label)
      if !text.contains("60m 2h"), !text.contains("2,5") { try FilterParser.node(text) }
    }
    for row in HelpRow.rules {
      let text = Catalog.english.text(row.label)
      if !text.hasPrefix("again"), !text.contains("10m 2h"), !text.hasPrefix(":") {
        _ = try AlertRule(completing(text))
      }
    }
  }

  /// Returns a whole rule for an example: an example of an outcome alone lacks the event.
  private func completing(_ text: String) -> String { text.hasPrefix("market") ? "\(text) suspended" : text }

  @Test("No text is cut off, at any usual width", arguments: Language.allCases, [40, 60, 80, 120, 200])
  func widths(language: Language, columns: Int) {
    var board = Board(rows: 24, columns: columns, words: Catalog(language))
    board.type("?")
    let table = HelpTable(of: board.state)
    for index in 0..<table.count {
      for piece in table.row(index).pieces {
        #expect(piece.column + piece.text.cellWidth <= columns, "\(piece.text)")
        if let end = piece.end { #expect(piece.column + piece.text.cellWidth <= end, "\(piece.text)") }
      }
    }
  }

  @Test("Typed text jumps to the first match and highlights it, in upper or lower case")
  mutating func typing() throws {
    board.type("/SUSPENDED")
    #expect(board.state.promptBar.prompt?.kind == .search)
    let rows = selected()
    #expect(rows.count == 1 && rows[0].contains("suspended"))
    let row = try #require(board.screen.content.rows.first { $0.cells.contains { $0.style.ground == .selected } })
    let highlighted = row.cells.filter { $0.style.role == .found }.compactMap { Unicode.Scalar($0.scalar) }
    #expect(String(String.UnicodeScalarView(highlighted)) == "suspended")
    let line = search?.line
    board.press(.control("u"))
    #expect(search == nil)
    board.type("Suspended ")
    #expect(search?.line == line && search?.text == "Suspended")
  }

  @Test("n, N and Enter go to the next or previous match and report wrapping; the title counts")
  mutating func jumping() {
    board.type("/alert")
    board.press(.enter)
    #expect(board.state.promptBar.prompt == nil && note == nil)
    let matches = HelpTable(of: board.state).matches
    #expect(matches.count > 3 && search?.line == matches[0])
    board.paint()
    #expect(board.line(1).contains("\"alert\": result 1 of \(matches.count)"))
    board.type("n")
    #expect(search?.line == matches[1] && note == nil)
    board.press(.enter)
    #expect(search?.line == matches[2])
    board.type("NN")
    #expect(search?.line == matches[0] && note == nil)
    board.type("N")
    #expect(search?.line == matches.last && note == LocalizedMessage(.searchFromEnd))
    board.type("n")
    #expect(search?.line == matches[0] && note == LocalizedMessage(.searchFromStart))
    #expect(board.state.list.cursor == 0 && board.effects == [])
  }

  @Test("Esc leaves the search first, then the help; in the prompt it ends the search too")
  mutating func escape() {
    board.type("/alert")
    board.press(.enter, .escape)
    #expect(search == nil && board.state.overlay?.content == .help)
    #expect(selected() == [])
    board.type("/alert")
    board.press(.escape)
    #expect(search == nil && board.state.overlay?.content == .help && board.state.promptBar.prompt == nil)
    board.press(.escape)
    #expect(board.state.overlay == nil)
    board.type("?")
    #expect(search == nil)
  }

  @Test("Text that is not in the help is reported while it is typed and when it is entered")
  mutating func none() {
    board.type("/alertx")
    board.paint()
    #expect(board.line(22) == "\"alertx\" is not in the help" && search?.line == nil)
    board.press(.backspace)
    #expect(search?.line != nil)
    board.type("x")
    board.press(.enter)
    #expect(note == LocalizedMessage(.searchNone, "alertx") && search == nil)
    #expect(board.state.overlay?.content == .help)
    board.type("n/  ")
    board.press(.enter)
    #expect(search == nil && board.state.filterState.filter == nil)
  }

  @Test("Chinese text is found, and / begins with the last text")
  mutating func chinese() throws {
    board = Board(words: Catalog(.traditionalChinese))
    board.type("?/釘選")
    let rows = selected()
    #expect(rows.count == 1 && rows[0].contains("釘選"))
    board.press(.enter)
    board.type("/")
    #expect(board.state.promptBar.prompt?.text == "釘選")
    board.press(.tab)
    #expect(board.state.promptBar.prompt?.text == "釘選")
  }

  @Test("A search visits exactly the rows that contain the text, in order, once around", arguments: 0..<12)
  mutating func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    board = Board(rows: .random(in: 6...30, using: &random), columns: 200)
    board.type("?")
    let table = HelpTable(of: board.state)
    let rows = (0..<table.count).map { table.row($0).pieces.map { $0.text.lowercased().replacing("—", with: "-") } }
    var query = ""
    while query.isEmpty || !query.unicodeScalars.allSatisfy(\.isASCII) {
      let text = try #require(rows.filter { !$0.isEmpty }.randomElement(using: &random)?.randomElement(using: &random))
      let start = Int.random(in: 0..<text.count, using: &random)
      let part = text.dropFirst(start).prefix(.random(in: 1...5, using: &random))
      query = part.split(separator: " ").first.map(String.init) ?? ""
    }
    let expected = rows.indices.filter { rows[$0].contains { $0.contains(query) } }
    board.type("/" + query)
    board.press(.enter)
    var visited: [Int] = []
    for _ in expected {
      let line = try #require(search?.line)
      let range = table.rows(ofLine: line)
      #expect(range.count == 1, "a row of 200 columns holds each text")
      visited.append(range.lowerBound)
      let visible = board.state.overlay!.scroll.visible(of: table.count, height: board.state.list.height)
      #expect(visible.contains(range.lowerBound))
      board.type("n")
    }
    #expect(visited == expected, "\(query)")
    #expect(search?.line.map { table.rows(ofLine: $0).lowerBound } == expected.first)
    #expect(note == LocalizedMessage(.searchFromStart))
  }

  @Test("A search continues while the help changes and the screen is resized")
  mutating func changing() throws {
    board.type("/alert")
    board.press(.enter)
    board.type("N")
    var settings = board.state.settings
    settings.keys = try KeyMap([("alerts", []), ("alert", []), ("mouse", []), ("theme", [])])
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    for columns in [1, 10, 30, 80] {
      board.resize(rows: 10, columns: columns)
      board.type("nN")
      board.paint()
      #expect(board.screen.content.rows.allSatisfy { $0.isWhole })
    }
    #expect(search?.line != nil)
  }
}
