import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Values of hidden columns neither repaint a row nor count as changed prices.
struct HiddenColumnTests {
  private func board(_ columns: [BoardColumn]) -> Board {
    var board = Board(rows: 10, columns: 120)
    board.state.settings.columns = columns.map { ChosenColumn($0) }
    board.update(.football())
    board.paint()
    board.wait(.seconds(30))
    board.paint()
    return board
  }

  private func content(_ board: Board) -> RowContent {
    board.state.rowContent(2, board.state.layout, nil, now: board.now)
  }

  @Test("A change of a price without a column does not repaint the row")
  func prices() {
    var board = board([.name, .tournament])
    let before = content(board)
    board.update(.football(odds: ["2.6", "3.3", "2.7"]))
    #expect(content(board) == before)
    let (damage, report) = board.painter.draw(board.state, now: board.now, whole: false)
    #expect(!damage.contains { $0.row == 2 } && report.changes == 0)
  }

  @Test("Only changes of visible prices count, and showing a column counts as none")
  func some() {
    var board = board([.name, .home])
    board.update(.football(odds: ["2.6", "3.3", "2.7"]))
    #expect(board.painter.draw(board.state, now: board.now, whole: false).report.changes == 1)
    board.state.settings.columns = []
    #expect(board.painter.draw(board.state, now: board.now, whole: false).report.changes == 0)
  }

  @Test("Rows sorted by fair price follow the printed prices, also after :fair changes the method")
  func fairOrder() {
    var random = SeededRandom(seed: 3)
    var board = Board(rows: 44, columns: 120)
    for id in 1...40 {
      let odds = [Int64.random(in: 110...230, using: &random), 320, Int64.random(in: 250...600, using: &random)]
      board.update(.football(100 * id, odds: odds.map { "\(DecimalOdds(units: $0 * 100_000))" }))
    }
    board.state.settings.columns = [ChosenColumn(.name), ChosenColumn(.fair)]
    _ = board.state.sort(by: RowOrder(.fair), now: board.now)
    var orders: [[MatchID]] = []
    for method in ["proportional", "power", "proportional"] {
      board.type(":fair \(method)")
      board.press(.enter)
      board.paint()
      let printed = (0..<40).map { line in
        board.line(line + 2).split(separator: " ").compactMap { Double($0) }.suffix(3).min() ?? 0
      }
      #expect(printed == printed.sorted() && printed[0] > 1, "\(method)")
      orders.append((0..<40).map { board.state.list.rows[$0].id })
    }
    #expect(orders[0] != orders[1] && orders[0] == orders[2])
  }

  @Test("Fair prices follow the method, and are absent while a price is suspended or the connection is locked")
  func fair() {
    var board = board([.name, .fair])
    // 1 / 2.45 + 1 / 3.10 + 1 / 2.90 = 1.0756
    #expect(board.line(2).contains("2.64    3.33    3.12"))
    board.state.settings.marginMethod = .power
    board.paint()
    #expect(!board.line(2).contains("2.64    3.33    3.12") && board.line(2).contains("2.6"))
    board.state.settings.marginMethod = .proportional
    board.updateFreshness(.locked)
    board.paint()
    #expect(!board.line(2).contains("2.6"))
    board.updateFreshness(.live)
    board.update(.football(then: FeedText.change("BETTING_OFFER", 122, #""statusId":"7""#)))
    board.paint()
    #expect(!board.line(2).contains("2.6"))
  }
}
