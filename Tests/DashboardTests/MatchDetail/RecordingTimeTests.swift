import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The price history of a recording, in the recording's own time.
struct RecordingTimeTests {
  private var board = Board(
    rows: 40, columns: 120, rate: nil, channels: Array(BoardChannel.standard(matches: 100)[..<1]), feedName: "r.jsonl")

  private let home = OutcomeKey(market: 110, outcome: 111)

  /// Plays the given seconds of the recording in steps of a tenth of a second.
  private mutating func play(
    _ seconds: ClosedRange<Int>, factor: Double, prices: [Int: String] = [:], jumps: Int = 0
  ) {
    for tenth in seconds.lowerBound * 10...seconds.upperBound * 10 {
      board.wait(.milliseconds(100) / factor)
      board.play(.milliseconds(tenth * 100), at: .times(factor), jumps: jumps)
      if tenth % 10 == 0, let price = prices[tenth / 10] { board.update(.football(odds: [price, "3.1", "2.9"])) }
      board.paint()
    }
  }

  private func step(at second: Int) -> String? {
    board.state.detail.histories[100, home]?.odds(at: second)?.description
  }

  @Test(
    "At any speed the axis counts seconds of the recording, and it stops while the recording is paused",
    arguments: [0.5, 1, 10])
  mutating func axis(factor: Double) {
    board.play(.zero, at: .times(factor))
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    play(1...60, factor: factor, prices: [10: "2.5", 40: "2.6"])
    #expect([9, 10, 39, 40].map { step(at: $0) } == ["2.45", "2.50", "2.50", "2.60"])
    board.paint()
    let text = board.text
    #expect(text.contains("-01:30") && text.contains(" now") && text.contains("+6.1"), "\(text)")
    board.play(.seconds(60), at: .times(factor), isPaused: true)
    for _ in 0..<30 {
      board.wait(.seconds(20))
      board.paint()
    }
    #expect(board.state.detail.pane?.second == 60)
    let times = board.text.split(separator: "\n").first { $0.contains("-01:30") }
    #expect(times?.hasSuffix(" 01:00") == true && board.text.contains("+6.1"))
  }

  @Test("The cursor of the chart does not leave the recording")
  mutating func cursor() {
    board.play(.zero)
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    play(1...10, factor: 1)
    board.type("<<")
    for _ in 0..<80 { board.type(",") }
    board.paint()
    #expect(board.state.detail.pane?.cursor == 0 && board.text.contains(" 00:00 2.45 "), "\(board.text)")
  }

  @Test("Pausing a recording sets the counters to zero at once")
  mutating func counters() {
    board.play(.zero)
    for second in 1...5 {
      board.update(.football(odds: ["2.\(second)", "3.1", "2.9"]), oddsUpdates: second * 40)
      board.wait(.seconds(1))
      board.play(.seconds(second))
      board.paint()
    }
    #expect(board.text.contains("40 upd/s"))
    board.play(.seconds(5), isPaused: true)
    for _ in 0..<5 {
      board.paint()
      #expect(board.text.contains(" 0 fps    0 upd/s    0 chg/s    0 confl/s    0 B/s"), "\(board.text)")
      board.wait(.milliseconds(700))
    }
  }

