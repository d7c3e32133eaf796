import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Themes, the clipboard, the title and low bandwidth.
struct ScreenTests {
  private var board = Board(rows: 9, columns: 80)

  @Test("T cycles through the themes from the current one, custom themes last, and shows the name")
  mutating func themes() throws {
    board.state.settings.ownThemes = [
      try Theme(name: "mine", basedOn: .dark, ["rising": "blue"]), try Theme(name: "light", basedOn: .dark, [:]),
    ]
    var names = [board.state.theme.name]
    for _ in 0..<7 {
      board.type("T")
      names.append(board.state.theme.name)
    }
    #expect(
      names == ["dark", "light", "high-contrast", "colour-blind", "monochrome", "mine", "dark", "light"])
    #expect(board.state.theme == board.state.settings.ownThemes[1])
    board.paint()
    #expect(board.line(8) == "Theme: light")
  }

  @Test("The theme follows the terminal's background colour, unless the settings name a theme")
  mutating func background() {
    #expect(board.state.theme == .dark)
    for (color, theme) in [(Color.rgb(255, 255, 255), Theme.light), (.rgb(0, 43, 54), .dark)] {
      _ = board.state.reduce(.terminalAnswered(.background(color)), now: board.now)
      #expect(board.state.theme == theme)
    }
    board.state.settings.theme = .highContrast
    _ = board.state.reduce(.terminalAnswered(.background(.rgb(255, 255, 255))), now: board.now)
    _ = board.state.reduce(.terminalAnswered(.mode(2026, isKnown: true)), now: board.now)
    #expect(board.state.theme == .highContrast)
  }

  @Test(
    "y copies the row as it is shown",
    arguments: [
      (Freshness.Grade.live, "Ajax - Porto  2.45  3.10  2.90  7.6 %"),
      (.locked, "Ajax - Porto  2.45?  3.10?  2.90?"),
    ])
  mutating func copies(grade: Freshness.Grade, text: String) {
    board.fill()
    board.updateFreshness(grade)
    board.type("y")
    #expect(board.effects == [.terminal(.copy(text))])
    board.paint()
    #expect(board.line(8) == "Sent to the terminal's clipboard: \(text)")
  }

  @Test("A suspended price is copied as a word in the current language; without a row nothing is copied")
  mutating func copiesOthers() {
    board = Board(rows: 9, columns: 80, words: Catalog(.french))
    board.fill()
    board.press(.end)
    board.type("y")
    #expect(
      board.effects == [
        .terminal(
          .copy("Brighton & Hove Albion Women U21 Development Squad - Atlético Madrid  1000,00  susp.  1,01"))
      ])
    board = Board(rows: 9, columns: 80)
    board.type("y")
    #expect(board.effects == [])
    board.paint()
    #expect(board.line(8) == "No row to copy")
  }

  @Test("The title shows the channel and its status, without numbers that change every second")
  mutating func title() {
    func title() -> String { board.state.title(now: board.now) }
    #expect(title() == "Live - Toteboard")
    board.fill()
    #expect(title() == "Live - Toteboard")
    board.updateFreshness(.locked, connection: .connecting(attempt: 2))
    let before = title()
    #expect(before == "Live: locked - Toteboard")
    board.wait(.seconds(30))
    #expect(title() == before)
    board.updateFreshness(.closed)
    #expect(title() == "Live: feed ended - Toteboard")
    board.type("3")
    #expect(title() == "Tennis: feed ended - Toteboard")
    board.state.settings.isLowBandwidth = true
    #expect(title() == "")
  }

  @Test("With low bandwidth there are no highlights and no counters, and ages change in larger steps")
  mutating func lowBandwidth() {
    board.state.settings.isLowBandwidth = true
    board.fill()
    board.paint()
    board.update(.football(odds: ["2.47", "3.1", "2.9"]), oddsUpdates: 1)
    board.paint()
    #expect(board.line(2).contains("  2.47 "))
    #expect(board.screen.content.rows.allSatisfy { $0.cells.allSatisfy { $0.style.role != .rising } })
    #expect(board.line(7) == "")
    board.wait(.seconds(2))
    board.paint()
    board.wait(.seconds(43))
    #expect(board.paint().isEmpty)
    board.wait(.seconds(15))
    board.paint()
    #expect(board.line(2).hasSuffix("1m"))
    board.updateFreshness(.locked, connection: .live)
    board.wait(.seconds(14))
    board.paint()
    #expect(board.line(0).contains("? locked 08:01"))
    board.wait(.seconds(1))
    board.paint()
    #expect(board.line(0).contains("? locked 15s 08:01"))
  }

  @Test("A change of settings repaints only the rows that it affects")
  mutating func settingsChange() {
    board.fill()
    board.paint()
    board.update(.football(odds: ["2.47", "3.1", "2.9"]))
    board.paint()
    var settings = board.state.settings
    settings.isLowBandwidth = true
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    #expect(Set(board.paint().map(\.row)) == [2, 7])
    #expect(board.screen.content == view(board.state, now: board.now))
  }

  @Test("In monochrome everything that is otherwise coloured has its own attribute or symbol")
  mutating func monochrome() {
    for (rows, columns) in [(24, 80), (10, 40), (12, 120)] {
      board = Board(rows: rows, columns: columns)
      board.fill()
      board.paint()
      board.update(.football(odds: ["2.47", "3.05", "2.9"]))
      board.paint()
      board.expectMonochrome("\(columns)x\(rows)")
      for (keys, name) in [("?", "help"), ("i", "inspector"), ("/ajx", "find"), (":so", "command")] {
        var board = board
        board.type(keys)
        board.expectMonochrome("\(name)-\(columns)x\(rows)")
      }
    }
  }
}
