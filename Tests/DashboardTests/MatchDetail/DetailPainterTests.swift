import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The cost of painting the pane of a match.
struct DetailPainterTests {
  private func opened(_ rich: RichMatch, rows: Int = 40, columns: Int = 120) -> Board {
    var board = Board(rows: rows, columns: columns)
    board.fill()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.paint()
    // After the highlights, and after the changes over a minute have been shown.
    board.wait(.seconds(61))
    board.paint()
    return board
  }

  @Test(
    "A price change repaints its row, and what differs in the margin and the fair prices", arguments: [4, 1000])
  func onePrice(totals: Int) {
    var rich = RichMatch(totals: totals)
    var board = opened(rich)
    let line = board.text.split(separator: "\n").firstIndex { $0.contains("Over") && $0.contains("1.25") }!
    rich.updates = [FeedText.odds(100_007, "1.26")]
    board.updateMatch(rich.match)
    let damage = board.paint()
    #expect(damage.map(\.row) == [line - 1, line, line + 1], "\(damage)")
    #expect(damage.allSatisfy { $0.columns.lowerBound >= 60 && $0.columns.count < 40 })
    #expect(board.paint().isEmpty)
  }

  @Test("A change outside the visible rows paints nothing")
  func outOfView() {
    var rich = RichMatch(totals: 1000)
    var board = opened(rich)
    rich.updates = [FeedText.odds(100_907, "1.99")]
    board.updateMatch(rich.match)
    #expect(board.paint().isEmpty)
    board.updateMatch(rich.match)
    #expect(board.paint().isEmpty)
  }

  @Test("A painted price change is counted")
  func counted() {
    var rich = RichMatch()
    var board = opened(rich)
    rich.result[1] = "3.2"
    board.updateMatch(rich.match)
    _ = board.state.reduce(.frameDue, now: board.now)
    #expect(board.painter.draw(board.state, now: board.now, whole: false).report.changes == 1)
  }

  @Test(
    "Without updates nothing is painted before the next deadline",
    arguments: [nil, .delayedAccess] as [Freshness.Cause?])
  func quiet(cause: Freshness.Cause?) {
    var rich = RichMatch()
    var board = opened(rich)
    rich.result[2] = "2.8"
    board.updateMatch(rich.match, grade: cause?.grade ?? .live, cause: cause)
    board.paint()
    var painted = 0
    for _ in 0..<150 {
      let own = board.painter.nextDeadline
      let next = min(own ?? .seconds(1_000_000), board.state.nextDeadline(after: board.now))
      #expect(next > board.now.uptime)
      let before = board.now
      board.wait((next - board.now.uptime) * 0.999)
      #expect(board.paint().isEmpty, "\(before.uptime) to \(next)")
      board.now = before
      board.wait(next - before.uptime)
      painted += board.paint().reduce(0) { $0 + $1.columns.count }
    }
    // The line of the chart grows to the left, a cell at a time, until it fills the chart.
    #expect(painted < 3000, "\(painted)")
  }

  @Test("Incremental painting shows the same screen as a full repaint")
  func law() {
    let keys: [Key] = [
      .enter, .enter, .enter, .down, .up, .end, .home, .pageDown, .escape, .character("?"), .character("p"),
      .character("t"), .character("["), .character("]"), .character("2"), .character(","), .character(","),
      .character("."), .character("<"), .character(">"),
    ]
    for seed in 0..<16 {
      var random = SeededRandom(seed: UInt64(seed))
      var board = Board(rows: 22, columns: seed % 2 == 0 ? 130 : 80, glyphs: seed % 3 == 0 ? .ascii : .unicode)
      board.fill()
      for step in 0..<70 {
        switch Int.random(in: 0..<12, using: &random) {
        case 0, 1:
          board.press(keys.randomElement(using: &random)!)
          if let id = board.state.detail.pane?.id, board.state.detail.pane?.hasTopic == nil {
            _ = board.state.reduce(
              .matchOpened(id, known: .football(Int(id.raw)), hasTopic: Bool.random(using: &random)), now: board.now)
          }
        case 2:
          board.resize(
            rows: Int.random(in: 0...45, using: &random), columns: Int.random(in: 0...200, using: &random))
        case 3: board.updateFreshness(Freshness.Grade.allCases.randomElement(using: &random)!)
        case 4: board.updateMatch(grade: Freshness.Grade.allCases.randomElement(using: &random)!)
        case 5: board.updateMatch(removed: [100])
        case 6, 7: board.wait(.milliseconds(Int.random(in: 0...90_000, using: &random)))
        default:
          var rich = RichMatch(totals: Int.random(in: 0...30, using: &random))
          rich.id = Int.random(in: 1...3, using: &random) * 100
          rich.result = (0..<3).map { _ in
            "\(Int.random(in: 1...9, using: &random)).\(Int.random(in: 0...99, using: &random))"
          }
          if Bool.random(using: &random) { board.updateMatch(rich.match) } else { board.update(rich.match) }
        }
        board.paint()
        let isSame = board.screen.content == view(board.state, now: board.now, glyphs: board.screen.glyphs)
        #expect(isSame, "seed \(seed), step \(step)")
      }
    }
  }
}
