import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Golden texts of whole screens, in `Golden/`. RECORD=1 rewrites them.
struct GoldenTests {
  private func filled(rows: Int, columns: Int, glyphs: GlyphSet = .unicode) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs)
    board.fill()
    board.paint()
    board.update(.football(odds: ["2.47", "3.05", "2.9"]))
    return board
  }

  @Test("Boards have golden texts", arguments: [(24, 80), (40, 120), (60, 200), (10, 40), (5, 20), (1, 1), (2, 7)])
  func sizes(rows: Int, columns: Int) {
    filled(rows: rows, columns: columns).expectGolden("board-\(columns)x\(rows)")
  }

  @Test("The board has its golden text in ASCII")
  func ascii() {
    filled(rows: 10, columns: 80, glyphs: .ascii).expectGolden("ascii-80x10")
  }

  @Test("The help has its golden text")
  func help() {
    var board = filled(rows: 24, columns: 80)
    board.type("?")
    board.expectGolden("help-80x24")
  }

  @Test("Frozen and throttled, with the damage view and whole-screen painting, the board has its golden text")
  func modes() {
    var board = filled(rows: 8, columns: 120)
    board.type("tpDF")
    board.expectGolden("modes-120x8")
  }

  @Test("The inspector has its golden text", arguments: [(24, 80), (60, 200), (10, 40), (8, 24), (5, 20), (1, 1)])
  func inspector(rows: Int, columns: Int) {
    var board = filled(rows: rows, columns: columns)
    board.type("i")
    board.receiveHealth(.sample(messages: 1000), answering: 1)
    board.wait(.seconds(1))
    board.update()
    board.paint()
    board.receiveHealth(.sample(), answering: 2)
    board.expectGolden("inspector-\(columns)x\(rows)")
  }

  @Test("Before the first answer, in ASCII without a known lag, and at its end, the inspector has its golden text")
  func inspectorStates() {
    var board = filled(rows: 24, columns: 80, glyphs: .ascii)
    board.type("i")
    board.expectGolden("inspector-asked-80x24")
    board.receiveHealth(.sample(isLagKnown: false), answering: 1)
    board.expectGolden("inspector-ascii-80x24")
    board = filled(rows: 10, columns: 40)
    board.type("i")
    board.receiveHealth(.sample(), answering: 1)
    board.press(.end)
    board.expectGolden("inspector-end-40x10")
  }

  @Test("A recording has its golden text: playing, paused, at its end, in ASCII, with several channels")
  func recordings() {
    var board = Board.recording()
    board.fill()
    board.play(.seconds(83), at: .times(10))
    board.expectGolden("played-80x8")
    board.play(.seconds(83), isPaused: true)
    board.expectGolden("paused-80x8")
    board.play(.seconds(300), at: .max)
    board.updateFreshness(.closed)
    board.expectGolden("played-out-80x8")
    board = .recording(glyphs: .ascii)
    board.fill()
    board.play(.seconds(83), at: .times(0.5))
    board.expectGolden("played-ascii-80x8")
    board = .recording(channels: 6)
    board.fill()
    board.play(.seconds(83), at: .times(10))
    board.expectGolden("played-channels-80x8")
  }

  @Test(
    "The board has its golden text before the first dump, empty, ended and failed",
    arguments: [
      ("waiting", .connecting(attempt: 1), .locked), ("empty", .live, .live), ("ended", .ended, .closed),
      ("failed", .failed(FeedError("cannot read the feed: Input/output error", remedy: "start again")), .closed),
    ] as [(String, ConnectionState, Freshness.Grade)])
  func states(name: String, connection: ConnectionState, grade: Freshness.Grade) {
    var board = Board(rows: 8, columns: 80)
    board.updateFreshness(grade, connection: connection, isLoaded: grade == .live || connection == .ended)
    board.expectGolden("\(name)-80x8")
  }

  @Test(
    "The board has its golden text while connecting, locked, delayed and offline, and after the end of the feed",
    arguments: [
      ("connecting", .locked, .connecting(attempt: 1), 12, 80, .unicode), ("locked", .locked, .live, 125, 80, .unicode),
      ("delayed", .delayed, .live, 2, 80, .unicode), ("over", .closed, .ended, 3600, 80, .unicode),
      ("locked-ascii", .locked, .live, 45, 80, .ascii), ("locked", .locked, .live, 3, 40, .unicode),
      ("offline", .locked, .idle, 90_000, 120, .unicode),
    ] as [(String, Freshness.Grade, ConnectionState, Int, Int, GlyphSet)])
  func doubt(
    name: String, grade: Freshness.Grade, connection: ConnectionState, seconds: Int, columns: Int, glyphs: GlyphSet
  ) {
    var board = filled(rows: 8, columns: columns, glyphs: glyphs)
    board.updateFreshness(grade, connection: connection, lastSign: grade == .delayed ? board.now.wall - 6000 : nil)
    board.wait(.seconds(seconds))
    board.paint()
    board.expectGolden("\(name)-\(columns)x8")
  }
}
