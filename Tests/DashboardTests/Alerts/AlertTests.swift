import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Alerts on the board: keys, footer, rows, pane.
struct AlertTests {
  private var board = Board()

  private mutating func add(_ rules: String...) throws {
    for rule in rules { board.perform(board.state.reduceAlerts(.add(try AlertRule(rule)), now: board.now)) }
  }

  private static func notice(_ body: String, title: String = "Alert") -> Effect {
    .terminal(.notify(title: title, body: body))
  }

  @Test(
    "An alert shows in the footer and as a chip, rings, notifies, and marks its row until the pane is opened"
  )
  mutating func told() throws {
    board.fill()
    try add("match 100 1 >= 2.50")
    #expect(board.effects == [])
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    #expect(board.effects == [.terminal(.bell), Self.notice("Ajax - Porto: home 2.60 (>= 2.50)")])
    var report = AlertReport(
      time: board.now.wall, kind: .price, rule: "match 100 1 >= 2.50", matchID: "100", match: "Ajax - Porto",
      text: "home 2.60 (>= 2.50)")
    report.outcome = "1"
    report.odds = "2.60"
    #expect(board.deliveredAlerts == [report])
    board.paint()
    #expect(board.line(23) == "Ajax - Porto: home 2.60 (>= 2.50)")
    #expect(board.line(2).contains("!Ajax - Porto"))
    board.wait(.seconds(6))
    board.paint()
    #expect(board.line(22).hasSuffix(" 1 alert") && board.line(23).hasPrefix("A alerts Enter open"))
    board.type("A")
    board.press(.escape)
    board.paint()
    #expect(!board.text.contains("!") && !board.line(22).contains("alert") && !board.line(23).contains("alert"))
  }

  @Test("Settings turn bell and notification on and off", arguments: [(true, false), (false, true), (false, false)])
  mutating func settings(bell: Bool, notify: Bool) throws {
    var settings = BoardSettings()
    settings.alertBell = bell
    settings.alertNotify = notify
    settings.alerts = [try AlertRule("suspended"), try AlertRule("1 >= 2.40")]
    board.fill()
    board.send(.settingsChanged(settings))
    let body =
      "Ajax - Porto: home 2.45 (>= 2.40); Brighton & Hove Albion Women U21 Development Squad - Atlético Madrid: home 1000.00 (>= 2.40)"
    #expect(board.effects == (bell ? [.terminal(.bell)] : []) + (notify ? [Self.notice(body, title: "2 alerts")] : []))
  }

  @Test("Alerts within five seconds of a bell are combined into one notification")
  mutating func burst() throws {
    try add("any 1 >= 2.50")
    board.update(.football(100, odds: ["2.6", "3.1", "2.9"]))
    for id in [200, 300, 400, 500] {
      board.wait(.seconds(1))
      board.update(.football(id, "Match \(id) - x", odds: ["2.6", "3.1", "2.9"]))
      board.paint()
    }
    #expect(board.effects.count == 2)
    #expect(board.state.nextDeadline(after: board.now) <= board.now.uptime + .seconds(1))
    board.wait(.seconds(1))
    board.paint()
    let body = [200, 300, 400].map { "Match \($0) - x: home 2.60 (>= 2.50)" }.joined(separator: "; ")
    #expect(board.effects.dropFirst(2) == [.terminal(.bell), Self.notice(body, title: "4 alerts")])
    board.wait(.seconds(60))
    board.paint()
    #expect(board.effects.count == 4)
  }

  @Test("A frozen or throttled board raises alerts, and a locked one does not")
  mutating func unseen() throws {
    board = Board(throttle: .seconds(1))
    board.fill()
    try add("match 100 1 >= 2.50 again")
    board.update(.football(odds: ["2.46", "3.1", "2.9"]))
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    #expect(board.effects.count == 2)
    #expect(board.state.list.rows[0].prices.first.odds?.hundredths == 245)
    board.type("p")
    board.update(.football(odds: ["2", "3.1", "2.9"]))
    board.wait(.seconds(10))
    board.update(.football(odds: ["3", "3.1", "2.9"]))
    #expect(board.effects.count == 4)
    board.wait(.seconds(10))
    board.update(.football(odds: ["2", "3.1", "2.9"]))
    board.updateFreshness(.locked, changed: .football(odds: ["3", "3.1", "2.9"]))
    #expect(board.effects.count == 4)
  }

