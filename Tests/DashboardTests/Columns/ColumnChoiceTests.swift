import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The columns that a user chooses, by keys, by a command and in the configuration.
struct ColumnChoiceTests {
  private var board = Board(rows: 24, columns: 80)

  private var selectedColumns: [String] { board.state.settings.columns.map(\.text) }
  private var titles: String {
    board.line(1).split(separator: " ", omittingEmptySubsequences: true).joined(separator: " ")
  }

  init() {
    board.fill()
    board.paint()
  }

  @Test("C lists the columns, Space and Enter toggle them, J and K move them, and the titles follow at once")
  mutating func keys() {
    #expect(titles == "TIME▲ SCORE MATCH 1 X 2 MARGIN AGE")
    board.type("C")
    board.paint()
    #expect(board.line(2).contains("(*) Automatic") && board.line(3).contains("[x] TIME"))
    // The second row is the time.
    board.type("j ")
    board.paint()
    #expect(selectedColumns == ["score", "name", "home", "draw", "away", "margin", "change"])
    #expect(titles == "SCORE MATCH 1 X 2 MARGIN AGE" && board.line(3).contains("[ ] TIME"))
    board.press(.enter)
    #expect(selectedColumns == ["time", "score", "name", "home", "draw", "away", "margin", "change"])
    board.type("J")
    board.paint()
    #expect(selectedColumns == ["score", "time", "name", "home", "draw", "away", "margin", "change"])
    #expect(titles == "SCORE TIME▲ MATCH 1 X 2 MARGIN AGE")
    board.type("KKKKK")
    #expect(selectedColumns.first == "time")
    // The name cannot be removed.
    board.type("jj ")
    #expect(selectedColumns.contains("name") && board.state.statusBar.message != nil)
    board.press(.home)
    board.type(" ")
    board.paint()
    #expect(selectedColumns.isEmpty && board.line(2).contains("(*)"))
    board.type("C")
    board.paint()
    #expect(board.state.overlay == nil && board.line(2).contains("Ajax - Porto"))
  }

  @Test("A command chooses columns with widths, or the automatic choice; an error names the remedy")
  mutating func command() {
    board.type(":columns name:20 score home:9, away")
    board.press(.enter)
    board.paint()
    #expect(selectedColumns == ["name:20", "score", "home:9", "away"] && titles == "MATCH SCORE 1 2")
    #expect(board.line(3).hasPrefix("北京国安 - 上海海港"))
    board.type(":columns auto")
    board.press(.enter)
    #expect(selectedColumns.isEmpty)
    for (text, message) in [
      ("nam", "'nam' is not a column: use name"), ("name name", "the column 'name' is named twice: remove one"),
      ("score home", "the column 'name' is missing: add it"),
      ("name home:7", "'home:7' is too narrow or too wide: 'home' takes 8 to 120 cells"),
      ("name:x", "'name:x' is too narrow or too wide: 'name' takes 8 to 120 cells"),
    ] {
      board.type(":columns \(text)")
      board.press(.enter)
      #expect(board.state.promptBar.prompt?.error?.description.hasPrefix(message) == true, "\(text)")
      board.press(.escape)
    }
    #expect(selectedColumns.isEmpty)
  }

  @Test("The last columns are hidden if they do not fit, and a chip and the chooser show it")
  mutating func hidden() {
    board = Board(rows: 10, columns: 40)
    board.fill()
    board.type(":columns time name home draw away tournament country")
    board.press(.enter)
    board.paint()
    #expect(titles == "TIME▲ MATCH 1 X")
    #expect(board.text.contains("3 columns do not fit"))
    board.type("C")
    board.press(.end)
    board.press(.up)
    board.resize(rows: 40, columns: 40)
    board.paint()
    #expect(board.text.ranges(of: "on, but there is").count == 3)
  }

  @Test("The selected column stays visible when the screen becomes lower")
  mutating func lowered() {
    board = Board(rows: 40, columns: 80)
    board.type("C")
    board.press(.end)
    board.resize(rows: 10, columns: 80)
    board.paint()
    let selected = board.screen.content.rows.filter { $0.cells[0].style.ground == .selected }
    #expect(selected.map(\.description) == [board.line(7)] && board.line(7).contains("COUNTRY"), "\(board.text)")
  }

  @Test("The choice is kept between runs, unless the configuration has changed")
  mutating func kept() {
    board.type(":columns name home")
    board.press(.enter)
    let session = board.state.session
    #expect(Board(session: session).state.settings.columns == board.state.settings.columns)
    var settings = BoardSettings()
    settings.columns = [ChosenColumn(.name), ChosenColumn(.away)]
    let next = BoardState(
      size: Size(rows: 24, columns: 80), channels: board.state.channels, feedName: "", settings: settings,
      session: session, now: board.now)
    #expect(next.settings.columns == settings.columns)
    // A changed configuration replaces the choice, also in an open chooser.
    board.type("C")
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    #expect(selectedColumns == ["name", "away"] && board.state.columnChooser?.chosen == settings.columns)
  }

  @Test("The changes over one and five minutes follow the clock, and nothing is recorded while they are hidden")
  mutating func moves() {
    #expect(board.state.list.rows.favouriteMoves == nil)
    board.type(":columns name 1m 5m")
    board.press(.enter)
    board.wait(.seconds(30))
    board.update(.football(odds: ["2.94", "3.1", "2.9"]))
    board.wait(.seconds(31))
    board.paint()
    // The favourite's price was 2.45 and has been 2.90 for 31 s.
    #expect(board.line(2).hasSuffix("▲+18.4"), "\(board.line(2))")
    #expect(board.state.nextDeadline(after: board.now) <= board.now.uptime + .seconds(29))
    board.wait(.seconds(29))
    board.paint()
    #expect(board.line(2).hasSuffix(" 0.0"), "\(board.line(2))")
    board.updateFreshness(.locked)
    board.paint()
    #expect(board.line(2).hasSuffix("Porto"), "\(board.line(2))")
    board.type(":columns auto")
    board.press(.enter)
    #expect(board.state.list.rows.favouriteMoves == nil)
  }
}
