import CVTerm
import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The board with a feed on standard input", .serialized)
  struct FeedTests {
    private static let dump = FeedText.dump(
      FeedText.football(), FeedText.football(200, "Lens - Lille", start: 1_750_755_600_000, odds: ["1.5", "4", "7.25"]))

    @Test("The board shows the dump and every update, and reads keys from the terminal")
    func updates() throws {
      let board = try PtyBoard.withFeed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      #expect(board.screen.text(0).hasPrefix(" 1 Feed ") && board.screen.text(0).contains("stdin ● live"))
      #expect(board.screen.text(2).hasPrefix(" live") && board.screen.text(2).contains("Ajax - Porto"))
      #expect(prices(2, board) == ["2.45", "3.10", "2.90"])
      #expect(prices(3, board) == ["1.50", "4.00", "7.25"])

      board.send(FeedText.update(FeedText.odds(121, "2.5"), FeedText.odds(223, "7.2")))
      #expect(board.wait { $0.price("1", in: 2) == "2.50" && $0.price("2", in: 3) == "7.20" })
      #expect(board.wait { $0.text(2).contains("2.50") && !$0.text(2).contains("▲") })
      board.type("j")
      #expect(board.wait { $0.chosen == [3] })

      let suspended = FeedText.change("BETTING_OFFER", 121, #""statusId":"7","isAvailable":true"#)
      board.send(FeedText.update(suspended, FeedText.delete("MATCH", 200)))
      #expect(board.wait { $0.matches == [2] && $0.price("1", in: 2) == "susp" })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("A rising price shows a green up arrow, a falling price a red down arrow")
    func arrows() throws {
      let board = try PtyBoard.withFeed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      let up = try column("2.45", board) + 4
      let down = try column("2.90", board) + 4
      var seen: Set<String> = []
      // A flash lasts one second: prices change again until both arrows have been on the screen.
      for step in 1...50 where seen.count < 2 {
        board.send(FeedText.update(FeedText.odds(121, "2.\(45 + step)"), FeedText.odds(123, "2.\(90 - step)")))
        let (high, low) = ("2.\(45 + step)", "2.\(90 - step)")
        let isMoved = board.wait { screen in
          for (column, arrow, color) in [(up, "▲", 2), (down, "▼", 1)] {
            let isArrow = screen.text(2, column..<column + 1) == arrow
            if isArrow && screen.cell(2, column).foreground == color { seen.insert(arrow) }
          }
          return screen.price("1", in: 2) == high && screen.price("2", in: 2) == low
        }
        try #require(isMoved)
      }
      #expect(seen == ["▲", "▼"])
    }

    @Test("When the feed ends, the board shows that, stays open and marks all prices as uncertain")
    func end() throws {
      let board = try PtyBoard.withFeed(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      board.endFeed()
      #expect(board.wait { $0.text(0).contains("■ feed ended") && $0.text(3).contains("1.50?    4.00?    7.25? ") })
      #expect(board.screen.text(2).contains("2.45?    3.10?    2.90? "))
      #expect(prices(2, board) == ["2.45", "3.10", "2.90"])
      board.type("j")
      #expect(board.wait { $0.chosen == [3] && $0.matches.count == 2 })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("i shows the counts of messages, rejected records and unparsable lines, and the state of the feed")
    func inspector() throws {
      let board = try PtyBoard.withFeed(
        Self.dump, "no JSON", FeedText.update(FeedText.odds(121, "2.5"), FeedText.odds(122, "0.5")))
      #expect(board.wait { $0.price("1", in: 2) == "2.50" })
      board.type("i")
      let wanted = ["messages 2 ", "odds updates 1 ", "unparsable 1 ", "dumps 1 ", "state live ", "lag p50 — "]
      #expect(board.wait { screen in wanted.allSatisfy { Self.words(screen).contains($0) } }, "\(board.screen.rows)")
      for figure in ["matches 2 ", "offers 8 ", "rejected 1 "] { #expect(Self.words(board.screen).contains(figure)) }
      board.endFeed()
      #expect(board.wait { Self.words($0).contains("state closed ") })
      board.type("i")
      #expect(board.wait { $0.text(2).contains("2.50?") })
    }

    /// Returns the words of the screen, separated by single blanks.
    private static func words(_ screen: VTermScreen) -> String {
      screen.rows.joined(separator: " ").split(separator: " ").joined(separator: " ") + " "
    }

    @Test(
      "Invalid lines do not disturb the feed",
      arguments: [
        "no JSON at all", "{", "[]", "null", "\u{0}\u{1}\u{FFFD}", #"{"records":5}"#, #"{"records":[{"_type":7}]}"#,
        #"{"messageType":"UPDATE","records":[{"changeType":"UPDATE","entityType":"BETTING_OFFER"}]}"#,
      ])
    func nonsense(line: String) throws {
      let board = try PtyBoard.withFeed(line, "", line)
      #expect(board.wait { $0.text(2).contains("Waiting for the first match") })
      board.send(Self.dump)
      #expect(board.wait { $0.matches.count == 2 })
      board.send(line)
      board.send(FeedText.update(FeedText.odds(121, "9.99")))
      #expect(board.wait { $0.price("1", in: 2) == "9.99" })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test(
      "Control characters in names do not reach the terminal, and wide characters do not shift columns",
      arguments: [
        #"\u001b[31mRed\u001b[2J - Blue\u009b7m"#, #"Tab\tTab - New\nLine\r"#, #"\u202eover - \u2066ride\u0007"#,
        "浦和レッズ - 鹿島アントラーズ・浦和レッズ", "e\u{301}te\u{301} - n\u{303}u", #"\u001b]0;title\u0007 - \u001bP1$r\u001b\\"#,
        "한국 - 👩‍👩‍👧 🇫🇷 ⚽️",
      ])
    func hostileNames(name: String) throws {
      let board = try PtyBoard.withFeed(
        FeedText.dump(FeedText.football(100, name), FeedText.football(200, "Lens - Lille")))
      #expect(board.wait { $0.matches.count == 2 && $0.price("2", in: 3) == "2.90" })
      #expect(board.wait { $0.price("2", in: 2) == "2.90" })
      // Sequences that the board itself sends to the terminal.
      let own = ["\u{1B}]11;?\u{7}", "\u{1B}]2;Feed - Toteboard\u{7}"]
      let text = own.reduce(board.pty.text) { $0.replacing($1, with: "") }
      for injected in ["\u{1B}[31m", "\u{9B}", "\u{7}", "\u{1B}]", "\u{1B}P", "\t", "\u{202E}", "\u{2066}"] {
        #expect(!text.unicodeScalars.contains(injected.unicodeScalars), "\(injected.debugDescription) in the output")
      }
      for price in ["2.45", "3.10", "2.90"] {
        #expect(board.screen.column(of: price, in: 2) == board.screen.column(of: price, in: 3))
      }
      #expect(board.screen.text(4).isEmpty && board.screen.counters.contains("fps"))
    }

    private func prices(_ row: Int, _ board: PtyBoard) -> [String] {
      ["1", "X", "2"].map { board.screen.price($0, in: row) }
    }

    private func column(_ price: String, _ board: PtyBoard) throws -> Int {
      try #require(board.screen.column(of: price, in: 2))
    }
  }
}
