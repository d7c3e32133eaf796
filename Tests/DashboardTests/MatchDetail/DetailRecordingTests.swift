import Localization
import OddsFeed
import OddsHistory
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The match pane with recorded prices.
struct DetailRecordingTests {
  private let home = Dashboard.OutcomeKey(market: 110, outcome: 111)

  private func opened(
    rows: Int = 40, columns: Int = 120, words: Catalog = .english, glyphs: GlyphSet = .unicode
  ) -> Board {
    var board = Board(rows: rows, columns: columns, glyphs: glyphs, words: words, readsHistory: true)
    board.fill()
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.paint()
    return board
  }

  /// Prices from two hours to one hour ago and, after a gap, from the last ten minutes.
  private func record(_ board: Board, closing: Bool = false) -> OutcomeRecord {
    let now = board.now.wall
    var steps: [PriceSeries.Step] = []
    func add(_ secondsAgo: Int64, _ state: PriceSeries.State, _ hundredths: Int64) {
      steps.append(
        PriceSeries.Step(
          time: now - secondsAgo * 1000, state: state, odds: DecimalOdds(units: hundredths * 100_000)))
    }
    for minute in Int64(0)..<60 { add(7200 - minute * 60, .live, 210 + minute * 7 % 31) }
    add(3600, .unknown, 230)
    for second in Int64(0)..<300 { add(600 - second, .live, 230 + second * 13 % 17) }
    add(300, .suspended, 240)
    add(200, .live, 245)
    let series = PriceSeries(steps: steps)
    let live = series.steps.filter { $0.state == .live }
    return OutcomeRecord(
      series: series, opening: DecimalOdds(units: 20_000_000),
      closing: closing ? live.last { $0.time < now - 400_000 }?.odds : nil, last: live.last?.odds)
  }

  private func read(
    _ board: inout Board, of outcome: Dashboard.OutcomeKey? = nil, closing: Bool = false, number: Int? = nil
  ) {
    let request = PriceRequest(
      number: number ?? board.state.detail.recording.number, match: 100, outcome: outcome ?? home, begin: 0,
      epoch: board.state.detail.pane?.wall(of: 0) ?? 0)
    board.send(.pricesRead(RecordedPrices(record(board, closing: closing), for: request)))
    board.paint()
  }

  private func title(_ board: Board) -> String {
    DetailLayout(board.state.layout, hasNotice: board.state.detail.pane?.notice != nil).chartTitle.map {
      board.paintedPane()[$0]
    } ?? ""
  }

  private func requests(_ board: Board) -> [OutcomeID] {
    board.effects.compactMap { if case .readPrices(let request) = $0 { request.outcome.outcome } else { nil } }
  }

  @Test("After a jump in a recording only the answer to the newest request is used, in any order of arrival")
  func answersAfterJump() {
    var board = opened()
    board.play(.seconds(100))
    let old = board.state.detail.recording.number
    board.play(.seconds(40), jumps: 1)
    #expect(board.state.detail.recording.number == old + 1)
    read(&board, number: old)
    #expect(board.state.detail.recording.prices == nil)
    read(&board)
    #expect(board.state.detail.recording.prices?.request.number == old + 1)
    read(&board, of: OutcomeKey(market: 110, outcome: 112), number: old)
    #expect(board.state.detail.recording.prices?.request.number == old + 1)
  }

  @Test("The prices of the selected outcome are read once, again after half an hour, and when the match is gone")
  func requests() {
    var board = opened()
    board.updateMatch(RichMatch().match)
    board.effects = []
    board.press(.down, .up)
    #expect(requests(board).count == 2 && requests(board).last == home.outcome, "\(requests(board))")
    board.effects = []
    board.wait(.seconds(1700))
    board.paint()
    #expect(requests(board).isEmpty)
    board.wait(.seconds(200))
    board.send(.frameDue)
    #expect(requests(board).count == 1)
    board.effects = []
    board.send(
      .matchUpdated(ChannelUpdate(removed: [100], freshness: Freshness(.live, since: board.now.wall))))
    #expect(requests(board).count == 1)
  }

