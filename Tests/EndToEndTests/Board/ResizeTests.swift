import TerminalCore
import TestSupport
import Testing

extension EndToEndTests {
  @Suite("The board at other sizes", .serialized)
  struct ResizeTests {
    private static let sizes = [(40, 120), (10, 40), (1, 1), (60, 200), (24, 80)].map(Size.init)

    @Test("After each resize, the screen is repainted whole and is correct")
    func resize() throws {
      let board = try PtyBoard.simulated("--matches", "300", size: Size(rows: 24, columns: 80))
      #expect(board.waitForMatches())
      for size in Self.sizes + Self.sizes.dropLast().reversed() {
        board.discardOutput()
        board.resize(to: size)
        #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout), "no whole paint at \(size)")
        if size.rows == 1 { continue }
        #expect(board.wait { Self.isRight($0) }, "\(size): \(board.screen.rows)")
      }
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("The board starts at any size", arguments: sizes)
    func start(size: Size) throws {
      let board = try PtyBoard.simulated("--matches", "300", size: size)
      #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout))
      if size.rows > 1 { #expect(board.wait { Self.isRight($0) }, "\(board.screen.rows)") }
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    @Test("The screen is correct after a hundred resizes per second, from 1 x 1 to 500 x 200")
    func storm() throws {
      let board = try PtyBoard.simulated("--matches", "2000", "--rate", "1000")
      #expect(board.waitForMatches())
      var random = SeededRandom(seed: 9)
      for _ in 0..<300 {
        board.pty.resize(
          to: Size(rows: .random(in: 1...200, using: &random), columns: .random(in: 1...500, using: &random)))
        board.pty.read(within: .milliseconds(10)) { _ in false }
        board.pty.discardOutput()
      }
      for size in [Size(rows: 1, columns: 1), Size(rows: 200, columns: 500), Size(rows: 24, columns: 80)] {
        board.discardOutput()
        board.resize(to: size)
        #expect(board.pty.read(until: "\u{1B}[2J", within: Program.timeout))
        if size.rows > 1 { #expect(board.wait { Self.isRight($0) }, "\(size): \(board.screen.rows)") }
        #expect(Self.hasWholeCharacters(board.pty.text), "\(size): bytes were lost before the emulator read them")
      }
      board.type("q")
      #expect(board.terminationStatus() == .exit(0))
    }

    /// True if no character is cut after the first whole paint, except by the end of the text.
    private static func hasWholeCharacters(_ output: String) -> Bool {
      guard let start = output.firstRange(of: "\u{1B}[2J") else { return false }
      return !output[start.upperBound...].unicodeScalars.dropLast().contains("\u{FFFD}")
    }

    /// True if the screen has the header, titles, a match in every row, counters and hints.
    private static func isRight(_ screen: VTermScreen) -> Bool {
      screen.tab == "1 Live" && screen.text(1).contains("MATCH") && screen.matches == Array(screen.body)
        && screen.counters.contains("fps") && screen.hints.hasPrefix("Enter open") && screen.chosen == [2]
    }
  }
}
