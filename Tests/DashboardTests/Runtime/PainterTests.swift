import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct PainterTests {
  @Test("Incremental painting shows the same screen as a full repaint")
  func law() {
    let keys: [Key] = [
      .down, .up, .end, .home, .pageDown, .character("t"), .character("p"), .character("?"), .escape,
      .character("i"), .character("2"),
    ]
    for seed in 0..<40 {
      var random = SeededRandom(seed: UInt64(seed))
      var board = Board(rows: 12, columns: 90)
      board.fill()
      for step in 0..<120 {
        switch Int.random(in: 0..<11, using: &random) {
        case 0: board.press(keys.randomElement(using: &random)!)
        case 1: board.update(removed: [MatchID(integerLiteral: UInt32.random(in: 1...9, using: &random) * 100)])
        case 2:
          board.resize(
            rows: Int.random(in: 0...30, using: &random), columns: Int.random(in: 0...200, using: &random))
        case 6: board.receiveHealth(.sample(messages: step), answering: board.state.lastRequestID)
        case 3: board.updateFreshness(Freshness.Grade.allCases.randomElement(using: &random)!)
        case 4, 5: board.wait(.milliseconds(Int.random(in: 0...3000, using: &random)))
        default:
          let odds = (0..<3).map { _ in
            "\(Int.random(in: 1...9, using: &random)).\(Int.random(in: 0...99, using: &random))"
          }
          board.update(.football(Int.random(in: 1...9, using: &random) * 100, odds: odds))
        }
        board.paint()
        #expect(board.screen.content == view(board.state, now: board.now), "seed \(seed), step \(step)")
      }
    }
  }

  @Test("Without updates nothing is painted before the next deadline")
  func quiet() {
    var board = Board()
    board.fill()
    board.paint()
    for _ in 0..<200 {
      let next = board.state.nextDeadline(after: board.now)
      #expect(next > board.now.uptime)
      let before = board.now
      board.wait((next - board.now.uptime) * 0.99)
      #expect(board.paint().isEmpty)
      board.now = before
      board.wait(next - before.uptime)
      board.paint()
    }
  }

  @Test("Counters return to zero, because a frame that shows nothing else is not counted")
  func countersRest() {
    var board = Board()
    board.fill()
    for _ in 0..<5 {
      _ = board.state.reduce(.frameDue, now: board.now)
      let (_, report) = board.painter.draw(board.state, now: board.now, whole: false)
      _ = board.state.reduce(.painted(report), now: board.now)
      board.wait(.seconds(1))
    }
    #expect(board.state.statusBar.meters.rates == Meters.Rates())
    #expect(board.state.statusBar.meters.nextDeadline == nil)
    // The next minute of the clock does not start them again.
    board.wait(.seconds(60))
    #expect(board.painter.draw(board.state, now: board.now, whole: false).report.isStatusOnly)
  }

  @Test("The damage view highlights repainted rows for a short time")
  func damageView() {
    var board = Board()
    board.fill()
    board.type("D")
    board.paint()
    board.wait(.seconds(1))
    board.paint()
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    func lit() -> [Int] {
      board.screen.content.rows.indices.filter {
        board.screen.content.rows[$0].cells.contains { $0.style.ground == .damaged }
      }
    }
    #expect(lit() == [2])
    board.wait(BoardPainter.damageLength)
    board.paint()
    #expect(lit() == [])
  }

  @Test("Painted changes are counted by price")
  func changes() {
    var board = Board()
    board.fill()
    board.paint()
    board.update(.football(odds: ["2.5", "3.1", "2.8"]))
    _ = board.state.reduce(.frameDue, now: board.now)
    #expect(board.painter.draw(board.state, now: board.now, whole: false).report.changes == 2)
  }
}
