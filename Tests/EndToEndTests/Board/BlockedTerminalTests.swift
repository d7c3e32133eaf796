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

    @Test("Stopped output, as after Ctrl-S, does not block the feed")
    func stoppedOutput() throws {
      let board = try PtyBoard.withFeed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      #expect(tcflow(board.pty.device, TCOOFF) == 0)
      // More than the pipe holds: 1 MiB.
      let wasAccepted = (0..<20_000).allSatisfy { step in
        board.send(
          FeedText.update(FeedText.odds(121, "\(2 + step % 90).5"), FeedText.odds(122, "3.\(10 + step % 80)")))
      }
      #expect(wasAccepted)
      #expect(tcflow(board.pty.device, TCOON) == 0)
      try expectEnd(of: board)
    }

    @Test("A terminal that nobody reads, and that accepts only part of a frame, does not block the feed")
    func unreadOutput() throws {
      let matches = (1...60).map { FeedText.football($0 * 100, "Ajax \($0) - Porto \($0)") }
      let board = try PtyBoard.withFeed(FeedText.dump(matches.joined(separator: ",")))
      #expect(board.wait { !$0.matches.isEmpty })
      // The terminal buffers fewer frames than these, each of which paints the whole screen.
      let wasRead = (0..<16 * 16).allSatisfy { step in
        if step % 16 == 0 { board.pty.readAvailable() }
        board.pty.resize(to: Size(rows: 50 + step % 7, columns: 200 - step % 5))
        board.send(FeedText.update(FeedText.odds(121, "\(2 + step % 90).5")))
        return board.waitUntilFeedIsRead()
      }
      #expect(wasRead)
      board.pty.readAvailable()
      board.resize(to: Size(rows: 24, columns: 80))
      try expectEnd(of: board)
    }

    @Test("--feed - is refused if standard input is the terminal")
    func ownTerminal() throws {
      let board = try PtyBoard(["--feed", "-"])
      #expect(board.terminationStatus() == .exit(1))
      #expect(board.pty.text.contains("--feed '-' is the terminal"))
    }

    /// Expects that the board shows new prices and ends.
    private func expectEnd(of board: PtyBoard) throws {
      board.send(FeedText.update(FeedText.odds(121, "7.77")))
      #expect(board.wait { $0.price("1", in: 2) == "7.77" })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }
  }
}