  @Test(
    "Alerts wait while the provider's prices or markets may be stale; delayed or merged prices raise them",
    arguments: Freshness.Cause.allCases)
  mutating func causes(cause: Freshness.Cause) throws {
    board.fill()
    try add("match 100 1 >= 2.50 again")
    let isRight = [.delayedAccess, .updatesMerged].contains(cause)
    board.updateFreshness(cause.grade, cause: cause, changed: .football(odds: ["2.6", "3.1", "2.9"]))
    #expect(board.deliveredAlerts.map(\.odds) == (isRight ? ["2.60"] : []))
    board.updateFreshness(.live)
    #expect(board.deliveredAlerts.map(\.odds) == ["2.60"])
  }

  @Test("a proposes a rule on the row's price, or an empty rule without a row; Enter adds a rule once")
  mutating func key() {
    board.type("a")
    #expect(board.state.promptBar.prompt?.text == "alert ")
    board.press(.escape)
    board.fill()
    board.type("a")
    let rule = #"match 100 "Ajax - Porto" 1 >= 2.50"#
    #expect(board.state.promptBar.prompt?.text == "alert \(rule)")
    board.press(.enter)
    #expect(board.state.alerts.rules.active.map(\.rule.text) == [rule])
    board.type("a")
    board.press(.enter)
    board.paint()
    #expect(board.state.alerts.rules.active.count == 1 && board.line(23).hasPrefix("Alert already exists"))
  }

