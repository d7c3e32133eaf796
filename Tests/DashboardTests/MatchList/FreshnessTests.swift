import Localization
import OddsModel
import Platform
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Prices that may be out of date are never shown as live.
struct FreshnessTests {
  private var board = Board()

  init() {
    board.fill()
    board.paint()
  }

  /// Returns the text of a price in a row, including the cell after it, and its style roles.
  private func price(_ row: Int, of text: String) -> (text: String, roles: Set<Style.Role>)? {
    let cells = board.screen.content.rows[row].cells
    let line = cells.map { Character(Unicode.Scalar($0.scalar) ?? " ") }
    guard let start = line.indices.first(where: { line[$0...].starts(with: text) }) else { return nil }
    let place = start...start + text.count
    return (String(line[place]).filter { $0 != " " }, Set(cells[place].map(\.style.role)))
  }

  @Test(
    "Locked and closed prices are dim and marked, and keep their digits",
    arguments: [Freshness.Grade.locked, .closed])
  mutating func mark(grade: Freshness.Grade) throws {
    #expect(try #require(price(2, of: "2.45")) == ("2.45", [.plain]))
    board.updateFreshness(grade)
    board.paint()
    for (row, text) in [(2, "2.45"), (2, "3.10"), (2, "2.90"), (3, "1.50"), (4, "1000.00")] {
      #expect(try #require(price(row, of: text)) == ("\(text)?", [.muted]))
    }
    #expect(board.line(4).contains("susp ") && !board.line(4).contains("susp?"))
    #expect(try #require(price(2, of: " 7.6")).roles == [.plain, .muted])
    board.updateFreshness(.live)
    board.paint()
    #expect(try #require(price(2, of: "2.45")) == ("2.45", [.plain]))
    #expect(!board.text.contains("?  "))
  }

  @Test("A delayed channel is shown as such only in the header, with the time since the last sign of life")
  mutating func delayed() {
    let before = board.text.split(separator: "\n")[1...]
    board.updateFreshness(.delayed, lastSign: board.now.wall - 6000)
    board.wait(.seconds(2))
    board.paint()
    #expect(board.line(0).hasSuffix("● delayed 8s 08:00"))
    #expect(board.text.split(separator: "\n")[1...] == before)
  }

  @Test("A change of freshness alone repaints the visible rows once")
  mutating func once() {
    board.updateFreshness(.locked)
    #expect(board.paint().map(\.row) == [0, 2, 3, 4])
    #expect(board.paint().isEmpty)
    board.updateFreshness(.live)
    #expect(board.paint().map(\.row) == [0, 2, 3, 4])
    #expect(board.paint().isEmpty)
  }

