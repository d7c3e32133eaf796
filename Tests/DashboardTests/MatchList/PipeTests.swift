import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The header of a board on a pipe.
struct PipeTests {
  private func pipe() -> Board {
    var board = Board(rows: 8, columns: 80, rate: nil, channels: Array(BoardChannel.standard(matches: 100)[..<1]))
    board.update(.football())
    return board
  }

  @Test("For a silent pipe the header shows how long it is silent, not live, and prices stay trusted")
  func silent() {
    var board = pipe()
    board.paint()
    #expect(board.line(0).contains("● live"))
    let last = board.now.wall
    board.wait(.seconds(10))
    board.updateFreshness(.delayed, lastSign: last)
    board.paint()
    #expect(board.line(0).contains("? silent 10s") && !board.text.contains("2.45?"))
    for columns in 1...80 {
      board.resize(rows: 8, columns: columns)
      board.paint(whole: true)
      #expect(!board.line(0).contains("live") && !board.line(0).contains("●"), "\(columns) columns")
    }
  }

  @Test("The header of a silent pipe is repainted once a second, with low bandwidth every fifteen seconds")
  func steps() {
    for isSlow in [false, true] {
      var board = pipe()
      board.state.settings.isLowBandwidth = isSlow
      let last = board.now.wall
      board.wait(.seconds(10))
      board.updateFreshness(.delayed, lastSign: last)
      // Wait until highlights and meters no longer change.
      for _ in 0..<5 {
        board.wait(.seconds(1))
        board.paint()
      }
      var painted = 0
      for _ in 0..<300 {
        board.wait(.milliseconds(100))
        painted += board.paint().count { $0.row == 0 }
      }
      #expect(painted == (isSlow ? 2 : 30), "slow: \(isSlow)")
    }
  }

  @Test("The prices of a locked pipe are marked until its next message")
  func locked() {
    var board = pipe()
    board.wait(.seconds(30))
    board.updateFreshness(.locked)
    board.paint()
    #expect(board.line(0).contains("? locked") && board.text.contains("2.45?"))
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.line(0).contains("● live") && !board.text.contains("2.50?"))
  }

  @Test("Before the first message the screen says that it waits for the pipe")
  func waiting() {
    var board = Board(rows: 8, columns: 80, rate: nil, channels: Array(BoardChannel.standard(matches: 100)[..<1]))
    for source in [DataSource.none, .stream] {
      board.updateFreshness(.locked, isLoaded: false, topic: .requested, source: source)
      board.paint()
      #expect(board.line(0).contains("? loading"))
    }
    #expect(board.text.contains("Waiting for the first match from the pipe."))
  }
}
