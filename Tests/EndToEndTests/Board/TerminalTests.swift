import CVTerm
import TerminalCore
import TestSupport
import Testing

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

extension EndToEndTests {
  @Suite("Queries to the terminal and its answers", .serialized)
  struct TerminalTests {
    private static let questions = "\u{1B}]11;?\u{7}\u{1B}[?2026$p\u{1B}[c"

    @Test("The window title is set, changes with the channel, and is restored at the exit")
    func title() throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      #expect(board.count(of: "\u{1B}[22;2t") == 1 && board.count(of: "\u{1B}]2;Live - Toteboard\u{7}") == 1)
      board.type("3")
      #expect(board.pty.read(until: "\u{1B}]2;Tennis - Toteboard\u{7}"))
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(board.count(of: "\u{1B}[23;2t") == 1 && board.count(of: "\u{1B}]2;") == 2)
    }

    @Test("The window title is restored after a signal and after a crash", arguments: [SIGSEGV, SIGTERM])
    func titleAfter(signal: CInt) throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      board.process.send(signal)
      #expect(board.terminationStatus() == .signal(signal))
      #expect(board.count(of: "\u{1B}[22;2t") == 1 && board.count(of: "\u{1B}[23;2t") == 1)
    }

    @Test("y sends the selected row to the terminal's clipboard")
    func copy() throws {
      let board = try PtyBoard.withFeed(FeedText.dump(FeedText.football(100, "Köln - 浦和")))
      #expect(board.wait { $0.matches.count == 1 })
      board.type("y")
      // printf 'Köln - 浦和  2.45  3.10  2.90  7.6 %%' | base64
      #expect(board.pty.read(until: "\u{1B}]52;c;S8O2bG4gLSDmtablkowgIDIuNDUgIDMuMTAgIDIuOTAgIDcuNiAl\u{7}"))
      #expect(board.wait { $0.hints.hasPrefix("Sent to the terminal's clipboard: Köln") })
    }

    @Test("A light background reported by the terminal selects the light theme, and T changes the theme")
    func themes() throws {
      let board = try PtyBoard.withFeed(FeedText.dump(FeedText.football()))
      #expect(board.wait { $0.matches.count == 1 } && board.pty.read(until: Self.questions))
      board.discardOutput()
      board.type("\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\\u{1B}[?2026;0$y\u{1B}[?62c")
      #expect(board.wait { $0.matches.count == 1 })
      #expect(try color(of: "2.46", on: board) == 22)
      for (name, color) in [("high-contrast", 0), ("colour-blind", 33), ("monochrome", -1), ("dark", 2)] {
        board.type("T")
        #expect(board.wait { $0.hints == "Theme: \(name)" })
        #expect(try self.color(of: "2.4\(5 + abs(color) % 4)", on: board) == color, "\(name)")
      }
      let other = try PtyBoard.simulated("--theme", "no-such")
      #expect(other.terminationStatus() == .exit(2))
    }

    @Test("Answers of the terminal that arrive in pieces are not read as keys")
    func noKeys() throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      for piece in ["\u{1B}]11;rgb:00", "00/0000/0000", "\u{7}\u{1B}[?20", "26;2$", "y\u{1B}[?62;2", "2c"] {
        board.type(piece)
        board.type("")
      }
      board.type("j")
      #expect(board.wait { $0.chosen == [3] && $0.tab == "1 Live" && $0.hints.hasPrefix("Enter open") })
    }

    @Test("Large frames are synchronized, but only once the terminal has reported support for it")
    func brackets() throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      #expect(board.count(of: "\u{1B}[?2026h") == 0)
      board.type("\u{1B}[?2026;2$y\u{1B}[?62c")
      board.type("3")
      #expect(board.wait { $0.tab == "3 Tennis" && !$0.matches.isEmpty })
      let begun = board.count(of: "\u{1B}[?2026h")
      #expect(begun >= 1)
      board.type("?")
      #expect(board.wait { $0.contains("Switch to the channel") })
      #expect(board.count(of: "\u{1B}[?2026h") == begun + 1)
      board.discardOutput()
      board.type("\u{1B}j")
      #expect(board.pty.read { !$0.isEmpty })
      #expect(board.count(of: "\u{1B}[?2026h") == board.count(of: "\u{1B}[?2026l"))
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(UnrestoredTerminalSettings(board.pty.output, rows: 24).settings.isEmpty)
    }

    @Test("Answers that arrive after a quit or a stop do not reach the shell", arguments: ["q", "\u{3}", "\u{1A}"])
    func lateAnswers(key: String) throws {
      // The board waits 300 ms for the answers, which may be too short once on a busy machine.
      let isClean = try (1...5).contains { _ in
        let board = key == "\u{1A}" ? try PtyBoard.underShell() : try PtyBoard.simulated()
        #expect(board.pty.read(until: Self.questions, within: Program.timeout))
        board.type(key)
        if key != "\u{1A}" { #expect(board.pty.read(until: "\u{1B}[?1049l", within: Program.timeout)) }
        board.type("\u{1B}]11;rgb:0000/0000/0000\u{7}\u{1B}[?2026;2$y\u{1B}[?62;22c")
        if key == "\u{1A}" {
          #expect(board.pty.read(until: "[stopped 148]", within: Program.timeout))
        } else {
          #expect(board.terminationStatus() != nil)
        }
        return board.pty.unread.isEmpty
      }
      #expect(isClean)
    }

    @Test("The Linux console receives no queries and no title")
    func console() throws {
      let board = try PtyBoard.simulated(environment: ["TERM": "linux"])
      #expect(board.wait { !$0.matches.isEmpty })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(board.count(of: "\u{1B}[c") == 0 && board.count(of: ";2t") == 0 && board.count(of: "\u{1B}]") == 0)
    }

    @Test("--low-bandwidth shows no price arrows, no counters and no window title")
    func lowBandwidth() throws {
      let pipe = openPipe()
      let board = try PtyBoard(["--feed", "-", "--low-bandwidth"], input: pipe.read)
      sendBytes(FeedText.dump(FeedText.football()) + "\n", to: pipe.write)
      #expect(board.wait { $0.matches.count == 1 })
      sendBytes(FeedText.update(FeedText.odds(121, "2.46")) + "\n", to: pipe.write)
      #expect(board.wait { $0.price("1", in: 2) == "2.46" })
      #expect(!board.screen.text(2).contains("▲") && board.screen.counters == "")
      #expect(board.count(of: "\u{1B}]2;") == 0)
      close(pipe.write)
      close(pipe.read)
    }

    /// Returns the colour of the last digit of a price after the price has changed.
    private func color(of price: String, on board: PtyBoard) throws -> Int? {
      board.send(FeedText.update(FeedText.odds(121, "2.4")))
      #expect(board.wait { $0.price("1", in: 2) == "2.40" })
      board.send(FeedText.update(FeedText.odds(121, price)))
      #expect(board.wait { $0.price("1", in: 2) == price })
      let column = try #require(board.screen.column(of: price, in: 2))
      // The selected row is in reverse video: it shows the foreground colour behind the text.
      return Int(board.screen.cell(2, column + 3).foreground)
    }
  }
}
