import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The match pane: its keys, and updates from the feed.
struct DetailTests {
  private var board = Board(rows: 40, columns: 120)

  init() {
    board.fill()
    board.paint()
  }

  private mutating func effects() -> [Effect] {
    defer { board.effects = [] }
    return board.effects
  }

  /// Returns the rows of the pane.
  private func pane() -> [String] {
    Array(board.paintedPane().dropFirst().dropLast(2))
  }

  private func chosen() -> String? {
    board.paintedPane().first { $0.contains("▸") }.map {
      $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")
    }
  }

  @Test("Enter opens the match under the cursor; Enter and Esc close it")
  mutating func keys() {
    board.press(.down, .enter)
    #expect(effects() == [.openMatch(200)])
    #expect(board.state.detail.pane?.id == 200)
    board.press(.enter)
    #expect(effects() == [.closeMatch])
    board.press(.enter)
    board.press(.escape)
    #expect(effects() == [.openMatch(200), .closeMatch])
    #expect(board.state.detail.pane == nil)
    board.press(.escape)
    #expect(effects() == [])
  }

  @Test("Enter does nothing in the help and in an empty list")
  mutating func nothing() {
    board.type("?")
    board.press(.enter)
    #expect(effects() == [])
    board.press(.escape)
    board.update(removed: [100, 200, 300])
    board.press(.enter)
    #expect(effects() == [] && board.state.detail.pane == nil)
  }

  @Test("With a match open, [ ] and the arrows open the match above or below, up to the ends of the list")
  mutating func others() {
    board.type("[]")
    #expect(effects() == [])
    board.press(.enter, .character("]"), .right, .right, .character("["), .left, .left)
    #expect(effects() == [100, 200, 300, 200, 100].map { .openMatch($0) })
    #expect(board.state.list.cursor == 0)
  }

  @Test("In a recording the arrows seek, and [ ] open other matches")
  mutating func recording() {
    board = .recording(rows: 24)
    board.fill()
    board.play(.seconds(10))
    board.press(.enter, .right, .character("]"))
    #expect(effects() == [.openMatch(100), .seek(.seconds(10)), .openMatch(200)])
  }

  @Test("Switching the channel closes the open match first")
  mutating func channel() {
    board.press(.enter)
    board.type("2")
    #expect(effects() == [.openMatch(100), .closeMatch, board.open(1)])
    #expect(board.state.detail.pane == nil)
  }

  @Test("The help covers the pane, and closing the help shows it again")
  mutating func overlay() {
    board.openMatch(RichMatch().match)
    board.paint()
    board.type("?")
    board.paint()
    #expect(!board.text.contains("Total Goals"))
    board.press(.escape)
    board.paint()
    #expect(board.text.contains("Total Goals 1.5") && board.effects == [.openMatch(100)])
  }

  @Test("The keys for moving select an outcome and keep it in view")
  mutating func moving() {
    board = Board(rows: 24, columns: 80)
    board.fill()
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.paint()
    #expect(chosen() == "home 2.45")
    for (key, expected) in [
      (.down, "draw 3.10"), (.character("j"), "away 2.90"), (.down, "Over 1.25"), (.character("k"), "away 2.90"),
      (.character("G"), "Under 3.30"), (.down, "Under 3.30"), (.home, "home 2.45"), (.up, "home 2.45"),
      (.control("d"), "Over 1.35"), (.pageDown, "Under 3.30"), (.pageUp, "home 2.45"),
    ] as [(Key, String)] {
      board.press(key)
      board.paint()
      #expect(chosen() == expected, "\(key)")
    }
    #expect(board.state.list.cursor == 0)
  }

