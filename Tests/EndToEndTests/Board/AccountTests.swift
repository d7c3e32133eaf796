import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("The account", .serialized)
  struct AccountTests {
    private static let mouse = "\u{1B}[?1000h\u{1B}[?1006h"

    private func demo(_ size: Size = Size(rows: 24, columns: 80)) throws -> PtyBoard {
      let board = try PtyBoard.simulated("--demo-account", size: size)
      #expect(board.waitForMatches())
      #expect(board.wait { $0.hasBalance })
      return board
    }

    private func end(_ board: PtyBoard) {
      board.type("X")
      #expect(
        board.wait { $0.contains("You are logged out") && $0.contains("[ Login ]") && $0.hints.hasPrefix("Tab ") })
    }

    private func click(_ text: String, _ board: PtyBoard) throws {
      let row = try #require((0..<24).first { board.screen.text($0).contains(text) })
      let column = try #require(board.screen.column(of: text, in: row))
      board.click(row, column + 1)
    }

    @Test("$ shows the account, X ends the session with a dialog, and a click on Login allows a new login")
    func demoAccount() throws {
      let board = try demo()
      board.type("$")
      #expect(board.wait { $0.contains(" ACCOUNT") && $0.contains("Bonus") && $0.contains("logged in") })
      board.type("$")
      #expect(board.wait { !$0.contains(" ACCOUNT") && !$0.matches.isEmpty })
      end(board)
      #expect(board.wait { !$0.text(0).contains("EUR") })
      #expect(board.count(of: Self.mouse) == 1)
      try click("[ Login", board)
      #expect(board.wait { $0.contains("▸ Password") && !$0.contains("You are logged out") })
      #expect(board.count(of: "\u{1B}[?1000h\u{1B}[?1006h\u{1B}[?2004h") == 1)
      board.type("hidden\r")
      #expect(board.wait { $0.hasBalance && !$0.contains("Password") })
      #expect(!board.pty.text.contains("hidden"))
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty && board.pty.modes == board.modes)
    }

    @Test("A click on Go Home continues without an account, and text pasted into the form runs no commands")
    func goHome() throws {
      let board = try demo()
      end(board)
      try click("Go Home", board)
      #expect(board.wait { !$0.contains("You are logged out") && !$0.matches.isEmpty && $0.hints.contains("L log in") })
      board.type("L")
      #expect(board.wait { $0.contains("▸ Password") })
      board.type("\u{1B}[200~demo\rq\t\u{1B}[201~")
      #expect(board.wait { $0.contains("•••••__") && !$0.contains("••••••") })
      board.type("\u{1B}")
      #expect(board.wait { !$0.contains("Password") && !$0.matches.isEmpty })
    }

    @Test(
      "Every exit while a dialog is open turns off mouse reporting",
      arguments: [SIGTERM, SIGSEGV, SIGHUP, 0])
    func mouseOff(signal: CInt) throws {
      let board = try demo()
      end(board)
      #expect(
        UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isSuperset(of: [.mode(1000), .mode(1006)]))
      if signal == 0 { board.type("q") } else { board.process.send(signal) }
      #expect(board.terminationStatus() == (signal == 0 ? .exit(0) : .signal(signal)))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty && board.pty.modes == board.modes)
    }

    @Test(
      "A stop while a dialog is open turns off mouse reporting, and continuing turns it on again",
      .enabled(if: getenv("TOTEBOARD_RACE") == nil, "as for the other stops"))
    func stop() throws {
      let board = try PtyBoard.underShell("--demo-account")
      #expect(board.waitForMatches())
      #expect(board.wait { $0.hasBalance })
      end(board)
      board.type("\u{1A}")
      #expect(board.pty.read(until: "[stopped 148]", within: Program.timeout))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty && board.pty.modes == board.modes)
      board.discardOutput()
      board.type("\n")
      #expect(board.wait { $0.contains("You are logged out") && $0.hints.hasPrefix("Tab ") })
      #expect(board.count(of: Self.mouse) == 1)
      try click("Go Home", board)
      #expect(board.wait { !$0.contains("You are logged out") && !$0.matches.isEmpty })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty)
    }

    @Test("The account's updates resume after a stop")
    func goesOn() throws {
      let board = try PtyBoard.underShell("--demo-account")
      #expect(board.waitForMatches())
      #expect(board.wait { $0.hasBalance })
      board.type("\u{1A}")
      #expect(board.pty.read(until: "[stopped 148]", within: Program.timeout))
      board.discardOutput()
      board.type("\n$")
      #expect(board.wait { $0.contains("live") && $0.contains(" ACCOUNT") && $0.hasBalance })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }
  }
}