  @Test("A locked or closed price does not flash, whether it moved before or afterwards")
  mutating func noFlash() throws {
    board.update(.football(odds: ["2.47", "3.1", "2.9"]))
    board.paint()
    #expect(board.line(2).contains("2.47▲"))
    board.updateFreshness(.locked)
    board.paint()
    #expect(try #require(price(2, of: "2.47")) == ("2.47?", [.muted]))
    board.updateFreshness(.closed, changed: .football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(try #require(price(2, of: "2.50")) == ("2.50?", [.muted]))
  }

  @Test("The prices of an ended match are marked even if its offers remain; other matches are not marked")
  mutating func own() throws {
    board.update(.football(then: FeedText.change("MATCH", 100, #""statusId":"3""#)))
    board.paint()
    // In the order by time, an ended match is last.
    #expect(try #require(price(4, of: "2.45")) == ("2.45?", [.muted]))
    #expect(try #require(price(2, of: "1.50")) == ("1.50", [.plain]))
  }

  @Test("Prices on a frozen screen are marked when the channel is locked")
  mutating func frozen() throws {
    board.type("p")
    board.updateFreshness(.locked)
    board.paint()
    #expect(try #require(price(2, of: "2.45")) == ("2.45?", [.muted]))
  }

  @Test(
    "A frozen screen keeps the marks of its prices when the feed is live again with other prices",
    arguments: [nil] + Freshness.Cause.allCases.map(Optional.some))
  mutating func frozenAndLive(cause: Freshness.Cause?) throws {
    board.type("p")
    board.updateFreshness(cause?.grade ?? .locked, cause: cause)
    board.updateFreshness(.live, changed: .football(odds: ["2.6", "3.1", "2.9"]))
    board.paint()
    for (row, text) in [(2, "2.45"), (3, "1.50")] {
      #expect(try #require(price(row, of: text)) == ("\(text)?", [.muted]))
    }
    board.type("yjy")
    #expect(board.copied == ["Ajax - Porto  2.45?  3.10?  2.90?", "北京国安 - 上海海港  1.50?  4.00?  6.25?"])
    board.type("p")
    board.paint()
    #expect(try #require(price(2, of: "2.60")).text.hasPrefix("2.60"))
    #expect(try #require(price(3, of: "1.50")) == ("1.50", [.plain]))
    board.type("p")
    board.paint()
    #expect(try #require(price(3, of: "1.50")) == ("1.50", [.plain]))
  }

  @Test("On a frozen screen, prices of a match that has changed or is gone are copied with a mark")
  mutating func frozenCopy() throws {
    board.type("p")
    board.update(.football(odds: ["2.6", "3.1", "2.9"]), removed: [200])
    board.paint()
    #expect(try #require(price(2, of: "2.45")) == ("2.45", [.plain]))
    board.type("yjyjy")
    #expect(board.copied[0] == "Ajax - Porto  2.45?  3.10?  2.90?")
    #expect(board.copied[1].contains("1.50?") && board.copied[2].contains("1000.00  "))
  }

  @Test("Prices of a match with a change that the throttle holds at the freeze are copied with a mark and do not move")
  mutating func frozenWithPendingChange() throws {
    board = Board(throttle: .seconds(60))
    board.fill()
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    board.type("p")
    board.type("yjyk")
    #expect(board.copied[0] == "Ajax - Porto  2.45?  3.10?  2.90?")
    #expect(board.copied[1].contains("1.50  4.00"))
    // Another interval releases pending changes.
    board.type("t")
    board.wait(.seconds(61))
    board.paint()
    #expect(board.line(2).contains("2.45") && board.state.list.missedCount == 1)
    board.type("p")
    board.paint()
    #expect(board.line(2).contains("2.60"))
  }

  @Test("After unfreezing, the throttle delays nothing if the channel was locked during the freeze")
  mutating func frozenAndThrottled() throws {
    board = Board(throttle: .seconds(60))
    board.fill()
    board.update(.football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.6", "4", "6"]))
    board.type("p")
    board.updateFreshness(.locked)
    board.updateFreshness(.live, changed: .football(odds: ["2.6", "3.1", "2.9"]))
    board.type("p")
    board.paint()
    #expect(board.line(2).contains("2.60") && board.line(3).contains("1.60"))
  }

  @Test("The throttle never delays a suspension, a withdrawal or the end of a match")
  mutating func throttledLoss() throws {
    board = Board(throttle: .seconds(60))
    board.fill()
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.line(2).contains("2.45 "))
    board.wait(.milliseconds(50))
    let suspension = FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)
    board.update(.football(odds: ["2.5", "3.1", "2.9"], then: suspension))
    board.paint()
    #expect(board.line(2).contains("susp") && !board.line(2).contains("2.45"))
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(board.line(2).contains("susp"))
    board.update(.football(odds: ["2.5", "3.1", "2.9"], then: FeedText.change("MARKET", 110, #""isClosed":true"#)))
    board.paint()
    #expect(!board.line(2).contains("3.10 "))
    board.update(
      .football(
        200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.5", "4", "6.25"],
        then: FeedText.change("MATCH", 200, #""statusId":"3""#)))
    board.paint()
    #expect(board.text.contains("1.50?"))
  }

  @Test("When the channel is live again, the throttle immediately releases its pending prices")
  mutating func throttled() throws {
    board = Board(throttle: .seconds(60))
    board.fill()
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.paint()
    #expect(try #require(price(2, of: "2.45")) == ("2.45", [.plain]))
    board.updateFreshness(.locked)
    board.updateFreshness(
      .live, changed: .football(200, "北京国安 - 上海海港", start: 1_750_755_600_000, odds: ["1.6", "4", "6"]))
    board.paint()
    #expect(board.line(2).contains("2.50") && board.line(3).contains("1.60"))
  }

  @Test("A new channel does not inherit the lock of the old one")
  mutating func channels() {
    board.updateFreshness(.locked, connection: .connecting(attempt: 1))
    board.type("2")
    board.updateFreshness(.locked, isLoaded: false)
    board.paint()
    #expect(board.line(0).contains("● live"))
    board.update(.football())
    board.paint()
    #expect(board.line(2).contains("2.45 "))
  }

  @Test("If there are prices but no dump, the header shows that they are locked")
  mutating func undumped() {
    board.type("2")
    board.updateFreshness(.locked, isLoaded: false, changed: .football())
    board.paint()
    #expect(board.line(0).contains("? locked") && board.line(2).contains("2.45?"))
  }

  @Test(
    "The header counts seconds while the stream is locked or delayed; other ages change in larger steps",
    arguments: [
      (Freshness.Grade.locked, ConnectionState.live, [""] + (1...59).map { "\($0)s" } + ["1m", "2m"]),
      (.delayed, .live, [""] + (1...59).map { "\($0)s" } + ["1m", "2m"]),
      (.closed, .ended, ["", "15s", "30s", "45s", "1m", "2m"]), (.live, .live, [""]),
      (.closed, .idle, ["", "15s", "30s", "45s", "1m", "2m"]), (.delayed, .connecting(attempt: 1), [""]),
    ])
  mutating func age(grade: Freshness.Grade, connection: ConnectionState, steps: [String]) {
    let isPolled = grade == .delayed && connection != .live
    board.updateFreshness(grade, connection: connection, source: isPolled ? .polling : .stream)
    let end = board.now.uptime + .seconds(150)
    var seen: [String] = []
    while board.now.uptime < end {
      board.paint()
      let text = board.state.connectionStatus(now: board.now).text(.english)
      let age = text.split(separator: " ").last.map(String.init) ?? ""
      let shown = age.first?.isNumber == true ? age : ""
      if seen.last != shown { seen.append(shown) }
      #expect(board.line(0).contains(text))
      board.wait(board.state.nextDeadline(after: board.now) - board.now.uptime)
    }
    #expect(seen == steps)
  }
}
