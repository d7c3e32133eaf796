import AccountModel
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The footer shows the keys of the open pane, dialog or prompt.
struct FooterTests {
  private func board(_ columns: Int = 80, _ keys: String = "", _ more: Key...) -> Board {
    var board = Board.withAccount(rows: 10, columns: columns, canReconnect: true)
    for key in more { board.press(key) }
    board.type(keys)
    board.paint()
    return board
  }

  @Test("With an open match the footer shows the keys that close it and open others", arguments: [40, 80, 200])
  func match(columns: Int) {
    let line = board(columns, "", .enter).line(9)
    #expect(line.hasPrefix("Esc close [ ] other match") && line.hasSuffix("? help q quit"), "\(line)")
    #expect(line.contains("/ find") == (columns >= Layout.splitFrom))
  }

  @Test("Each overlay has its own keys in the footer", arguments: [40, 80])
  func overlays(columns: Int) throws {
    #expect(board(columns, "?").line(9).hasPrefix("Esc close / search"))
    #expect(board(columns, "i").line(9).hasPrefix("Esc close Up Down scroll"))
    #expect(board(columns, "$").line(9).hasPrefix("Esc close"))
    #expect(board(columns, "$").line(9).contains("L log in"))
    #expect(board(columns, "A").line(9) == "Esc close ? help q quit")
    var alerts = board(columns)
    alerts.send(.settingsChanged(try alertSettings()))
    alerts.type("A")
    alerts.paint()
    #expect(alerts.line(9).hasPrefix("Esc close Enter show match d delete"))
  }

  private func alertSettings() throws -> BoardSettings {
    var settings = BoardSettings()
    settings.alerts = [try AlertRule("suspended")]
    return settings
  }

  @Test("Dialogs and prompts have their own keys in the footer")
  func dialogs() {
    #expect(board(80, "L").line(9).hasPrefix("Enter log in Esc cancel"))
    #expect(board(80, ":").line(9).hasSuffix("Enter run Tab complete Esc cancel"))
    #expect(board(80, "/aj").line(9).hasSuffix("Enter apply Tab complete Esc clear 1 of 3"))
    #expect(board(40, "/aj").line(9) == "/aj                               1 of 3")
  }

  @Test("The footer shows rebound keys")
  func bound() throws {
    var settings = BoardSettings()
    settings.keys = try KeyMap([("close", ["x"]), ("find", ["Ctrl-F"]), ("next-match", []), ("quit", ["F3"])])
    var board = Board.withAccount(rows: 10)
    board.send(.settingsChanged(settings))
    board.press(.enter)
    board.paint()
    #expect(board.line(9).hasPrefix("x close [ other match") && board.line(9).hasSuffix("F3 quit"))
    board.type("?")
    board.paint()
    #expect(board.line(9).hasPrefix("x close Ctrl-F search") && board.line(9).hasSuffix("F3 quit"))
    board.account(.live())
    board.account(AccountStatus.live().ended())
    board.paint()
    #expect(board.line(9).hasPrefix("Tab next Enter choose Esc") && board.line(9).hasSuffix("F3 quit"))
  }
}
