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
  @Suite("The board on a terminal that takes no output", .serialized)
  struct BlockedTerminalTests {
    private static let dump = FeedText.dump(
      FeedText.football(), FeedText.football(200, "Lens - Lille", start: 1_750_755_600_000, odds: ["1.5", "4", "7.25"]))

    @Test("A terminal that takes no output, as after Ctrl-S, does not hold up the feed")
    func stoppedOutput() throws {
      let board = try Board.fed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      #expect(tcflow(board.pty.device, TCOOFF) == 0)
      // More than the pipe holds: 1 MiB.
      let wasAccepted = (0..<20_000).allSatisfy { step in
        board.trySend(
          FeedText.update(FeedText.odds(121, "\(2 + step % 90).5"), FeedText.odds(122, "3.\(10 + step % 80)")))
      }
      #expect(wasAccepted)
      #expect(tcflow(board.pty.device, TCOON) == 0)
      try expectEnd(of: board)
    }

    @Test("A terminal that nobody reads, and that takes a part of a frame, does not hold up the feed")
    func unreadOutput() throws {
      let board = try Board.fed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      // The terminal holds less than these frames, each of a whole screen.
      let wasRead = (0..<150).allSatisfy { step in
        board.pty.resize(to: Size(rows: 60 + step % 2, columns: 200))
        board.send(FeedText.update(FeedText.odds(121, "\(2 + step % 90).5")))
        return board.waitUntilFeedIsRead()
      }
      #expect(wasRead)
      board.pty.readAvailable()
      board.resize(to: Size(rows: 24, columns: 80))
      try expectEnd(of: board)
    }

    @Test("Keys on a terminal that takes no output give a silent feed no sign of life")
    func lockedPrices() throws {
      let board = try Board.fed(Self.dump, options: "--pipe-timeout", "1s")
      #expect(board.wait { $0.text(2).contains("2.45?") })
      var unlocked = 0
      for (key, chosen) in [("j", 3), ("k", 2), ("j", 3), ("k", 2), ("j", 3)] {
        #expect(tcflow(board.pty.device, TCOOFF) == 0)
        board.type(key)
        #expect(board.pty.waitUntilKeysAreRead(within: Program.patience))
        #expect(tcflow(board.pty.device, TCOON) == 0)
        let isMoved = board.wait { screen in
          if screen.text(0).contains("live") || screen.text(2).contains("2.45 ") { unlocked += 1 }
          return screen.chosen == [chosen]
        }
        #expect(isMoved)
      }
      #expect(unlocked == 0)
      board.type("q")
      #expect(board.ending() == .exit(0))
    }

    @Test("The board's own terminal is no feed")
    func ownTerminal() throws {
      let board = try Board(["--feed", "-"])
      #expect(board.ending() == .exit(1))
      #expect(board.pty.text.contains("--feed '-' is the terminal"))
    }

    /// Expects that the board shows new prices and ends.
    private func expectEnd(of board: Board) throws {
      board.send(FeedText.update(FeedText.odds(121, "7.77")))
      #expect(board.wait { $0.price("1", in: 2) == "7.77" })
      board.type("q")
      #expect(board.ending() == .exit(0))
    }
  }
}
