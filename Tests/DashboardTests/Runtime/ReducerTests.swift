import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

struct ReducerTests {
  private var board = Board()

  @Test("Digits, Tab and Shift-Tab open channels; the open channel and missing ones are ignored")
  mutating func channels() {
    board.type("119")
    #expect(board.effects == [])
    board.type("3")
    board.press(.tab, .backTab, .backTab, .backTab, .backTab)
    #expect(board.effects == [2, 3, 2, 1, 0, 5].map(board.open))
  }

  @Test("A new channel starts without the old rows and with the cursor at the top")
  mutating func channelIsFresh() {
    board.fill()
    board.press(.end)
    board.type("2")
    #expect(board.state.list.rows.count == 0)
    #expect(board.state.list.cursor == 0)
    #expect(!board.state.connection.isLoaded)
  }

  @Test("Keys move the cursor within the rows, and the list scrolls to keep it visible")
  mutating func scrolling() {
    board = Board(rows: 9, columns: 80)  // five rows of matches
    for id in 1...12 { board.update(.named("\(id) - x", MatchID(integerLiteral: UInt32(id)))) }
    func cursorAndTop() -> [Int] { [board.state.list.cursor, board.state.list.top] }
    let script: [(Key, [Int])] = [
      (.up, [0, 0]), (.down, [1, 0]), (.character("j"), [2, 0]), (.pageDown, [7, 3]), (.character("k"), [6, 3]),
      (.control("d"), [8, 4]), (.control("u"), [6, 4]), (.pageUp, [1, 1]), (.end, [11, 7]), (.down, [11, 7]),
      (.home, [0, 0]), (.character("G"), [11, 7]), (.character("g"), [0, 0]),
    ]
    for (key, expected) in script {
      board.press(key)
      #expect(cursorAndTop() == expected, "\(key)")
    }
  }

  @Test("The cursor stays on its match when others come and go above it")
  mutating func cursorFollows() {
    board.fill()
    board.press(.down)
    board.update(.football(50, "Early - Bird", start: 1))
    #expect(board.state.list.rows[board.state.list.cursor].id == 200)
    board.update(removed: [50, 100])
    #expect(board.state.list.rows[board.state.list.cursor].id == 200)
    board.update(removed: [200, 300])
    #expect(board.state.list.cursor == 0)
  }

  @Test(
    "+ and - step the rate: tenths below one, ones to ten, tens to a hundred",
    arguments: [
      (10.0, "+", [20.0]), (10, "-", [9]), (1, "-", [0.9]), (90, "++", [100, 200]), (100, "-", [90]), (0.1, "-", []),
      (100_000, "+", []), (7.5, "+", [9]), (0.9, "+", [1]),
    ])
  mutating func rates(rate: Double, keys: String, expected: [Double]) {
    board = Board(rate: rate)
    board.type(keys)
    let rates = board.effects.compactMap { if case .setRate(let rate) = $0 { rate } else { nil } }
    #expect(rates.count == expected.count && zip(rates, expected).allSatisfy { abs($0 - $1) < 1e-9 }, "\(rates)")
  }

  @Test("A feed with its own pace has no rate to change")
  mutating func noRate() {
    board = Board(rate: nil)
    board.type("+-")
    #expect(board.effects == [])
  }

  @Test("t cycles through the throttle's intervals")
  mutating func throttle() {
    var seen: [Duration] = []
    for _ in 0..<6 {
      board.type("t")
      seen.append(board.state.list.throttle.interval)
    }
    #expect(seen == [50, 100, 250, 500, 1000, 0].map { .milliseconds($0) })
  }

  @Test("A frozen screen does not change and counts missed changes; p shows the newest state")
  mutating func freeze() {
    board.fill()
    board.paint()
    let before = board.text
    board.type("p")
    board.update(.football(odds: ["2.5", "3.1", "2.9"]))
    board.update(.football(odds: ["2.6", "3.1", "2.9"]), removed: [200])
    board.paint()
    #expect(board.state.list.missedCount == 3)
    #expect(board.line(22).hasSuffix("FROZEN, 3 changes missed"))
    #expect(board.text.split(separator: "\n")[2...4] == before.split(separator: "\n")[2...4])
    board.type("p")
    board.paint()
    #expect(board.line(2).contains("2.60"))
    #expect(!board.text.contains("北京"))
    #expect(board.state.list.missedCount == 0)
  }

  @Test("Switching the channel ends the freeze")
  mutating func freezeEnds() {
    board.fill()
    board.type("p2")
    board.update(.football())
    #expect(board.state.list.rows.count == 1)
    #expect(board.state.list.frozenChanges == nil)
  }

  @Test("Counters add up over channels, without the updates that a store received before the channel was opened")
  mutating func counters() {
    board.update(oddsUpdates: 10)
    board.update(oddsUpdates: 15)
    for replacement in ["2", "1"] {
      board.type(replacement)
      board.update(oddsUpdates: 100_000)
      board.update(oddsUpdates: 100_004)
    }
    board.send(.topicReplaced(ChannelUpdate(oddsUpdates: 7, freshness: Freshness(.live, since: board.now.wall))))
    board.update(oddsUpdates: 9)
    #expect(board.state.statusBar.meters.totals.oddsUpdates == 15 + 4 + 4 + 2)
  }

  @Test("? opens and closes the help, Esc closes it, keys scroll it, and q still quits")
  mutating func help() {
    board = Board(rows: 9, columns: 80)
    board.type("?")
    #expect(board.isHelpOpen(scroll: 0))
    board.press(.down, .down)
    #expect(board.isHelpOpen(scroll: 2))
    board.press(.end)
    board.paint()
    #expect(board.text.contains(":alert RULE"))
    board.press(.escape)
    #expect(board.state.overlay == nil)
    board.type("??q")
    #expect(board.state.overlay == nil)
    #expect(board.effects == [.quit])
  }

  @Test("Command names are unique, and each key maps to its command and to its name")
  func bindings() {
    let names = KeyBinding.commands.map(\.name)
    #expect(Set(names).count == names.count)
    for named in KeyBinding.commands {
      #expect(KeyMap.standard.keys(of: named.command) == named.keys)
      for key in named.keys { #expect(KeyMap.standard[key] == named.command && Key(name: key.name) == key) }
    }
  }
}
