import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The environment variables", .serialized)
  struct EnvironmentTests {
    private static let dump = FeedText.dump(FeedText.football(100, "Köln - 浦和"))

    @Test("With NO_COLOR, the board uses no colours, not even for changed prices")
    func noColor() throws {
      let board = try PtyBoard.withFeed(Self.dump, environment: ["NO_COLOR": "1"])
      try movePrices(board, up: "▲", down: "▼")
      #expect(Self.colors(in: board.pty.output).isEmpty)
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(Self.colors(in: board.pty.output).isEmpty)
    }

    @Test("Without NO_COLOR, or with an empty value, the board uses colours", arguments: [nil, ""])
    func color(value: String?) throws {
      let board = try PtyBoard.withFeed(Self.dump, environment: ["NO_COLOR": value])
      try movePrices(board, up: "▲", down: "▼")
      #expect(!Self.colors(in: board.pty.output).isEmpty)
    }

    @Test("In a locale without Unicode, the board uses only ASCII, also for arrows", arguments: ["C", "POSIX"])
    func ascii(locale: String) throws {
      let board = try PtyBoard.withFeed(Self.dump, environment: ["LC_ALL": locale])
      try movePrices(board, up: "^", down: "v")
      #expect(board.screen.text(0).contains("* live"))
      board.type("?")
      #expect(board.wait { $0.contains("FINDING") })
      board.endFeed()
      #expect(board.wait { $0.text(0).contains("# feed ended") })
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
      #expect(board.pty.output.allSatisfy { $0 < 0x80 })
    }

    @Test(
      "The name of a locale that the system lacks decides whether the board uses Unicode",
      arguments: [("xx_XX.UTF-8", true), ("xx_XX.ISO-8859-1", false)])
    func unknownLocale(locale: String, isUnicode: Bool) throws {
      let board = try PtyBoard.withFeed(Self.dump, environment: ["LC_ALL": locale])
      #expect(board.wait { $0.matches.count == 1 })
      #expect(board.screen.text(0).contains(isUnicode ? "● live" : "* live"))
      #expect(board.screen.text(2).contains("Köln - 浦和") == isUnicode)
    }

    /// Moves prices until both arrows have been seen.
    private func movePrices(_ board: PtyBoard, up: String, down: String) throws {
      #expect(board.wait { $0.matches.count == 1 })
      let end = try #require(board.screen.column(of: "2.45", in: 2)) + 4
      for (price, arrow) in [("2.5", up), ("2.4", down)] {
        var isSeen = false
        for step in 1...9 where !isSeen {
          let price = arrow == up ? "\(price)\(step)" : "\(price)\(9 - step)"
          board.send(FeedText.update(FeedText.odds(121, price)))
          let isMoved = board.wait { screen in
            if screen.text(2, end..<end + 1) == arrow { isSeen = true }
            return screen.price("1", in: 2) == price
          }
          #expect(isMoved)
        }
        #expect(isSeen, "no \(arrow)")
      }
    }

    /// Returns the sequences of the output that set colours, without the escape character.
    private static func colors(in output: [UInt8]) -> [String] {
      var found: [String] = []
      for part in String(decoding: output, as: UTF8.self).unicodeScalars.split(separator: "\u{1B}") {
        guard part.first == "[", let end = part.firstIndex(where: { 0x40...0x7E ~= $0.value && $0 != "[" }) else {
          continue
        }
        guard part[end] == "m" else { continue }
        let numbers = String(part[..<end]).dropFirst().split(separator: ";").compactMap { Int($0) }
        if numbers.contains(where: { 30...49 ~= $0 || 90...107 ~= $0 }) { found.append(String(part[...end])) }
      }
      return found
    }
  }
}
