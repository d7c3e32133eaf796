import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Golden texts of the match pane, in `Golden/`. RECORD=1 rewrites them.
struct DetailGoldenTests {
  /// A board with a match open for twelve minutes: its price moved, and was suspended for two of them.
  private func opened(
    rows: Int, columns: Int, glyphs: GlyphSet = .unicode, words: Catalog = .english, rich: RichMatch = RichMatch(),
    steps: Int = 72
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: words)
    board.fill()
    board.paint()
    var rich = rich
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    for step in 0..<steps {
      board.wait(.seconds(10))
      rich.result[0] = "2.\(45 + (step * 7) % 23 - step / 6)"
      rich.updates = 30..<42 ~= step ? [FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)] : []
      board.updateMatch(rich.match)
      board.update(rich.match)
      board.paint()
    }
    return board
  }

  @Test("The pane has its golden text", arguments: [(24, 80), (40, 120), (60, 200), (10, 40), (5, 20), (1, 1), (2, 7)])
  func sizes(rows: Int, columns: Int) {
    opened(rows: rows, columns: columns).expectGolden("detail-\(columns)x\(rows)")
  }

  @Test("The pane has its golden text in monochrome", arguments: [(24, 80), (30, 120), (10, 40)])
  func monochrome(rows: Int, columns: Int) {
    opened(rows: rows, columns: columns).expectMonochrome("detail-\(columns)x\(rows)")
  }

  @Test("In ASCII, the pane has its golden text beside the rows and over them", arguments: [(24, 80), (30, 120)])
  func ascii(rows: Int, columns: Int) {
    opened(rows: rows, columns: columns, glyphs: .ascii).expectGolden("detail-ascii-\(columns)x\(rows)")
  }

  @Test(
    "In French and Chinese, the pane has its golden text", arguments: [Language.french, .traditionalChinese],
    [(24, 80), (30, 120), (10, 40), (5, 20)])
  func languages(language: Language, size: (rows: Int, columns: Int)) {
    let board = opened(rows: size.rows, columns: size.columns, words: Catalog(language))
    board.expectGolden("\(language.rawValue)-detail-\(size.columns)x\(size.rows)")
  }

  @Test("The end of a pane with a thousand markets has its golden text")
  func thousand() {
    var board = opened(rows: 24, columns: 80, rich: RichMatch(totals: 999), steps: 3)
    board.press(.end)
    board.expectGolden("detail-thousand-80x24")
  }

  @Test("Suspended prices, suspended and closed markets and a name that is too long have their golden text")
  func suspended() {
    var rich = RichMatch(name: "北京国安足球俱乐部 - Brighton & Hove Albion Women U21 Development Squad")
    var board = opened(rows: 24, columns: 80)
    rich.updates = [
      FeedText.change("BETTING_OFFER", 122, #""statusId":"7""#),
      FeedText.change("BETTING_OFFER", 123, #""statusId":"6""#),
      FeedText.change("MARKET", 100_000, #""isAvailable":false"#),
      FeedText.change("MARKET", 100_010, #""isClosed":true"#),
    ]
    board.updateMatch(rich.match)
    board.paint()
    board.expectGolden("detail-suspended-80x24")
  }

  @Test("Without data, loading, refused, locked, gone, and without its own topic, the pane has its golden text")
  func states() {
    var board = Board(rows: 16, columns: 80)
    board.fill()
    board.press(.enter)
    board.expectGolden("detail-empty-80x16")
    board.press(.enter)
    board.openMatch(.football())
    board.expectGolden("detail-loading-80x16")
    board.updateMatch(
      grade: .locked,
      topic: .refused(FeedError("the feed refuses '/sports/1/en/100/match-odds'", remedy: "check its token")),
      isLoaded: false)
    board.expectGolden("detail-refused-80x16")
    board.updateMatch(RichMatch().match)
    board.updateMatch(grade: .locked)
    board.expectGolden("detail-locked-80x16")
    board.updateMatch(removed: [100])
    board.expectGolden("detail-gone-80x16")
    board.press(.enter)
    board.openMatch(.football(), hasTopic: false)
    board.expectGolden("detail-channel-80x16")
  }

  @Test("The trend of the favourite's price has its golden text in the rows", arguments: [GlyphSet.unicode, .ascii])
  func trend(glyphs: GlyphSet) {
    var board = Board(rows: 8, columns: 200, glyphs: glyphs)
    board.fill()
    for step in 0..<50 {
      board.wait(.seconds(3))
      board.update(.football(odds: ["1.\(50 + (step * 13) % 29 + step / 2)", "3.1", "2.9"]))
      if step % 9 == 0 {
        board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.\(70 - step)", "4", "6.25"]))
      }
    }
    board.wait(.seconds(2))
    board.paint()
    board.expectGolden(glyphs == .ascii ? "trend-ascii-200x8" : "trend-200x8")
  }
}