  @Test("While the match loads the pane shows the channel's prices, then only those of the match's topic")
  mutating func loading() {
    board.openMatch(.football())
    board.paint()
    #expect(board.text.contains("Loading all markets") && pane().contains { $0.contains("home") })
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    board.paint()
    #expect(pane().contains { $0.contains("2.60") })
    board.updateMatch(topic: .requested, isLoaded: false)
    board.paint()
    #expect(board.text.contains("Loading all markets"))
    board.updateMatch(RichMatch().match)
    board.paint()
    #expect(!board.text.contains("Loading") && pane().contains { $0.contains("Total Goals 0.5") })
    board.update(.football(odds: ["9.9", "3.1", "2.9"]))
    board.paint()
    #expect(pane().contains { $0.contains("2.45") } && !pane().contains { $0.contains("9.90") })
  }

  @Test("Data from the REST API does not replace the channel's data of a match that is loading")
  mutating func interim() {
    board.openMatch(RichMatch().match)
    board.updateMatch(.football(odds: ["7.7", "8.8", "9.9"]), source: .polling)
    board.updateMatch(source: .api)
    board.paint()
    #expect(pane().contains { $0.contains("2.45") } && pane().contains { $0.contains("Total Goals 0.5") })
    #expect(board.text.contains("Loading") && !board.text.contains("has ended"))
    board.updateMatch(RichMatch(totals: 6).match)
    board.paint()
    #expect(board.text.contains("Total Goals 5.5") && !board.text.contains("Loading"))
  }

  @Test("If the match has no topic of its own, the pane shows the channel's data and says so")
  mutating func channelOnly() {
    board.openMatch(.football(), hasTopic: false)
    board.paint()
    #expect(board.text.contains("no other markets for this match"))
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    board.paint()
    #expect(pane().contains { $0.contains("2.60▲") })
    board.update(removed: [100])
    board.paint()
    #expect(board.text.contains("The match has ended") && pane().contains { $0.contains("2.60?") })
  }