  @Test("The proposed rule is on the row's price, or on the resumption of a suspended match")
  mutating func prefilled() throws {
    board.fill()
    let rows = (0..<3).map { board.state.list.rows[$0] }
    let first = board.state.alerts.proposal(for: rows[0])
    #expect(first == #"match 100 "Ajax - Porto" 1 >= 2.50"#)
    #expect(try AlertRule(first).text == first)
    board.update(
      .football(
        100, #"A\u001b"#,
        then: [121, 122, 123].map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }
          .joined(separator: ",")))
    #expect(board.state.alerts.proposal(for: board.state.list.rows[0]) == "match 100 resumed")
  }

  @Test("At most 200 rules can be added on the board")
  mutating func full() throws {
    for id in 1...AlertStore.limit { try add("match \(id) suspended") }
    try add("match 999 suspended")
    #expect(board.state.alerts.rules.active.count == AlertStore.limit)
    board.paint()
    #expect(board.line(23).hasPrefix("Limit of 200 alerts reached"))
  }

  @Test("In the pane d deletes an added rule, and silences or restores a configured one")
  mutating func delete() throws {
    var settings = BoardSettings()
    settings.alerts = [try AlertRule("suspended")]
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    try add("score", "resumed")
    board.type("Ad")
    func states() -> [ActiveRule.State] { board.state.alerts.rules.active.map { $0.state(in: nil) } }
    #expect(states() == [.silenced, .armed, .armed])
    board.press(.down)
    board.type("d")
    #expect(board.state.alerts.rules.active.map(\.rule.text) == ["suspended", "resumed"])
    board.press(.end, .delete)
    #expect(board.state.alerts.rules.active.count == 1)
    board.type("d")
    #expect(states() == [.armed])
    // Outside the pane d does not change rules.
    board.press(.escape)
    board.type("d")
    #expect(states() == [.armed])
  }

  @Test(
    "A rule on every outcome of a match is armed until each outcome has raised an alert",
    arguments: [("once", "done"), ("again", "triggered")])
  mutating func everyOutcome(repetition: String, end: String) throws {
    board.fill()
    try add("match 100 every outcome >= 3 \(repetition)")
    board.type("A")
    for (prices, state) in [("2.9 3.1 2.9", "armed"), ("3.1 3.1 2.9", "armed"), ("3.1 3.1 3.1", end)] {
      board.update(.football(odds: prices.split(separator: " ").map(String.init)))
      board.paint()
      #expect(board.line(3).contains(state), "\(prices): \(board.text)")
    }
  }

  @Test("Enter on an alert or a rule shows its match, or a warning if the match is not in the list")
  mutating func jump() throws {
    board.fill()
    try add("1 >= 900", "match 200 suspended", "match 77 suspended")
    board.type("A")
    board.press(.end, .enter)
    #expect(board.state.overlay == nil && board.state.list.cursor == 2)
    board.type("Aj")
    board.press(.enter)
    #expect(board.state.overlay == nil && board.state.list.cursor == 1)
    board.type("Ajj")
    board.press(.enter)
    #expect(board.state.overlay?.content == .alerts && board.state.statusBar.message?.isWarning == true)
    board.press(.home, .enter)  // The rule is for all matches, so there is none to show.
    #expect(board.state.overlay?.content == .alerts)
  }

  @Test("The pane's cursor stays on its alert when new alerts are added above it")
  mutating func cursorStays() throws {
    try add("score", "any 1 >= 2 again")
    for id in 1...30 { board.update(.football(id * 1000, "Match \(id) - x")) }
    board.type("A")
    for _ in 0..<5 { board.press(.down) }
    let chosen = board.state.overlay!.selected
    #expect(chosen == 5)
    board.update(.football(99_000, "New - x"), .football(98_000, "Newer - x"))
    #expect(board.state.overlay!.selected == 7)
    board.press(.enter)
    #expect(board.state.list.rows[board.state.list.cursor].labels.name == "Match 27 - x")
  }

  @Test("The selected alert stays visible when the screen becomes so narrow that each entry has two rows")
  mutating func narrowed() throws {
    try add("score", "any 1 >= 2 again")
    for id in 1...30 { board.update(.football(id * 1000, "Match \(id) - x")) }
    board.type("A")
    board.press(.end)
    for columns in [80, 40] {
      board.resize(rows: 24, columns: columns)
      let pane = try #require(board.state.openPane(now: board.now))
      let rows = pane.pane.rows(ofEntry: board.state.overlay!.selected)
      #expect(pane.visible.contains(rows.lowerBound) && pane.visible.contains(rows.upperBound - 1), "\(columns)")
    }
  }

  @Test("The log keeps the newest 500 alerts and combines repeated ones with a count")
  func log() throws {
    var log = AlertLog()
    func news(_ match: Int, at: Int64) -> AlertEvent {
      AlertEvent(rule: 1, match: MatchID(raw: UInt64(match)), name: "x", content: .suspended(nil), time: at)
    }
    for match in 1...600 { log.add(news(match, at: Int64(match))) }
    #expect(log.events.count == 500 && log.events.first?.match == 600 && log.unread == 600)
    log.add(news(300, at: 700))
    #expect(log.events.count == 500 && log.events[0].time == 700 && log.events[0].count == 2)
  }

  @Test("An alert rings the terminal's bell and sends a notification", .timeLimit(.minutes(45)))
  func runtime() async throws {
    var settings = BoardSettings()
    settings.alerts = [try AlertRule("1 >= 2")]
    let update = ChannelUpdate(changed: [.football()], freshness: Freshness(.live, since: 0))
    try await RuntimeHarness(settings: settings, update: update, logsScreen: true).run { harness in
      try await harness.waitFor("bell")
      try await harness.waitFor(#"notify(title: "Alert", body: "Ajax - Porto: home 2.45 (>= 2.00)")"#)
    }
  }

  @Test("Returning to a channel does not repeat its alerts")
  mutating func channels() throws {
    board.fill()
    try add("match 100 1 >= 2.40 again")
    board.type("2")
    board.update(.football(200))
    board.type("1")
    board.update(.football())
    #expect(board.state.alerts.log.events.count == 1)
  }
}

