import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

@Suite("Odds in other formats")
struct OddsTests {
  @Test("o switches every price to the next format, shows its name, and returns to decimal")
  func key() {
    var board = Board(rows: 8, columns: 80)
    board.update(.football(odds: ["2.45", "3.10", "1.5"]))
    board.paint()
    for (name, prices) in [
      ("fractional", ["6/4", "85/40", "1/2"]), ("American", ["+145", "+210", "-200"]),
      ("Hong Kong", ["1.45", "2.10", "0.50"]), ("Malay", ["-0.69", "-0.48", "0.50"]),
      ("Indonesian", ["1.45", "2.10", "-2.00"]), ("implied probability", ["40.8%", "32.3%", "66.7%"]),
      ("decimal", ["2.45", "3.10", "1.50"]),
    ] {
      board.type("o")
      board.paint()
      #expect(board.line(7) == "Odds: \(name)")
      let words = board.line(2).split(separator: " ").map(String.init)
      #expect(prices.allSatisfy(words.contains), "\(name): \(board.line(2))")
    }
  }

  @Test("A price change is highlighted only as far as the formatted text differs")
  func flash() {
    var board = Board(rows: 8, columns: 80)
    board.type("o")
    board.update(.football(odds: ["2.45", "3.10", "2.9"]))
    board.paint()
    board.update(.football(odds: ["2.47", "3.10", "2.9"]))
    #expect(!board.paint().contains { $0.row == 2 })
    board.update(.football(odds: ["3.25", "3.10", "2.9"]))
    board.paint()
    let highlighted = board.screen.content.rows[2].cells.filter { $0.style.role == .rising }
    #expect(String(String.UnicodeScalarView(highlighted.compactMap { Unicode.Scalar($0.scalar) })) == "9/4▲")
  }

  @Test(
    "A price takes seven cells at most",
    arguments: OddsFormat.allCases,
    [10_000_000, 10_000_001, 10_100_000, 19_900_000, 20_000_000, 99_999_999, 10_000_000_000, 10_000_000_000_000])
  func width(format: OddsFormat, units: Int64) {
    let text = "\(ShortText(DecimalOdds(units: units), format))"
    #expect(1...ShortText.priceWidth ~= text.count, "\(text)")
  }
}
