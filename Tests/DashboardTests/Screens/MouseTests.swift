import AccountModel
import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct MouseTests {
  private var board = Board(rows: 9, columns: 80)  // five rows of matches

  private mutating func fill() {
    for id in 1...12 { board.update(.named("\(id) - x", MatchID(integerLiteral: UInt32(id)))) }
    board.paint()
  }

  private func cursorAndTop() -> [Int] { [board.state.list.cursor, board.state.list.top] }

  @Test("A left click on a row selects it; clicks on an empty row or with another button do nothing")
  mutating func selects() {
    fill()
    board.click(4, 30)
    #expect(cursorAndTop() == [2, 0])
    board.click(6, 0)
    #expect(cursorAndTop() == [4, 0])
    for button in [MousePress.Button.middle, .right] { board.click(2, 30, button) }
    board = Board(rows: 9, columns: 80)
    board.update(.named("1 - x", 1))
    board.click(5, 30)
    #expect(cursorAndTop() == [0, 0] && board.effects == [])
  }

  @Test("A second click on the same match within 400 ms opens it; a later one does not")
  mutating func opens() {
    fill()
    board.click(3, 10)
    board.wait(BoardState.doubleClick + .milliseconds(1))
    board.click(3, 70)
    #expect(board.state.detail.pane == nil && board.state.clicked?.match == 2)
    board.click(4, 70)
    #expect(board.state.clicked?.match == 3)
    // The row has moved, so another match is under the second click.
    board.update(removed: [3])
    board.click(4, 70)
    #expect(board.state.detail.pane == nil && board.state.clicked?.match == 4)
    board.wait(BoardState.doubleClick)
    board.click(4, 10)
    #expect(board.state.detail.pane?.id == 4 && board.state.clicked == nil)
  }

  @Test("Beside the pane of another match, a double click opens the match of the row; on that match it does nothing")
  mutating func opensBesidePane() {
    board = Board(rows: 9, columns: 120)
    fill()
    board.openMatch(.named("1 - x", 1))
    for _ in 0..<2 {
      board.click(3, 10)
      board.click(3, 10)
      #expect(board.state.detail.pane?.id == 2)
    }
  }

  @Test("The wheel scrolls three rows; the cursor stays on its match while that is in view")
  mutating func wheel() {
    fill()
    let script: [(MousePress.Button, [Int])] = [
      (.wheelUp, [0, 0]), (.wheelDown, [3, 3]), (.wheelDown, [6, 6]), (.wheelDown, [7, 7]), (.wheelDown, [7, 7]),
      (.wheelUp, [7, 4]), (.wheelUp, [5, 1]), (.wheelUp, [4, 0]),
    ]
    for (step, (button, expected)) in script.enumerated() {
      board.click(4, 30, button)
      #expect(cursorAndTop() == expected, "step \(step)")
    }
    board = Board(rows: 9, columns: 80)
    board.click(4, 30, .wheelDown)
    #expect(cursorAndTop() == [0, 0])
  }

  @Test("The wheel scrolls an open overlay, and a click on it does nothing")
  mutating func overlays() {
    fill()
    board.type("?")
    board.click(4, 30, .wheelDown)
    #expect(board.isHelpOpen(scroll: 3))
    board.click(4, 30, .wheelUp)
    board.click(4, 30, .wheelUp)
    #expect(board.isHelpOpen(scroll: 0))
    board.click(4, 30)
    board.click(1, 30)
    #expect(cursorAndTop() == [0, 0] && board.isHelpOpen(scroll: 0))
    board.press(.escape)
    board.type("i")
    board.click(4, 30, .wheelDown)
    #expect(board.state.overlay?.scroll.first == 3)
  }

  @Test(
    "A click on a tab opens its channel, whether the tab shows its title or only its number",
    arguments: [80, 60, 40, 30, 20, 12], [Freshness.Grade.live, .locked])
  mutating func tabs(columns: Int, grade: Freshness.Grade) {
    board = Board(rows: 9, columns: columns)
    board.fill()
    board.updateFreshness(grade, connection: grade == .live ? .live : .connecting(attempt: 3))
    board.paint()
    for (index, title) in ["Live", "Football", "Tennis", "Basketball", "Next", "Popular"].enumerated() {
      let mark = " \(index + 1) "
      guard let at = board.line(0).firstRange(of: mark) else { continue }
      let column = board.line(0)[..<at.lowerBound].count
      var clicked = board
      clicked.click(0, column + 1)
      #expect(clicked.effects == (index == 0 ? [] : [board.open(index)]), "\(title) at \(columns)")
      // The last cell of the title, too, if the title is not shortened.
      guard let end = board.line(0).firstRange(of: "\(mark)\(title) ") else { continue }
      clicked = board
      clicked.click(0, board.line(0)[..<end.upperBound].count - 1)
      #expect(clicked.effects == (index == 0 ? [] : [board.open(index)]), "\(title) at \(columns)")
    }
    board.click(0, columns - 1)
    #expect(board.effects == [])
  }

  @Test("Clicks on tabs with wide characters hit the right tab")
  mutating func wideTabs() throws {
    let words = Catalog(.traditionalChinese)
    board = Board(rows: 9, columns: 120, channels: BoardChannel.standard(matches: 1, words: words), words: words)
    board.paint()
    let position = try #require(board.text.position(of: " 3 網球 "))
    board.click(0, position.column + 7)
    #expect(board.effects == [board.open(2)])
    board.click(0, position.column - 1)
    #expect(board.effects == [board.open(2), board.open(1)])
  }

  @Test("Clicks on a column title, or on the gap after it, hit the title")
  func titles() throws {
    let layout = Layout(size: Size(rows: 40, columns: 120))
    for placed in layout.columns.placed {
      for cell in placed.cells.lowerBound...placed.cells.upperBound {
        #expect(layout.key(ofTitleAt: cell) == placed.column)
      }
    }
    #expect(layout.key(ofTitleAt: layout.name.upperBound + 1) != .name && layout.key(ofTitleAt: -1) == nil)
    var board = Board(rows: 40, columns: 120)
    board.fill()
    let press = MousePress(row: 1, column: layout.name.lowerBound + 1)
    #expect(board.state.hitTarget(at: press, now: board.now) == .title(.name))
    board.type("i")
    #expect(board.state.hitTarget(at: press, now: board.now) == nil)
  }

  @Test("A click on a key's hint does what the key does", arguments: [GlyphSet.unicode, .ascii])
  mutating func hints(glyphs: GlyphSet) throws {
    for (hint, effect) in [("p freeze", nil), ("q quit", Effect.quit), ("? help", nil)] {
      board = Board(rows: 9, columns: 120, glyphs: glyphs)
      board.fill()
      board.paint()
      let position = try #require(board.text.position(of: hint))
      board.click(position.row, position.column + hint.count - 1)
      #expect(board.effects == (effect.map { [$0] } ?? []), "\(hint)")
    }
    #expect(board.isHelpOpen(scroll: 0))
    board = .recording(rows: 9, columns: 120, channels: 6, glyphs: glyphs)
    board.play(.seconds(20))
    board.paint()
    let jump = try #require(board.text.position(of: "10s"))
    board.click(jump.row, jump.column)
    #expect(board.effects == [])
    let freeze = try #require(board.text.position(of: "p freeze"))
    board.click(freeze.row, freeze.column)
    #expect(board.state.list.frozenChanges != nil)
    board.paint()
    let frozen = try #require(board.text.position(of: "FROZEN"))
    board.click(frozen.row, frozen.column)
    #expect(board.state.list.frozenChanges == nil)
  }

  @Test("A click on a hint of two keys, or on a message, does nothing")
  mutating func noHints() throws {
    fill()
    let rate = try #require(board.text.position(of: "+- "))
    board.click(rate.row, rate.column)
    board.type("T")
    board.paint()
    for column in 0..<80 { board.click(8, column) }
    #expect(board.effects == [])
  }

  @Test("M turns mouse input off and on, and shows a message")
  mutating func toggles() {
    #expect(board.state.inputModes == .mouse)
    board.type("M")
    #expect(board.state.inputModes == [])
    board.paint()
    #expect(board.line(8) == "Mouse off, the terminal selects text; press M to turn it on")
    board.type("M")
    #expect(board.state.inputModes == .mouse)
  }

  @Test("After clicks anywhere, at any size and with any overlay, the screen equals a full repaint")
  func anywhere() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<300 {
      var board = Board(
        rows: .random(in: 0...12, using: &random), columns: .random(in: 0...130, using: &random),
        glyphs: Bool.random(using: &random) ? .unicode : .ascii)
      if Bool.random(using: &random) { board.fill() }
      board.type(["", "?", "i", "$", "p", "M", "D", "L"].randomElement(using: &random)!)
      for _ in 0..<20 {
        let button = [MousePress.Button.left, .left, .middle, .right, .wheelUp, .wheelDown].randomElement(
          using: &random)!
        board.click(.random(in: 0...13, using: &random), .random(in: 0...131, using: &random), button)
        board.paint()
        #expect(board.text == view(board.state, now: board.now, glyphs: board.screen.glyphs).text)
      }
    }
  }
}
