import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Prices that may be out of date although their channel is live: their market awaits its image, or their match is
/// over.
struct DoubtfulPriceTests {
  private var board = Board(rows: 40, columns: 120)

  private mutating func open(_ match: Match) {
    board.update(match)
    board.openMatch(match, hasTopic: false)
    board.paint()
  }

  /// Returns the rows of the pane's list with a price.
  private func rows(with price: String) -> [String] {
    let list = DetailLayout(board.state.layout, hasNotice: true).list
    return list.map { board.paintedPane()[$0] }.filter { $0.contains(price) }
  }

  @Test("A price of another market that awaits its image is marked in the pane and in a copy; those of others are not")
  mutating func otherMarket() {
    open(.exchange(20, awaiting: [2]))
    let rows = rows(with: " 2.00")
    #expect(rows.count == 2 && rows[0].contains(" 2.00 ") && rows[1].contains(" 2.00?"), "\(rows)")
    board.type("y")
    board.press(.down, .down)
    board.type("y")
    #expect(board.copied.map { $0.suffix(5) } == [" 2.00", "2.00?"])
    board.update(.exchange(20))
    board.paint()
    #expect(self.rows(with: " 2.00 ").count == 2)
  }

  @Test("The prices of a match whose main market awaits its image are marked in its row, too")
  mutating func mainMarket() {
    board.update(.exchange(20, awaiting: [1]))
    board.paint()
    #expect(board.line(2).contains(" 2.00?") && board.line(2).contains(" 1.80?"))
    open(.exchange(20, awaiting: [1]))
    #expect(rows(with: " 2.00?").count == 2)
    board.update(.exchange(20))
    board.paint()
    #expect(rows(with: " 2.00 ").count == 2 && rows(with: "?").isEmpty)
  }

  @Test("The change over a minute is blank until the price is known for a minute after the image of its market")
  mutating func recentMove() {
    board.type(":columns name 1m")
    board.press(.enter)
    board.update(.exchange(15))
    board.wait(.seconds(70))
    board.update(.exchange(15, awaiting: [1]))
    board.wait(.seconds(120))
    board.update(.exchange(12))
    board.paint()
    #expect(board.line(2).hasSuffix("Porto"), "\(board.line(2))")
    board.wait(.seconds(60))
    board.paint()
    #expect(board.line(2).hasSuffix(" 0.0"), "\(board.line(2))")
  }

  @Test("The prices of a match that is over are marked in the pane and in a copy, even if its offers remain")
  mutating func over() {
    open(.football(then: FeedText.change("MATCH", 100, #""statusId":"3""#)))
    #expect(rows(with: " 2.45?").count == 1)
    board.type("y")
    #expect(board.copied.last?.hasSuffix(" 2.45?") == true)
  }
}
