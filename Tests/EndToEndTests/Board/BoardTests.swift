import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The board and its keys", .serialized)
  struct BoardTests {
    private let board: PtyBoard

    init() throws {
      board = try PtyBoard.simulated()
      // Waits for a complete frame with matches: on a busy machine, a frame without the dump comes first.
      #expect(board.wait { $0.matches == Array($0.body) && !$0.counters.isEmpty && !$0.hints.isEmpty })
    }

    @Test("The board starts with tabs, column titles, matches with prices, counters and key hints")
    func start() throws {
      let screen = board.screen
      #expect(screen.isAlternate && !screen.hasCursor)
      #expect(screen.text(0).hasPrefix(" 1 Live  2 Football  3 Tennis  4 Basketball  5 Next  6 Popular"))
      #expect(screen.tab == "1 Live")
      let titles = screen.text(1).split(separator: " ")
      #expect(titles == ["TIME▲", "SCORE", "SPORT", "MATCH", "1", "X", "2", "MARGIN", "AGE"])
      #expect(screen.matches == Array(screen.body))
      #expect(screen.chosen == [2])
      #expect(screen.counters.contains("fps") && screen.counters.contains("B/s"))
      #expect(screen.hints.hasPrefix("Enter open / find s sort o odds : command t throttle: off +- 0.1/s ? help q"))
      for row in screen.body {
        #expect(screen.text(row).contains { "-…".contains($0) }, "no name in row \(row)")
        for title in ["1", "2"] {
          let price = screen.price(title, in: row)
          #expect(Double(price) ?? 0 > 1 || ["susp", "-"].contains(price), "row \(row): \(screen.text(row))")
        }
      }
    }

    @Test("A digit, Tab and Shift-Tab switch the channel and show only its matches")
    func channels() throws {
      let football = try names(in: "football")
      let tennis = try names(in: "tennis")
      let basketball = try names(in: "basketball")
      #expect(!football.isEmpty && !tennis.isEmpty && !basketball.isEmpty)
      board.type("2")
      expect("2 Football", shows: football, not: tennis + basketball)
      board.type("3")
      expect("3 Tennis", shows: tennis, not: football + basketball)
      board.type("\t")
      expect("4 Basketball", shows: basketball, not: football + tennis)
      board.type("\u{1B}[Z")
      expect("3 Tennis", shows: tennis, not: football + basketball)
    }

    @Test("? opens the help over the matches, Esc closes it")
    func help() {
      let line = "Switch to the channel or watch list with that number"
      board.type("?")
      #expect(board.wait { $0.contains(line) && $0.contains("FINDING") && !$0.text(1).contains("TIME") })
      board.type("\u{1B}")
      #expect(board.wait { !$0.contains(line) && !$0.matches.isEmpty })
    }

    @Test("i shows live counts of what each channel has received, and Esc closes the inspector")
    func inspector() throws {
      func figure(_ label: String, _ screen: VTermScreen) -> Int? {
        let words = screen.rows.first { $0.contains(" \(label) ") }?.split(separator: " ").map(String.init) ?? []
        return words.firstIndex(of: label).flatMap { Int(words[$0 + 1].filter { $0 != "," }) }
      }
      board.type("+++++++++++++++++++++++++++")
      #expect(board.wait { $0.hints.contains("+- 100/s ") })
      board.type("i")
      #expect(board.wait { figure("dumps", $0) == 1 && figure("matches", $0) ?? 0 > 10 && $0.contains("live-matches") })
      let before = try #require(figure("applied", board.screen))
      #expect(board.wait { figure("applied", $0) ?? 0 > before && $0.contains("/s ") })
      #expect(figure("readers", board.screen) == 1 && figure("unparsable", board.screen) == 0)
      board.type("3")
      #expect(board.wait { $0.tab == "3 Tennis" && $0.contains("popular-matches-aggregator-main/3") })
      board.type("\u{1B}")
      #expect(board.wait { !$0.matches.isEmpty && $0.text(1).hasPrefix("TIME") })
    }

    @Test("Arrows and letters move the selected row, End selects the last row and Home the first")
    func cursor() {
      for (keys, row) in [("\u{1B}[B", 3), ("\u{1B}OB", 4), ("j", 5), ("\u{1B}[A", 4), ("k", 3), ("\u{1B}[F", 21)] {
        board.type(keys)
        #expect(board.wait { $0.chosen == [row] }, "after \(keys.debugDescription)")
      }
      board.type("\u{1B}[H")
      #expect(board.wait { $0.chosen == [2] })
    }

    @Test("p, D and F toggle freezing, the damage display and whole repaints; t cycles through the throttle intervals")
    func states() {
      for (key, sign) in [("p", "FROZEN, 0 changes missed"), ("D", "DAMAGE "), ("F", "WHOLE SCREEN")] {
        board.type(key)
        #expect(board.wait { $0.counters.contains(sign) })
        board.type(key)
        #expect(board.wait { !$0.counters.contains(sign) })
      }
      for step in ["50ms", "100ms", "250ms", "500ms", "1s", "off"] {
        board.type("t")
        #expect(board.wait { $0.hints.contains("t throttle: \(step) ") })
      }
    }

    @Test("+ and - change the rate of the simulated feed")
    func pace() {
      for (key, rate) in [("+", "0.2"), ("+", "0.3"), ("-", "0.2")] {
        board.type(key)
        #expect(board.wait { $0.hints.contains("+- \(rate)/s ") })
      }
    }

    /// Returns the names of a channel's matches from `toteboard list`, cut to the width of a narrow column.
    private func names(in channel: String) throws -> [String] {
      let list = try Headless.run(["list", "--channel", channel, "--format", "csv"]).output
      let names = list.split(separator: "\r\n").dropFirst().map { $0.split(separator: ",")[1] }
      return Set(names).map { String($0.prefix(9)) }
    }

    private func expect(_ tab: String, shows wanted: [String], not unwanted: [String]) {
      #expect(board.wait { $0.tab == tab && !$0.matches.isEmpty })
      for row in board.screen.matches.map({ board.screen.text($0) }) {
        #expect(wanted.contains { row.contains($0) }, "\(tab): \(row)")
      }
      for name in unwanted where !wanted.contains(name) { #expect(!board.screen.contains(name), "\(tab): \(name)") }
    }
  }
}
