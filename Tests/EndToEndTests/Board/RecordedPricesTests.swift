import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The chart of a recording")
  struct RecordedPricesTests {
    /// A price each second for two minutes: 9.00 or 9.10 from second 40 to 49, 77.00 or 77.10 from second 110 on, and
    /// otherwise 2.00 or 2.10.
    private static let lines: [String] = (0..<120).map { second in
      let odds =
        switch second {
        case 40..<50: "9.\(second % 2)"
        case 110...: "77.\(second % 2)"
        default: "2.\(second % 2)"
        }
      let message =
        second == 0
        ? FeedText.dump(FeedText.football(odds: [odds, "3.1", "2.9"])) : FeedText.update(FeedText.odds(121, odds))
      return #"{"receivedAt":\#(1_750_752_000_000 + second * 1000),"topic":"/a","message":\#(message)}"#
    }

    @Test("The chart has the prices before the match was opened, up to the position, also after a jump back")
    func jumps() throws {
      let file = TemporaryFile(Self.lines.joined(separator: "\n") + "\n")
      let board = try PtyBoard(
        ["--feed", file.path, "--speed", "0.01", "--fresh"], size: Size(rows: 40, columns: 120))
      func chart(has text: String) -> Bool { board.wait { $0.contains(text) } }
      #expect(board.wait { !$0.matches.isEmpty })
      // Jumps to 01:00.
      for _ in 0..<6 { board.type("\u{1B}[C") }
      #expect(chart(has: "01:00/01:59"))
      board.type("\r")
      #expect(chart(has: "9.10") && chart(has: "2.00"), "\(board.screen.rows)")
      for _ in 0..<3 { board.type("\u{1B}[D") }
      #expect(
        board.wait { screen in
          screen.contains("00:30/01:59") && !screen.contains("9.10")
        })
      for _ in 0..<4 { board.type("\u{1B}[C") }
      #expect(chart(has: "01:10/01:59") && chart(has: "9.10"), "\(board.screen.rows)")
      #expect(!board.screen.contains("77."))
      board.type("q")
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }
  }
}