/// The alert pane on whole screens, compared with `Golden/`. RECORD=1 updates the files.
struct AlertGoldenTests {
  private func expect(_ board: Board, _ name: String, _ location: SourceLocation = #_sourceLocation) {
    let size = board.state.size
    board.expectGolden("alerts-\(name)-\(size.columns)x\(size.rows)", location)
  }

  private func filled(
    rows: Int, columns: Int, glyphs: GlyphSet = .unicode, words: Catalog = .english
  ) throws -> Board {
    var board = Board(
      rows: rows, columns: columns, glyphs: glyphs, channels: BoardChannel.standard(matches: 100, words: words),
      words: words)
    var settings = BoardSettings()
    settings.alerts = [try AlertRule("favourite <= 1.05 again by 1%"), try AlertRule("porto kickoff in 10m")]
    _ = board.state.reduce(.settingsChanged(settings), now: board.now)
    board.fill()
    let rules = [
      #"match 100 "Ajax - Porto" 1 >= 2.50 again by 3%"#, #"match 200 "北京国安 - 上海海港" 2 > 6"#,
      "any move 5% in 10m again", "suspended",
    ]
    for rule in rules { board.perform(board.state.reduceAlerts(.add(try AlertRule(rule)), now: board.now)) }
    board.wait(.seconds(65))
    board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    board.wait(.seconds(30))
    let suspended = [121, 122, 123].map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }
    for _ in 0..<3 {
      board.update(.football(then: suspended.joined(separator: ",")))
      board.wait(.seconds(11))
      board.update(.football(odds: ["2.6", "3.1", "2.9"]))
    }
    return board
  }

  @Test("The pane has its golden text", arguments: [(24, 80), (60, 200), (10, 40), (10, 20), (5, 20), (1, 1), (3, 7)])
  func pane(rows: Int, columns: Int) throws {
    var board = try filled(rows: rows, columns: columns)
    board.type("A")
    expect(board, "pane")
    board.press(.end)
    if rows == 10 { expect(board, "pane-end") }
  }

  @Test("The pane and marked rows have their golden texts in monochrome", arguments: [(24, 80), (12, 120), (10, 40)])
  func monochrome(rows: Int, columns: Int) throws {
    var board = try filled(rows: rows, columns: columns)
    board.expectMonochrome("marks-\(columns)x\(rows)")
    board.type("A")
    board.expectMonochrome("alerts-\(columns)x\(rows)")
  }

  @Test("The pane has its golden text in French, Chinese and ASCII", arguments: [(24, 80), (10, 40), (10, 20)])
  func languages(rows: Int, columns: Int) throws {
    for language in [Language.french, .traditionalChinese] {
      var board = try filled(rows: rows, columns: columns, words: Catalog(language))
      board.type("A")
      expect(board, "pane-\(language.rawValue)")
    }
    var board = try filled(rows: rows, columns: columns, glyphs: .ascii)
    board.type("A")
    expect(board, "pane-ascii")
  }

  @Test("The pane without rules shows how to add one", arguments: [(24, 80), (10, 40), (10, 20), (5, 20)])
  func empty(rows: Int, columns: Int) throws {
    for (language, name) in [(Language.english, "en"), (.french, "fr"), (.traditionalChinese, "zh-Hant")] {
      var board = Board(rows: rows, columns: columns, words: Catalog(language))
      board.type("A")
      expect(board, "empty-\(name)")
    }
  }

  @Test(
    "Rows with an alert are marked at each size", arguments: [(24, 80), (60, 200), (10, 40), (5, 20)])
  func marks(rows: Int, columns: Int) throws {
    let board = try filled(rows: rows, columns: columns)
    expect(board, "marks")
  }
}
