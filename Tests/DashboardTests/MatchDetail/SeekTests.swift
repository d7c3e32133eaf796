import Localization
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Positions in a recording")
struct SeekTests {
  private func recording(rows: Int = 24, columns: Int = 80, channels: Int = 1, position: Duration = .zero) -> Board {
    var board = Board.recording(rows: rows, columns: columns, channels: channels)
    board.fill()
    board.play(position, of: .seconds(4000))
    board.paint()
    return board
  }

  @Test(
    "seek jumps to a position or by a step",
    arguments: [
      ("12:30", .seekTo(.seconds(750))), ("1:02:03", .seekTo(.seconds(3723))), ("90:00", nil),
      ("66:40", .seekTo(.seconds(4000))), ("66:41", nil), ("5m", .seekTo(.seconds(300))), ("1.5h", nil),
      ("0.5h", .seekTo(.seconds(1800))), ("+5m", .seek(.seconds(300))), ("-90s", .seek(.seconds(-90))),
      ("-1:30", .seek(.seconds(-90))), ("+9h", .seek(.seconds(32_400))), ("50%", .seekTo(.seconds(2000))),
      ("0%", .seekTo(.zero)), ("100%", .seekTo(.seconds(4000))), ("101%", nil), ("-5%", nil), ("5", nil), ("1:60", nil),
      ("1:2:3:4", nil), (":30", nil), ("--5m", nil), ("+", nil), ("x", nil), ("250ms", nil), ("99999:00", nil),
      ("99999999999s", nil), ("3000000h", nil),
    ] as [(String, Effect?)])
  func targets(text: String, effect: Effect?) {
    var board = recording()
    board.type(":seek \(text)")
    board.press(.enter)
    #expect(board.effects == (effect.map { [$0] } ?? []))
    let error = board.state.promptBar.prompt?.error?.sentence.description
    #expect((error == nil) == (effect != nil))
    if let error { #expect(error.contains("'\(text)'")) }
  }

  @Test("The position 100% is the end of a recording of any length")
  func wholeRecording() {
    for milliseconds in 290_000...310_000 {
      let duration = Duration.milliseconds(milliseconds)
      #expect(SeekTarget("100%", duration: duration) == .to(duration))
    }
  }

  @Test("On other feeds seek is refused")
  func otherFeeds() {
    var board = Board()
    board.type(":seek 12:30")
    board.press(.enter)
    #expect(board.effects.isEmpty && board.state.promptBar.prompt?.error != nil)
  }

  @Test("The progress bar grows with the position, and is full only at the end")
  func bar() {
    var last = 0
    for second in stride(from: 0, through: 4000, by: 50) {
      let board = recording(position: .seconds(second))
      let line = board.line(0)
      let (played, rest) = (line.count { $0 == "━" }, line.count { $0 == "─" })
      #expect(played + rest > 20 && played >= last && (rest == 0) == (second == 4000), "\(line)")
      last = played
    }
  }

  @Test("A click on the bar jumps: on its first cell to the beginning, on its last one to the end")
  func click() {
    var board = recording(position: .seconds(100))
    let line = Array(board.line(0))
    let cells = line.indices.filter { line[$0] == "━" || line[$0] == "─" }
    for column in [cells.first!, cells.last!, cells.first! - 1] {
      board.send(.mousePressed(MousePress(.left, row: 0, column: column)))
    }
    #expect(board.effects == [.seekTo(.zero), .seekTo(.seconds(4000))])
  }

  @Test("The bar uses only free cells", arguments: [(5, 20), (10, 40), (24, 80), (40, 120), (60, 200)])
  func sizes(rows: Int, columns: Int) {
    for channels in [1, 6] {
      let board = recording(rows: rows, columns: columns, channels: channels, position: .seconds(1300))
      let name = "progress-\(channels)-\(columns)x\(rows)"
      #expect(board.text == Golden.text(name, recording: board.text), "\(name)")
    }
  }
}
