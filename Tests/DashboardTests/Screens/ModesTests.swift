import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Active modes are always shown as chips beside the counters.
struct ModesTests {
  private static let sizes = [20, 40, 80, 200]

  private func board(_ columns: Int, _ keys: String = "", words: Catalog = .english) -> Board {
    var board = Board(
      rows: 10, columns: columns, channels: BoardChannel.standard(matches: 100, words: words), words: words)
    board.fill()
    board.type(keys)
    board.paint()
    return board
  }

  @Test("A frozen screen has a mark in the header, and a chip from 40 columns on", arguments: sizes, Language.allCases)
  func frozen(columns: Int, language: Language) {
    let words = Catalog(language)
    let board = board(columns, "p", words: words)
    #expect(board.line(0).contains(words(.modeFrozenMark)), "\(board.line(0))")
    // The Chinese counters leave too little room for a chip on 20 columns.
    if columns > 20 { #expect(board.line(8).contains(words(.modeFrozenMark)), "\(board.line(8))") }
    for key in [MessageKey.counterFrames, .counterUpdates] { #expect(board.line(8).contains("0 \(words(key))")) }
  }

  @Test("Chips are shortened where there is little room, the most important last")
  func priority() {
    #expect(board(20, "p").line(8) == "0 fps 0 upd/s FROZEN")
    #expect(board(40, "pt").line(8) == "0 fps 0 upd/s   FROZEN 0  throttle: 50ms")
    #expect(board(80, "ptDF").line(8).hasSuffix("FROZEN, 0 changes missed  throttle: 50ms  DAMAGE  WHOLE SCREEN"))
    #expect(
      board(200, "ptDF").line(8).hasSuffix(
        "FROZEN, 0 changes missed  throttle: 50ms  DAMAGE 0 rows, 0 B/frame  WHOLE SCREEN"))
  }

  @Test("On 40 columns the throttle's chip is shown while it is on, and removed when it is off")
  func throttle() {
    var board = board(40, "t")
    #expect(board.line(8) == "  0 fps    0 upd/s        throttle: 50ms")
    board.type("ttttt")
    board.paint()
    #expect(board.line(8) == "  0 fps    0 upd/s    0 chg/s")
  }

  @Test("Messages, a prompt's hint and connection errors do not hide the modes")
  func beside() {
    var board = board(80, "pt/por")
    #expect(board.line(8).hasSuffix("FROZEN, 0 changes missed  throttle: 50ms"))
    board.press(.enter)
    board.type("o")
    board.paint()
    #expect(board.line(9).contains("fractional"))
    #expect(board.line(8).hasSuffix("FROZEN, 0 changes missed  /por 1 of 3  throttle: 50ms"), "\(board.line(8))")
    board.type(":")
    board.paint()
    #expect(board.line(8).hasPrefix(" account") && board.line(8).contains("FROZEN"))
    board.press(.escape)
    board.updateFreshness(
      .locked,
      connection: .waiting(Retry(attempt: 1, time: board.now.wall + 9000, reason: ConnectionStatusTests.refused)))
    board.paint()
    #expect(board.line(8).hasPrefix("'ws://127.0.0.1:1/v2' refuses the connection") && board.line(8).contains("FROZEN"))
  }

  @Test("On a screen that is too low for hints, a message is in place of the counters, beside the modes")
  func lowScreen() {
    var board = Board(rows: 7, columns: 40)
    board.fill()
    board.type("po")
    board.paint()
    #expect(board.line(6) == "Odds: fractional                FROZEN 0")
    board.wait(StatusMessage.length)
    board.paint()
    #expect(board.line(6) == "0 fps 0 upd/s   FROZEN, 0 changes missed")
  }

  @Test("A click on a chip, or on the mark in the header, does what its key does")
  func clicks() throws {
    for row in [0, 8] {
      var board = board(80, "pt")
      let columns = board.screen.content.rows[row].cells.map { Unicode.Scalar($0.scalar).map(Character.init) ?? " " }
      let column = try #require(columns.firstRange(of: Array("FROZEN"))?.lowerBound)
      board.click(row, column)
      #expect(!board.state.list.isFrozen)
    }
    var board = board(80, "t")
    board.click(8, 79)
    #expect(board.state.list.throttle.interval == .milliseconds(100))
    board.click(8, 30)
    #expect(board.effects.isEmpty)
  }

  @Test("c folds the counters to the first two, and unfolds them")
  func folding() {
    var board = board(80, "c")
    #expect(board.line(8) == "  0 fps    0 upd/s")
    board.type("c")
    board.paint()
    #expect(board.line(8).hasPrefix("  0 fps    0 upd/s    0 chg/s    0 confl/s"))
  }

  @Test("At any width the row is whole, and the first counters stay", arguments: Language.allCases)
  func widths(language: Language) {
    let words = Catalog(language)
    let least = "0 \(words(.counterFrames)) 0 \(words(.counterUpdates))".cellWidth
    for columns in Array(1...60) + [80, 120, 200] {
      var board = board(columns, "ptDF", words: words)
      board.type("/a")
      board.press(.enter)
      for keys in ["", "c"] {
        board.type(keys)
        board.paint()
        let row = board.screen.content.rows[8]
        #expect(row.width == columns && row.isWhole, "\(row)")
        guard columns >= least else { continue }
        for key in [MessageKey.counterFrames, .counterUpdates] { #expect(row.description.contains(words(key))) }
        if columns > least + words(.modeFrozenMark).cellWidth {
          #expect(row.description.contains(words(.modeFrozenMark)), "\(columns): \(row)")
        }
      }
    }
  }
}
