import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct FlashTests {
  private var board = Board()

  private func highlighted() -> String {
    board.screen.content.rows[2].cells.filter { $0.style.role == .rising || $0.style.role == .falling }
      .map { String(Character(Unicode.Scalar($0.scalar)!)) }.joined()
  }

  init() {
    board.fill()
    board.paint()
  }

  @Test(
    "Only the digits that changed are highlighted, with an arrow, for a second",
    arguments: [
      ("2.47", "7▲"), ("2.44", "4▼"), ("2.55", "55▲"), ("3.45", "3.45▲"), ("12.45", "12.45▲"), ("2.450001", ""),
    ])
  mutating func digits(odds: String, expected: String) {
    board.update(.football(odds: [odds, "3.1", "2.9"]))
    board.paint()
    #expect(highlighted() == expected)
    board.wait(.milliseconds(999))
    board.paint()
    #expect(highlighted() == expected)
    board.wait(.milliseconds(1))
    #expect(board.paint().count <= 1)
    #expect(highlighted() == "")
  }

  @Test("A new price repaints only its own columns of its row")
  mutating func damage() {
    board.update(.football(odds: ["2.47", "3.1", "2.9"]))
    let damage = board.paint()
    #expect(damage.map(\.row) == [2])
    #expect(damage.allSatisfy { $0.columns.count < 40 })
    #expect(board.paint().isEmpty)
  }

  @Test("A change of a value that the row does not show repaints nothing")
  mutating func invisible() {
    board.update(.football(then: FeedText.change("BETTING_OFFER", 121, #""lastChangedTime":1750752000001"#)))
    #expect(board.paint().isEmpty)
  }

  @Test("A suspended price shows no number, and flashes when it returns with another price")
  mutating func suspension() {
    board.update(.football(then: FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)))
    board.paint()
    #expect(board.line(2).contains("susp"))
    #expect(!board.line(2).contains("2.45"))
    board.update(.football(odds: ["2.4", "3.1", "2.9"]))
    board.paint()
    #expect(highlighted() == "0▼")
  }

  @Test(
    "A withdrawn price and a price of a closed market are shown as a dash",
    arguments: [
      FeedText.change("BETTING_OFFER", 121, #""isAvailable":false,"statusId":"4""#),
      FeedText.change("MARKET", 110, #""isClosed":true"#),
    ])
  mutating func closed(update: String) {
    board.update(.football(then: update))
    board.paint()
    #expect(board.line(2).contains(" - "))
    #expect(!board.line(2).contains("2.45"))
  }

  @Test("The age of the last change is shown in steps, and a change resets it")
  mutating func age() {
    func age() -> String { String(board.line(2).suffix(4)).split(separator: " ").last.map(String.init) ?? "" }
    board.update(.football(odds: ["2.47", "3.1", "2.9"]))
    for (wait, expected) in [(14, ""), (1, "15s"), (14, "15s"), (1, "30s"), (30, "1m"), (3540, "1h"), (90000, "1d")] {
      board.wait(.seconds(wait))
      board.paint()
      #expect(board.line(2).hasSuffix(expected), "\(wait): \(board.line(2))")
    }
    board.update(.football(odds: ["2.49", "3.1", "2.9"]))
    board.paint()
    #expect(!board.line(2).hasSuffix("d"))
  }

  @Test("The prices of another main market show no arrow, and their age is that of their last change")
  mutating func otherMarket() {
    func changed(_ offer: Int, _ time: Int) -> String {
      FeedText.change("BETTING_OFFER", offer, #""lastChangedTime":\#(time)"#)
    }
    board.update(.football(odds: ["2.47", "3.1", "2.9"], then: changed(121, 1_750_752_000_000)))
    let other = [FeedText.otherMarket(odds: "1.8"), changed(301, 1_750_751_940_000)]
    board.update(.football(odds: ["2.47", "3.1", "2.9"], then: other.joined(separator: ",")))
    board.paint()
    #expect(board.line(2).contains("1.80") && highlighted() == "")
    #expect(board.line(2).hasSuffix(" 1m"))
  }

  @Test("The margin is updated at once, and then at most once a second")
  mutating func margin() {
    let columns = Layout(size: board.state.size).columns[.margin]
    func margin() -> String { String(Array(board.line(2))[columns.clamped(to: 0..<board.line(2).count)]) }
    let first = margin()
    board.wait(.seconds(2))
    board.update(.football(odds: ["2.3", "3.1", "2.9"]))
    board.paint()
    let second = margin()
    #expect(second != first)
    board.update(.football(odds: ["2.2", "3.1", "2.9"]))
    board.paint()
    #expect(margin() == second)
    board.wait(.seconds(1))
    board.paint()
    #expect(margin() != second)
  }

  @Test("In an ASCII terminal arrows are ^ and v")
  func ascii() {
    var board = Board(glyphs: .ascii)
    board.fill()
    board.update(.football(odds: ["2.47", "3.1", "2.8"]))
    board.paint()
    #expect(board.line(2).contains("2.47^"))
    #expect(board.line(2).contains("2.80v"))
  }
}
