import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Prices in the pane that may be out of date are never shown as live, even if polled, throttled or frozen.
struct DetailFreshnessTests {
  private var board = Board(rows: 40, columns: 120)
  private var rich = RichMatch()

  init() { open() }

  private mutating func open(throttle: Duration = .zero) {
    board = Board(rows: 40, columns: 120, throttle: throttle)
    board.fill()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.paint()
  }

  /// Updates the match with another price of the home win.
  private mutating func move(to odds: String, grade: Freshness.Grade = .live, cause: Freshness.Cause? = nil) {
    rich.result[0] = odds
    board.updateMatch(rich.match, grade: grade, cause: cause)
  }

  /// The price of the home win in the pane, with its mark if it may be out of date.
  private mutating func shown() -> String? {
    board.paint()
    let row = board.paintedPane().first { $0.contains(" home ") }
    return row.map { row in String(row.split(separator: " ")[2].prefix { !"▲▼".contains($0) }) }
  }

  private mutating func copied() -> String? {
    board.type("y")
    return board.copied.last.map { String($0.split(separator: " ").last!) }
  }

  @Test("While the REST API is polled instead of the stream, the pane keeps the stream's locked prices")
  mutating func polling() {
    board.type(":calculate back 10")
    board.press(.enter)
    #expect(shown() == "2.45")
    #expect(board.text.contains("Return 24.50"))
    board.updateMatch(grade: .locked)
    board.updateMatch(.football(odds: ["7.7", "8.8", "9.9"]), grade: .delayed, source: .polling)
    #expect(shown() == "2.45?")
    #expect(copied() == "2.45?")
    #expect(board.text.contains("No result: prices may be out of date"))
    #expect(board.state.detail.pane?.watched == nil)
  }

  @Test("The chart has prices only while their age is known", arguments: Freshness.Cause.allCases)
  mutating func causes(cause: Freshness.Cause) {
    board.wait(.seconds(10))
    board.updateMatch(grade: cause.grade, cause: cause)
    board.wait(.seconds(10))
    move(to: "2.5", grade: cause.grade, cause: cause)
    let history = board.state.detail.histories[100, OutcomeKey(market: 110, outcome: 111)]
    let isKnown = [.delayedAccess, .updatesMerged].contains(cause)
    #expect(history?.steps.last?.state == (isKnown ? .live : .unknown))
    #expect(shown() == "2.50?")
    move(to: "2.6")
    #expect(board.state.detail.histories[100, OutcomeKey(market: 110, outcome: 111)]?.steps.last?.state == .live)
    #expect(shown() == "2.60")
  }

  @Test("When the stream is live again, the pane shows polled changes that the stream does not repeat")
  mutating func polledState() {
    let polled = Match.football(odds: ["7.7", "8.8", "9.9"])
    board.updateMatch(grade: .locked)
    board.updateMatch(polled, grade: .delayed, source: .polling)
    board.updateMatch(grade: .live)
    #expect(shown() == "7.70")
    board.updateMatch(grade: .locked)
    board.updateMatch(removed: [100], grade: .delayed, source: .polling)
    #expect(shown() == "7.70?")
    #expect(!board.text.contains("The match has ended"))
    board.updateMatch(grade: .live)
    #expect(shown() == "7.70?")
    #expect(board.text.contains("The match has ended"))
  }

  @Test("A match that the REST API delivered completely before the stream does not count as ended")
  mutating func polledFirst() {
    board.press(.escape)
    board.openMatch(.football())
    board.updateMatch(.football(), grade: .delayed, source: .api)
    board.updateMatch(grade: .live)
    #expect(shown() == "2.45")
    #expect(!board.text.contains("The match has ended"))
  }

  @Test("When the match is live again, the throttle immediately releases its pending price")
  mutating func throttled() {
    open(throttle: .seconds(60))
    move(to: "2.5")
    #expect(shown() == "2.45")
    board.updateMatch(grade: .locked)
    #expect(shown() == "2.45?")
    board.updateMatch(grade: .live)
    #expect(shown() == "2.50")
    board.updateMatch(grade: .locked)
    move(to: "2.6")
    #expect(shown() == "2.60")
    move(to: "2.7")
    #expect(shown() == "2.60")
  }

  @Test("The last price of a match that leaves the feed, and its price on return, are not throttled")
  mutating func removed() {
    open(throttle: .seconds(60))
    move(to: "2.5")
    board.updateMatch(removed: [100])
    #expect(shown() == "2.50?")
    move(to: "2.6")
    #expect(shown() == "2.60")
  }

  @Test("The throttle never delays a suspension in any market, nor the markets of a newly opened match")
  mutating func lost() {
    open(throttle: .seconds(60))
    #expect(board.text.contains("Total Goals 1.5"))
    rich.updates = [FeedText.change("BETTING_OFFER", 100_007, #""statusId":"7""#)]
    move(to: "2.5")
    board.paint()
    #expect(board.paintedPane().contains { $0.contains("Over") && $0.contains("susp") })
  }

  @Test("On a frozen screen locked prices stay marked, even if the match is live again")
  mutating func frozen() {
    board.type(":calculate back 10")
    board.press(.enter)
    board.type("p")
    board.updateMatch(grade: .locked)
    move(to: "2.6")
    #expect(shown() == "2.45?")
    #expect(copied() == "2.45?")
    #expect(board.text.contains("No result: prices may be out of date"))
    board.type("p")
    #expect(shown() == "2.60")
    #expect(copied() == "2.60")
    #expect(board.text.contains("Return 26.00"))
  }

  @Test("On a frozen screen, prices that have changed are copied with a mark and not used in calculations")
  mutating func frozenChange() {
    board.type(":calculate back 10")
    board.press(.enter)
    board.type("p")
    #expect(shown() == "2.45")
    #expect(copied() == "2.45")
    #expect(board.text.contains("Return 24.50"))
    move(to: "2.6")
    #expect(shown() == "2.45")
    #expect(copied() == "2.45?")
    #expect(board.text.contains("No result: prices may be out of date"))
  }

  @Test("After unfreezing, the throttle does not show changes that were pending before the freeze")
  mutating func frozenAndThrottled() {
    open(throttle: .seconds(1))
    move(to: "2.5")
    board.type("p")
    move(to: "2.6")
    board.type("p")
    #expect(shown() == "2.60")
    board.wait(.seconds(2))
    #expect(shown() == "2.60")
  }
}
