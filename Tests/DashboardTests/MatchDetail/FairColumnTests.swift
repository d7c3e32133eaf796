import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("The column of fair prices")
struct FairColumnTests {
  private func opened(_ rich: RichMatch, columns: Int = 80) -> Board {
    var board = Board(rows: 24, columns: columns)
    board.fill()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.paint()
    return board
  }

  /// Returns the words of the first row that has a text.
  private func words(_ board: Board, _ text: String) -> [String] {
    let row = board.text.split(separator: "\n").first { $0.contains(text) } ?? ""
    return row.split(separator: " ").map(String.init)
  }

  @Test("Each price has the fair price beside it, in the current odds format")
  func column() {
    var board = opened(RichMatch(result: ["2", "2.5", "5"]))
    #expect(words(board, "OUTCOME")[1...2] == ["PRICE", "FAIR"])
    #expect(words(board, " home")[2...3] == ["2.00", "2.20"])
    #expect(words(board, " draw")[1...2] == ["2.50", "2.75"])
    board.type("o")
    board.paint()
    #expect(words(board, " draw")[1...2] == ["6/4", "7/4"])
  }

  @Test("A market with a suspended outcome has no fair prices; other markets keep theirs")
  func suspended() {
    var rich = RichMatch(result: ["2", "2.5", "5"])
    rich.updates = [FeedText.change("BETTING_OFFER", 122, #""statusId":"7""#)]
    let board = opened(rich)
    #expect(words(board, " home")[2] == "2.00" && !words(board, " home").contains("2.20"))
    #expect(words(board, " Over")[1...2] == ["1.25", "1.42"])
  }

  @Test("Prices that may be out of date have no fair price", arguments: [Freshness.Grade.locked, .closed])
  func untrusted(grade: Freshness.Grade) {
    var board = opened(RichMatch(result: ["2", "2.5", "5"]))
    board.updateMatch(grade: grade)
    board.paint()
    #expect(!board.text.contains("2.20") && !board.text.contains("1.42"))
  }

  @Test(":fair chooses the method")
  func method() {
    var board = opened(RichMatch(result: ["2", "2.5", "5"]))
    board.type(":fair power")
    board.press(.enter)
    board.paint()
    let expected = FairPrices(RichMatch(result: ["2", "2.5", "5"]).match.mainMarket!, .power)!
    let text = "\(ShortText(expected.odds(ofOutcomeAt: 0)!))"
    #expect(text != "2.20" && words(board, " home")[2...3] == ["2.00", text])
    board.type(":fair odd")
    board.press(.enter)
    #expect(board.state.promptBar.prompt?.error != nil && board.state.settings.marginMethod == .power)
  }

  @Test("A narrow screen leaves the column out")
  func narrow() {
    #expect(!opened(RichMatch(), columns: 40).text.contains("FAIR"))
  }
}
