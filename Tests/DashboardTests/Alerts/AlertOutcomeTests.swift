import Localization
import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// Alerts on outcomes of any market: the rule that `a` proposes in the match pane, and the alerts that it raises.
struct AlertOutcomeTests {
  private var board = Board()
  private var rich = RichMatch()

  init() { board.fill() }

  /// The alerts, the oldest first.
  private var alertTexts: [String] {
    board.state.alerts.log.events.reversed().map {
      board.state.context(board.now).changeFormatter.sentence(of: $0, now: board.now)
    }
  }

  private mutating func add(_ rule: String) throws {
    board.perform(board.state.reduceAlerts(.add(try AlertRule(rule)), now: board.now))
  }

  private mutating func open() {
    board.openMatch()
    board.updateMatch(rich.match)
  }

  /// Changes an offer of the open match.
  private mutating func change(_ offer: Int, _ properties: String) {
    rich.updates.append(FeedText.change("BETTING_OFFER", offer, properties))
    board.updateMatch(rich.match)
  }

  @Test("a proposes a rule above the price of the selected outcome, or of the row when no match is open")
  mutating func proposal() throws {
    open()
    board.press(.down, .down, .down)
    board.type("a")
    #expect(
      board.state.promptBar.prompt?.text
        == #"alert match 100 "Ajax - Porto" market "Total Goals 0.5" outcome "Over" >= 1.30"#)
    board.press(.enter)
    #expect(alertTexts == [])
    change(100_007, #""odds":1.29"#)
    #expect(alertTexts == [])
    change(100_007, #""odds":1.3"#)
    #expect(alertTexts == ["Ajax - Porto: Total Goals 0.5, Over 1.30 (>= 1.30)"])
    board.press(.escape)
    board.type("a")
    #expect(board.state.promptBar.prompt?.text == #"alert match 100 "Ajax - Porto" 1 >= 2.50"#)
  }

  @Test("a proposes a rule on the resumption of an outcome that is suspended")
  mutating func suspendedProposal() throws {
    open()
    change(100_007, #""statusId":"7""#)
    board.press(.down, .down, .down)
    board.type("a")
    #expect(
      board.state.promptBar.prompt?.text
        == #"alert match 100 "Ajax - Porto" market "Total Goals 0.5" outcome "Over" resumed"#)
    board.press(.enter)
    change(100_007, #""statusId":"1""#)
    #expect(alertTexts == ["Ajax - Porto: Total Goals 0.5, Over open again"])
    try add(#"market "total goals 0,5" outcome "OVER" suspended"#)
    change(100_007, #""statusId":"7""#)
    #expect(alertTexts.last == "Ajax - Porto: Total Goals 0.5, Over suspended")
  }

  @Test("The rule proposed for each of 63 outcomes names only that outcome and alerts for it alone")
  mutating func everyOutcome() throws {
    rich.totals = 30
    open()
    let match = rich.match
    #expect(match.markets.count == 31)
    var rules: [(offer: BettingOffer, rule: AlertRule)] = []
    for position in board.state.detail.pane!.list.outcomes {
      let key = try #require(board.state.detail.pane?.list.key(position))
      _ = board.state.detail.reduce(.choose(key), board.state.context(board.now))
      let rule = try AlertRule(board.state.proposedAlert)
      guard case .price(.outcome(let name), .atLeast, let limit) = rule.event else {
        Issue.record("\(rule.text)")
        continue
      }
      let outcomes = name.outcomes(in: match)
      #expect(outcomes.count == 1 && outcomes[0].outcome.id == board.state.detail.pane?.chosen?.outcome, "\(rule.text)")
      let offer = try #require(outcomes.first?.outcome.offer)
      #expect(limit > offer.odds! && limit.units * 10 < offer.odds!.units * 11)
      #expect(try AlertRule(rule.text) == rule)
      rules.append((offer, rule))
      _ = board.state.reduceAlerts(.add(rule), now: board.now)
    }
    #expect(rules.count == 63 && Set(rules.map(\.rule.text)).count == 63 && alertTexts == [])
    for (offer, rule) in rules {
      let before = alertTexts.count
      change(Int("\(offer.id)")!, #""odds":\#(offer.odds!.nextRound)"#)
      #expect(alertTexts.count == before + 1, "\(rule.text)")
      #expect(board.state.alerts.rules.active.first { $0.rule == rule }?.count == 1)
    }
  }

  @Test("Only the channel's markets alert while a match is closed, and a price change meanwhile is not a move")
  mutating func closed() throws {
    open()
    try add(#"match 100 market "Total Goals 0.5" outcome "Over" up 10% in 10m again"#)
    try add(#"match 100 market "Total Goals 0.5" outcome "Over" suspended"#)
    try add(#"match 100 market "Match Result" outcome "home" >= 9"#)
    board.press(.escape)
    board.wait(.seconds(3600))
    rich.updates.append(FeedText.change("BETTING_OFFER", 100_007, #""odds":1.9,"statusId":"7""#))
    open()
    change(100_007, #""statusId":"1""#)
    #expect(alertTexts == [])
    change(100_007, #""odds":2.1"#)
    #expect(alertTexts == ["Ajax - Porto: Total Goals 0.5, Over 2.10, up 10.5% from 1.90 in 10m"])
    board.press(.escape)
    // The channel has the main market.
    board.update(.football(odds: ["9", "3.1", "2.9"]))
    #expect(alertTexts.last == "Ajax - Porto: Match Result, home 9.00 (>= 9.00)")
    board.type("A")
    board.paint()
    #expect(board.text.contains("up 10% in 10m again (once) Total Goals "))
    #expect(board.text.contains("9.00 (>= 9.00) Match Result, home"))
    #expect(board.line(4).hasPrefix("  no prices 100 ") && board.line(5).hasPrefix("  done      100 "))
  }

  @Test("Prices of the match subscription are used while they are live, then those of the channel")
  mutating func staleTopic() throws {
    open()
    try add(#"match 100 market "Match Result" outcome "home" >= 2.6 again"#)
    board.update(.football(odds: ["2.7", "3.1", "2.9"]))
    #expect(alertTexts == [])
    board.updateMatch(grade: .locked)
    #expect(alertTexts == ["Ajax - Porto: Match Result, home 2.70 (>= 2.60)"])
  }

  @Test("The match subscription raises alerts unless its source may be stale", arguments: Freshness.Cause.allCases)
  mutating func causes(cause: Freshness.Cause) throws {
    open()
    try add(#"match 100 market "Total Goals 0.5" outcome "Over" >= 1.3 again"#)
    rich.updates.append(FeedText.change("BETTING_OFFER", 100_007, #""odds":1.3"#))
    board.updateMatch(rich.match, grade: cause.grade, cause: cause)
    #expect(alertTexts.count == ([.delayedAccess, .updatesMerged].contains(cause) ? 1 : 0))
    board.updateMatch(grade: .live)
    #expect(alertTexts == ["Ajax - Porto: Total Goals 0.5, Over 1.30 (>= 1.30)"])
  }

  @Test("A rule does not apply to its market while the market has another handicap")
  mutating func otherHandicap() throws {
    open()
    try add(#"match 100 market "Total Goals 0.5" outcome "Over" >= 1.5"#)
    try add(#"match 100 market 100000 "Total Goals 0.5" outcome 100001 >= 1.5"#)
    rich.updates.append(FeedText.change("MARKET", 100_000, #""paramFloat1":4.5"#))
    change(100_007, #""odds":3"#)
    #expect(alertTexts == [])
    rich.updates.append(FeedText.change("MARKET", 100_000, #""paramFloat1":0.5"#))
    board.updateMatch(rich.match)
    #expect(alertTexts.count == 2)
  }

  @Test("A rule means one outcome when names are Chinese, quoted, repeated or empty", arguments: 0..<4)
  func names(variant: Int) throws {
    let names = [("讓分", "北京國安"), (#"The "Big" \ one"#, #"a "b""#), ("Total Goals", "Over"), ("", "")][variant]
    func escaped(_ text: String) -> String { text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") }
    var rich = RichMatch(totals: 3)
    for market in [100_000, 100_010, 100_020] {
      rich.updates.append(FeedText.change("MARKET", market, #""name":"\#(escaped(names.0))","paramFloat1":null"#))
      for outcome in 1...2 {
        rich.updates.append(
          FeedText.change("OUTCOME", market + outcome, #""translatedName":"\#(escaped(names.1))""#))
      }
    }
    let match = rich.match
    for market in match.markets {
      for outcome in market.outcomes {
        let name = AlertOutcome(outcome, of: market, in: match)
        let rule = AlertRule(.match(match.id, name: match.name), .suspended(name))
        #expect(try AlertRule(rule.text) == rule)
        #expect(name.outcomes(in: match).map(\.outcome.id) == [outcome.id], "\(rule.text)")
      }
    }
  }

  @Test(
    "The title of a market has the handicap, unless a whole number of the name is the handicap",
    arguments: [
      ("Total Goals", 2.5, "Total Goals 2.5"), ("Total Goals 2.5", 2.5, "Total Goals 2.5"),
      ("Total Goals 2.50", 2.5, "Total Goals 2.50"), ("Total Goals 2,5", 2.5, "Total Goals 2,5"),
      ("Handicap (+1)", 1.0, "Handicap (+1)"), ("Handicap -1", -1.0, "Handicap -1"), ("大小2.5球", 2.5, "大小2.5球"),
      ("1st Half Handicap", 1.0, "1st Half Handicap 1"), ("Handicap 2ème mi-temps", 2.0, "Handicap 2ème mi-temps 2"),
      ("3-way Handicap", 3.0, "3-way Handicap 3"), ("第1節讓分", 1.0, "第1節讓分 1"),
      ("Handicap -1", 1.0, "Handicap -1 1"), ("Total Goals 1.5", 5.0, "Total Goals 1.5 5"),
      ("Total Goals 2.5", 2.0, "Total Goals 2.5 2"),
      ("1. Halbzeit Handicap", 1.0, "1. Halbzeit Handicap 1"), ("1º Tempo", 1.0, "1º Tempo 1"),
      ("Handicap 1, 1st Half", 1.0, "Handicap 1, 1st Half"),
    ])
  func title(name: String, handicap: Double, expected: String) {
    #expect(MarketTitle(name: name, handicap: Int64(handicap * 1e7)).text() == expected)
  }

  @Test("A rule with an ambiguous name applies to each outcome of that name")
  func ambiguous() throws {
    var alerts = try TestAlertStore(#"market "Total Goals" outcome "over" >= 1.2 again"#)
    var rich = RichMatch(totals: 2)
    for market in [100_000, 100_010] {
      rich.updates.append(FeedText.change("MARKET", market, #""paramFloat1":null"#))
    }
    alerts.apply(rich.match)
    #expect(
      alerts.alertTexts == [
        "Ajax - Porto: Total Goals, Over 1.25 (>= 1.20)", "Ajax - Porto: Total Goals, Over 1.35 (>= 1.20)",
      ])
  }

  @Test("The proposed limit is the next round price that is at least half a step away")
  func rounds() {
    for (odds, limit) in [
      ("1.01", "1.05"), ("1.02", "1.05"), ("1.03", "1.10"), ("1.97", "2.00"), ("1.98", "2.05"), ("2.45", "2.50"),
      ("2.46", "2.60"), ("3.1", "3.20"), ("3.2", "3.40"), ("6.25", "6.50"), ("12.5", "13.00"), ("150", "160.00"),
      ("1000", "1100.00"), ("1000000", "1010000.00"),
    ] {
      let units = Int64((Double(odds)! * 1e7).rounded())
      #expect("\(DecimalOdds(units: units).nextRound)" == limit, "\(odds)")
    }
    var random = SeededRandom(seed: 5)
    for _ in 0..<2000 {
      let odds = DecimalOdds(units: .random(in: 10_000_000...20_000_000_000, using: &random))
      #expect(odds.nextRound > odds && odds.nextRound.nextRound > odds.nextRound)
    }
  }

  @Test("Tab completes the words of a rule, and the markets and outcomes of its match")
  mutating func completion() {
    open()
    for (typed, text) in [
      ("alert mar", "alert market "), ("alert market ", #"alert market "Match Result" "#),
      (#"alert match 100 market "to"#, #"alert match 100 market "Total Goals 0.5" "#),
      (#"alert market "Total Goals 0.5" o"#, #"alert market "Total Goals 0.5" outcome "#),
      (#"alert market "Total Goals 0.5" outcome "un"#, #"alert market "Total Goals 0.5" outcome "Under" "#),
      (#"alert market "No such" outcome "#, #"alert market "No such" outcome "#),
      ("alert 1 >= 2 ag", "alert 1 >= 2 again "),
    ] {
      board.type(":" + typed)
      board.press(.tab)
      #expect(board.state.promptBar.prompt?.text == text, "\(typed)")
      board.press(.escape)
    }
  }
}