  @Test("A match that is missing or gone is reported and its prices are marked, until it returns")
  mutating func gone() {
    board.openMatch(RichMatch().match)
    board.updateMatch()
    board.paint()
    #expect(
      board.text.contains("The match has ended or left the feed.") && pane().contains { $0.contains("2.45?") })
    board.update(.football(odds: ["9.9", "3.1", "2.9"]))
    board.paint()
    #expect(board.text.contains("The match has ended") && !pane().contains { $0.contains("9.90") })
    board.updateMatch(RichMatch().match)
    board.paint()
    #expect(!board.text.contains("The match has ended") && pane().contains { $0.contains("2.45 ") })
    board.updateMatch(removed: [100])
    board.paint()
    #expect(board.text.contains("The match has ended") && pane().contains { $0.contains("2.45?") })
  }

  @Test("A topic that is refused, in maintenance or timed out is reported, and the channel's prices stay")
  mutating func refused() {
    board.openMatch(.football())
    for (topic, text) in [
      (.refused(FeedError("the feed refuses the topic", remedy: "open another")), "The feed refuses the topic: open"),
      (.maintenance(retryAt: 0), "down for maintenance"), (.late, "has not answered"),
    ] as [(TopicState, String)] {
      board.updateMatch(grade: .locked, topic: topic, isLoaded: false)
      board.paint()
      #expect(board.text.contains(text))
      #expect(pane().contains { $0.contains("2.45 ") })
    }
  }

  @Test("A locked match has marked prices and a status in the pane, and no price changes")
  mutating func locked() {
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.updateMatch(grade: .locked)
    board.paint()
    #expect(pane().contains { $0.contains("2.45?") } && pane()[1].contains("locked"))
    #expect(!pane().contains { $0.contains("   0.0 ") })
    board.updateMatch(grade: .live)
    board.paint()
    #expect(pane().contains { $0.contains("2.45 ") } && !pane()[1].contains("locked"))
  }

  @Test("Updates of another match are ignored, and so are updates when no match is open")
  mutating func late() {
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.updateMatch(.football(200, "A - B", odds: ["7.7", "8.8", "9.9"]))
    board.paint()
    #expect(!pane().contains { $0.contains("7.70") })
    board.press(.escape)
    board.updateMatch(RichMatch().match)
    _ = board.state.reduce(.matchOpened(100, known: .football(), hasTopic: true), now: board.now)
    #expect(board.state.detail.pane == nil)
  }

  @Test("A frozen pane does not change, but its history grows; a match opened while frozen is shown")
  mutating func frozen() {
    var rich = RichMatch()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.wait(.seconds(30))
    board.paint()
    board.type("p")
    board.paint()
    let before = pane()
    board.wait(.seconds(45))
    rich.result[0] = "2.6"
    board.updateMatch(rich.match)
    board.paint()
    #expect(pane() == before)
    board.wait(.seconds(45))
    board.type("p")
    board.paint()
    #expect(pane().contains { $0.contains("2.60▲") && $0.contains("+6.1") })
    let key = OutcomeKey(market: 110, outcome: 111)
    #expect(board.state.detail.histories[100, key]?.steps.map { Int($0.second) } == [10, 85])
    board.type("p")
    board.press(.character("]"))
    _ = board.state.reduce(.matchOpened(200, known: .football(200, "北京 - 上海"), hasTopic: true), now: board.now)
    board.paint()
    #expect(pane().contains { $0.contains("2.45") })
  }

  @Test("The throttle delays changes in the pane as in the rows, and then shows the newest")
  mutating func throttled() {
    board.type("ttttt")
    var rich = RichMatch()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.wait(.seconds(2))
    for odds in ["2.5", "2.55", "2.6"] {
      rich.result[0] = odds
      board.updateMatch(rich.match)
      board.paint()
      #expect(pane().contains { $0.contains("2.50") })
    }
    let next = board.state.nextDeadline(after: board.now)
    #expect(next <= board.now.uptime + .seconds(1))
    board.wait(.seconds(1))
    board.paint()
    #expect(pane().contains { $0.contains("2.60▲") })
  }

  @Test("A reopened match keeps its history, with a gap for the time while it was closed")
  mutating func reopened() {
    let key = OutcomeKey(market: 110, outcome: 111)
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.wait(.seconds(50))
    board.press(.enter)
    board.wait(.seconds(50))
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    let steps = board.state.detail.histories[100, key]!.steps
    #expect(steps.map(\.state) == [.live, .unknown, .live] && steps.map { Int($0.second) } == [10, 60, 110])
  }

  @Test("The history of an opened match begins with the prices that its row received since the last lock")
  mutating func past() {
    let key = OutcomeKey(market: 110, outcome: 111)
    for odds in ["2.5", "2.6", "2.7"] {
      board.wait(.seconds(10))
      board.update(.football(odds: [odds, "3.1", "2.9"]))
    }
    board.wait(.seconds(60))
    board.openMatch(.football(odds: ["2.7", "3.1", "2.9"]))
    let steps = board.state.detail.histories[100, key]!.steps
    #expect(steps.map { Int($0.second) } == [10, 20, 30, 40])
    board.press(.enter)
    board.updateFreshness(.locked)
    board.wait(.seconds(60))
    board.updateFreshness(.live, changed: .football(200, "北京国安 - 上海海港", odds: ["1.6", "4", "6.25"]))
    board.press(.down)
    board.openMatch(.football(200, "北京国安 - 上海海港", odds: ["1.6", "4", "6.25"]))
    let later = board.state.detail.histories[200, OutcomeKey(market: 210, outcome: 211)]!.steps
    #expect(later.map { Int($0.second) } == [160])
  }

  @Test("The selection follows its outcome as markets change, and moves to a neighbour if it is removed")
  mutating func staysChosen() {
    var rich = RichMatch()
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.press(.down, .down, .down)
    board.paint()
    #expect(chosen() == "Over 1.25")
    rich.totals = 6
    board.updateMatch(rich.match)
    board.paint()
    #expect(chosen() == "Over 1.25")
    rich.totals = 0
    board.updateMatch(rich.match)
    board.paint()
    #expect(chosen() == "away 2.90")
  }

  @Test("Main markets come first, in the feed's order; handicaps of one market are adjacent and sorted")
  mutating func order() {
    func market(_ id: Int, _ name: String, _ type: Int, _ line: String?) -> String {
      FeedText.create(
        "MARKET", id,
        #"{"_type":"MARKET","id":"\#(id)","eventId":"100","name":"\#(name)","bettingTypeId":"\#(type)""#
          + (line.map { #","paramFloat1":\#($0)"# } ?? "") + "}")
    }
    var rich = RichMatch()
    rich.totals = 2
    rich.updates = [
      market(901, "Total Goals", 47, "10.5"), market(902, "Asian Handicap", 48, "0.5"),
      market(903, "Score 3:1", 50, nil),
      market(904, "Asian Handicap", 48, "-1.5"), market(905, "Corners over 9.5", 51, nil),
      market(906, "Corners over 10.5", 51, nil), market(907, "Goals 10.5 - 1st Half", 52, nil),
      market(908, "Goals 9.5 - 1st Half", 52, nil),
    ]
    board.openMatch(rich.match)
    board.updateMatch(rich.match)
    board.paint()
    let names = pane().filter { $0.hasPrefix(" ") && !$0.hasPrefix("  ") && !$0.contains("▸") }.dropFirst(2).map {
      $0.split(separator: "  ")[0].trimmingBlanks
    }
    #expect(
      Array(names.prefix(11)) == [
        "Match Result", "Asian Handicap -1.5", "Asian Handicap 0.5", "Corners over 9.5", "Corners over 10.5",
        "Goals 9.5 - 1st Half", "Goals 10.5 - 1st Half", "Score 3:1",
        "Total Goals 0.5", "Total Goals 1.5", "Total Goals 10.5",
      ])
  }

  @Test("Races of a meeting are in the order of their ids, and the closed ones come last")
  func races() {
    func races(isClosed: Bool) -> Match {
      let names = ["Place", "R1 5f Hcap", "R2 2m Chs", "R3 1m Mdn"]
      return Match(
        id: MatchID(raw: 34), labels: Match.Names(name: "Ascot"),
        markets: names.enumerated().map { id, name in
          Market(
            id: MarketID(raw: UInt64(id)), name: name, isClosed: id == 1 && isClosed,
            mainMarketRank: id == 0 ? nil : 0)
        })
    }
    #expect(DetailList(races(isClosed: false)).entries.map(\.market) == [1, 2, 3, 0])
    #expect(DetailList(races(isClosed: true)).entries.map(\.market) == [2, 3, 1, 0])
    #expect(!DetailList.isSame(races(isClosed: false), races(isClosed: true)))
  }

  @Test("Each row maps to its outcome, and a click on a row selects the outcome")
  mutating func mouse() {
    board.openMatch(RichMatch().match)
    board.updateMatch(RichMatch().match)
    board.paint()
    let outcomes = board.paintedPane().indices.filter { board.state.detail.outcome(at: $0, board.state.size) != nil }
    #expect(outcomes == [5, 6, 7, 9, 10, 12, 13, 15, 16, 18, 19])
    let row = board.screen.content.rows.indices.first { board.screen.content.rows[$0].description.contains("draw") }!
    #expect(board.state.detail.outcome(at: 0, board.state.size) == nil)
    board.click(row, board.state.layout.pane.lowerBound + 5)
    board.paint()
    #expect(chosen() == "draw 3.10")
  }
}

extension Board {
  /// Returns the rows of the screen, or of its right part if the screen is divided.
  func paintedPane() -> [String] {
    screen.content.rows.map { row in
      let split = row.description.split(separator: "│", maxSplits: 1)
      return split.count == 2 ? String(split[1]) : row.description
    }
  }
}

extension Substring {
  fileprivate var trimmingBlanks: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    return String(text)
  }
}
