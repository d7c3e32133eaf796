import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The watch list, pages and sorting", .serialized)
  struct WatchAndPagesTests {
    private func names(_ screen: VTermScreen) -> [String] {
      screen.matches.map { screen.text($0, 14..<30).filter { $0 != " " } }
    }

    @Test("Matches pinned in two channels are in the watch list, and unpinning removes them from it")
    func watch() throws {
      let board = try PtyBoard.simulated()
      #expect(board.waitForMatches())
      board.type("jm")
      #expect(board.wait { $0.text(2).contains("★") })
      let first = names(board.screen)[0]
      board.type("5")
      #expect(board.wait { $0.tab == "5 Next" && $0.matches.count > 3 && !$0.text(2).contains("★") })
      board.type(" ")
      #expect(board.wait { $0.text(2).contains("★") })
      let second = names(board.screen)[0]
      board.type("0")
      #expect(board.wait { $0.tab == "0 Watch" && $0.matches.count == 2 })
      #expect(Set(names(board.screen)) == [first, second])
      #expect(board.screen.matches.allSatisfy { board.screen.text($0).contains("★") })
      #expect(board.screen.price("1", in: 2) != "")
      board.type("jm")
      #expect(board.wait { $0.matches.count == 1 })
      board.type("m")
      #expect(board.wait { $0.matches.isEmpty && $0.text(2).contains("Nothing pinned yet.") })
      #expect(board.screen.text(0).contains("live"))
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("A channel is loaded page by page, G loads all of it, and the first rows stay")
    func pages() throws {
      let board = try PtyBoard.simulated("--matches", "3000", "--channel", "popular")
      #expect(board.wait { !$0.matches.isEmpty && $0.counters.contains("200 of 3,000") })
      let first = names(board.screen)
      for _ in 0..<10 { board.type("\u{6}") }
      #expect(board.wait { $0.counters.contains("400 of 3,000") && !$0.counters.contains("…") })
      board.type("G")
      #expect(board.wait { !$0.counters.contains(" of ") && !$0.counters.isEmpty })
      board.type("g")
      // Matches may have ended meanwhile: they leave the first rows.
      #expect(
        board.wait { names($0).count(where: first.contains) > first.count / 2 },
        "\(names(board.screen)) does not begin as \(first)")
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("s sorts the rows by name")
    func order() throws {
      let board = try PtyBoard.simulated("--matches", "60", "--channel", "popular")
      #expect(board.waitForMatches())
      board.type("s")
      #expect(board.wait { $0.text(1).contains("MATCH▲") && $0.hints == "Sorted by name" })
      #expect(board.wait { $0.hints.hasPrefix("Enter open") })
      let shown = board.screen.matches.map { board.screen.text($0, 20..<26).lowercased() }
      #expect(shown == shown.sorted())
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }
  }
}
