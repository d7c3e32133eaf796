import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The board in another size", .serialized)
  struct ResizeTests {
    private static let sizes = [(40, 120), (10, 40), (1, 1), (60, 200), (24, 80)].map(Size.init)

    @Test("Whatever the size becomes, the screen is painted anew, and right")
    func resize() throws {
      let board = try Board.simulated("--matches", "300", size: Size(rows: 24, columns: 80))
      #expect(board.waitForMatches())
      for size in Self.sizes + Self.sizes.dropLast().reversed() {
        board.forget()
        board.resize(to: size)
        #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout), "no whole paint at \(size)")
        if size.rows == 1 { continue }
        #expect(board.wait { Self.isRight($0) }, "\(size): \(board.screen.rows)")
      }
      board.type("q")
      #expect(board.ending() == .exit(0))
    }

    @Test("It starts in any size", arguments: sizes)
    func start(size: Size) throws {
      let board = try Board.simulated("--matches", "300", size: size)
      #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout))
      if size.rows > 1 { #expect(board.wait { Self.isRight($0) }, "\(board.screen.rows)") }
      board.type("q")
      #expect(board.ending() == .exit(0))
    }

    @Test("A hundred sizes a second, from 1 x 1 to 500 x 200, end in a right screen")
    func storm() throws {
      let board = try Board.simulated("--matches", "2000", "--rate", "1000")
      #expect(board.waitForMatches())
      var random = SeededRandom(seed: 9)
      for _ in 0..<300 {
        board.pty.resize(
          to: Size(rows: .random(in: 1...200, using: &random), columns: .random(in: 1...500, using: &random)))
        board.pty.read(within: .milliseconds(10)) { _ in false }
        board.pty.forget()
      }
      for size in [Size(rows: 1, columns: 1), Size(rows: 200, columns: 500), Size(rows: 24, columns: 80)] {
        board.forget()
        board.resize(to: size)
        #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout))
        if size.rows > 1 { #expect(board.wait { Self.isRight($0) }, "\(size): \(board.screen.rows)") }
      }
      board.type("q")
      #expect(board.ending() == .exit(0))
    }

    /// Header, titles, a match in every row, counters, hints; every price in its column.
    private static func isRight(_ screen: VTermScreen) -> Bool {
      screen.tab == "1 Live" && screen.text(1).contains("MATCH") && screen.matches == Array(screen.body)
        && screen.counters.contains("fps") && screen.hints.hasPrefix("Enter open") && screen.chosen == [2]
    }
  }
}