  @Test("A jump back discards the prices after the new position")
  mutating func back() {
    board.play(.zero)
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    play(1...60, factor: 10, prices: [10: "2.5", 40: "2.6"])
    board.play(.seconds(20), at: .times(10), jumps: 1)
    #expect(board.state.list.rows[id: 100]!.trend.prices.isEmpty)
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.state.detail.pane?.second == 20)
    #expect(step(at: 60) == "2.50")
    #expect(board.state.detail.histories[100, home]!.steps.allSatisfy { $0.second <= 20 })
    #expect(board.state.list.rows[id: 100]!.recent.changes.allSatisfy { $0.second <= 20 })
    play(21...60, factor: 10, prices: [30: "3"], jumps: 1)
    #expect([29, 30].map { step(at: $0) } == ["2.50", "3.00"])
  }

  @Test("After a jump to before the first known price, the price at the new position is the opening price")
  mutating func backToOpening() {
    board.play(.seconds(50))
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    play(51...60, factor: 10, prices: [55: "4"])
    board.play(.seconds(40), at: .times(10), jumps: 1)
    board.update(.football(odds: ["2.9", "3.1", "2.9"]))
    #expect(board.state.detail.histories[100, home]?.opening?.description == "2.90")
  }

  @Test("After a jump forward the prices of the skipped seconds are unknown")
  mutating func forward() {
    board.play(.zero)
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    play(1...20, factor: 10)
    board.play(.seconds(40), at: .times(10), jumps: 1)
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    play(41...50, factor: 10, jumps: 1)
    #expect([19, 21, 39, 40, 50].map { step(at: $0) } == ["2.45", nil, nil, "2.50", "2.50"])
  }

  @Test("After a jump back into skipped seconds the prices before them do not count, even if the match has no update")
  mutating func backIntoGap() {
    let later = Match.football(odds: ["2.5", "3.1", "2.9"])
    board.play(.zero)
    board.update(.football())
    board.type(":columns name 1m 5m")
    board.press(.enter)
    board.play(.seconds(200), at: .times(10), jumps: 1)
    board.update(later)
    board.play(.seconds(100), at: .times(10), jumps: 2)
    play(101...170, factor: 10, jumps: 2)
    #expect(board.state.list.rows[id: 100]!.moves.oneMinute == 0)
    board.openMatch(later, hasTopic: false)
    #expect([99, 100, 169, 170].map { step(at: $0) } == [nil, "2.50", "2.50", "2.50"])
  }

  @Test("After the end of a recording OPEN% stays, and a match that is opened has its chart")
  mutating func end() {
    board.play(.zero)
    board.update(.football(), .football(200, "Lens - Lille"))
    board.openMatch(.football(), hasTopic: false)
    play(1...300, factor: 10, prices: [100: "2.5", 200: "2.695"])
    board.updateFreshness(.closed)
    board.wait(.seconds(3600))
    board.paint()
    #expect(board.text.contains("+10.0"), "\(board.text)")
    let before = board.text
    board.press(.escape)
    board.wait(.seconds(60))
    board.openMatch(.football(odds: ["2.695", "3.1", "2.9"]), hasTopic: false)
    board.paint()
    #expect(board.text.contains("+10.0") && before.contains("-07:30") && board.text.contains("-07:30"), "\(board.text)")
    #expect([50, 150, 250].map { step(at: $0) } == ["2.45", "2.50", "2.695"])
  }

  @Test("After the end, a match that was not open before shows the prices that its row received")
  mutating func endSeeded() {
    board.play(.zero)
    board.update(.football())
    play(1...300, factor: 10, prices: [100: "2.5", 200: "2.695"])
    board.updateFreshness(.closed)
    board.wait(.seconds(60))
    board.openMatch(.football(odds: ["2.695", "3.1", "2.9"]), hasTopic: false)
    board.paint()
    #expect([50, 150, 250].map { step(at: $0) } == ["2.45", "2.50", "2.695"])
    #expect(board.text.contains("+10.0"), "\(board.text)")
  }

  @Test("When a pipe has ended, the chart stays as it was at the end")
  mutating func pipe() {
    board.update(.football())
    board.openMatch(.football(), hasTopic: false)
    board.wait(.seconds(30))
    board.update(.football(odds: ["2.695", "3.1", "2.9"]))
    board.wait(.seconds(30))
    board.updateFreshness(.closed)
    board.paint()
    let second = board.state.detail.pane?.second
    board.wait(.seconds(3600))
    board.paint()
    #expect(board.state.detail.pane?.second == second && board.text.contains("+10.0"), "\(board.text)")
  }
}