  @Test("A board without a history requests no recorded prices")
  func off() {
    var board = Board(rows: 40, columns: 120)
    board.fill()
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.wait(.seconds(4000))
    board.paint()
    #expect(requests(board).isEmpty && board.state.detail.recording.combined == nil)
  }

  @Test("Prices of another outcome than the selected one are not shown")
  func late() {
    var board = opened()
    read(&board, of: Dashboard.OutcomeKey(market: 110, outcome: 113))
    #expect(board.state.detail.recording.prices == nil)
  }

  @Test("OPEN% counts from the recorded opening price, which the chart's title shows")
  func opening() {
    var board = opened()
    read(&board)
    #expect(title(board).contains("opening 2.00"))
    #expect(board.paintedPane().contains { $0.contains("▸") && $0.contains("2.45") && $0.contains("22.5") })
  }

  @Test("The pane of a match that is gone keeps the chart, with closing and last prices but no live price")
  func gone() {
    var board = opened()
    read(&board, closing: true)
    #expect(!title(board).contains("closing"))
    board.updateMatch(removed: [100])
    board.update(removed: [100])
    board.paint()
    read(&board, closing: true)
    #expect(title(board).contains("—") && title(board).contains("closing 2."), "\(title(board))")
    #expect(title(board).contains("last 2.45"))
  }

  @Test("The pane of a match that is gone keeps the recorded opening price, of each outcome that is selected")
  func openingOfGone() {
    var board = opened()
    read(&board)
    board.updateMatch(removed: [100])
    board.update(removed: [100])
    read(&board)
    board.send(.openingsRead(OpeningBatch(gone: [100])))
    board.paint()
    #expect(title(board).contains("opening 2.00"), "\(title(board))")
    board.press(.down)
    read(&board, of: Dashboard.OutcomeKey(market: 110, outcome: 112))
    board.send(.openingsRead(OpeningBatch(gone: [100])))
    board.paint()
    #expect(title(board).contains("opening 2.00"), "\(title(board))")
  }

  @Test("When a match ends, its recorded prices are read again; its last price is the one on the board")
  func ended() {
    var board = opened()
    read(&board)
    var rich = RichMatch()
    rich.result[0] = "1.01"
    board.wait(.seconds(60))
    board.updateMatch(rich.match)
    board.wait(.seconds(10))
    board.effects = []
    rich.updates = [FeedText.change("MATCH", 100, #""statusId":"3""#)]
    board.send(
      .matchUpdated(ChannelUpdate(changed: [rich.match], freshness: Freshness(.live, since: board.now.wall))))
    #expect(requests(board).count == 1)
    read(&board, closing: true)
    #expect(title(board).contains("closing 2.") && title(board).contains("last 1.01"), "\(title(board))")
  }

  @Test("The chart of recorded prices has its golden text", arguments: [(24, 80), (40, 120), (60, 200)])
  func pictures(rows: Int, columns: Int) {
    var board = opened(rows: rows, columns: columns)
    read(&board)
    let frames = ["", "<", "<", "<", "<"].map { key in
      board.type(key)
      board.paint()
      return view(board.state, now: board.now, glyphs: board.screen.glyphs).text
    }
    let text = frames.joined(separator: "\n")
    #expect(text == Golden.text("detail-recorded-\(columns)x\(rows)", recording: text))
  }

  @Test(
    "A match that is gone has its golden text in each language, and on a large screen",
    arguments: [
      (Language.english, 24, 80), (.french, 24, 80), (.traditionalChinese, 24, 80), (.english, 60, 200),
    ])
  func languages(language: Language, rows: Int, columns: Int) {
    var board = opened(rows: rows, columns: columns, words: Catalog(language))
    board.updateMatch(removed: [100])
    read(&board, closing: true)
    let text = view(board.state, now: board.now, glyphs: board.screen.glyphs).text
    #expect(text == Golden.text("\(language.rawValue)-detail-gone-\(columns)x\(rows)", recording: text))
  }

  @Test("Candles have their golden text in ASCII")
  func ascii() {
    var board = opened(glyphs: .ascii)
    read(&board)
    board.type("<")
    board.paint()
    let text = view(board.state, now: board.now, glyphs: board.screen.glyphs).text
    #expect(text == Golden.text("detail-recorded-ascii-120x40", recording: text))
  }
}
