import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The mouse on a terminal", .serialized)
  struct MouseTests {
    private static let mouseModes = "\u{1B}[?1000h\u{1B}[?1006h"

    @Test("A click selects a row, opens a channel or the help, and the wheel scrolls")
    func clicks() throws {
      let board = try PtyBoard.simulated("--matches", "100")
      #expect(board.waitForMatches() && board.pty.read(until: Self.mouseModes))
      board.click(5, 30)
      #expect(board.wait { $0.chosen == [5] })
      let third = board.screen.text(5)
      board.click(5, 30, button: 65)
      #expect(board.wait { $0.chosen == [2] && $0.text(2).hasPrefix(third.prefix(30)) })
      board.click(5, 30, button: 64)
      #expect(board.wait { $0.chosen == [5] && $0.text(5).hasPrefix(third.prefix(30)) })
      let tennis = try #require(board.screen.column(of: "Tennis", in: 0))
      board.click(0, tennis + 2)
      #expect(board.wait { $0.tab == "3 Tennis" && !$0.matches.isEmpty })
      let help = try #require(board.screen.column(of: "? help", in: 23))
      board.click(23, help)
      #expect(board.wait { $0.contains("Switch to the channel or watch list with that number") })
    }

    @Test("M turns mouse reporting off and on, and the exit turns it off")
    func leaves() throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      board.type("M")
      #expect(board.wait { $0.hints.hasPrefix("Mouse off") })
      #expect(!UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.contains(.mode(1000)))
      board.type("M")
      #expect(board.wait { $0.hints.hasPrefix("Mouse on") })
      #expect(
        UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isSuperset(of: [.mode(1000), .mode(1006)]))
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty)
    }

    @Test("--no-mouse never turns on mouse reporting")
    func never() throws {
      let board = try PtyBoard.simulated("--no-mouse")
      #expect(board.waitForMatches())
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(board.count(of: "\u{1B}[?1000h") == 0)
    }
  }
}
