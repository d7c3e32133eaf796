import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Rules with conditions in the alert pane, compared with `Golden/` and with a plain evaluation of the conditions.
/// RECORD=1 updates the files.
struct AlertConditionGoldenTests {
  /// The result of a condition for a match or one of its outcomes.
  private struct Finding {
    /// The outcome; empty for a match.
    var outcome = ""
    /// The text of the alert.
    let alert: String
    let holds: Bool
  }

  private struct Rule: Sendable {
    let text: String
    /// The matches and the condition, as the pane shows them.
    let row: String
    /// The outcome at the end of the row.
    var outcome = ""
    let evaluate: @Sendable (Match) -> [Finding]

    var isForOneMatch: Bool { text.hasPrefix("match ") }
    var isRepeated: Bool { text.hasSuffix(" again") }
    /// True if the rule raises one alert and no others.
    var isForOneAlert: Bool { isForOneMatch && !isRepeated }
  }

  private static let rules: [Rule] = [
    Rule(text: "minute > 80 and lead = 0", row: "all matches when minute > 80 and lead = 0") { match in
      [Finding(alert: "minute > 80 and lead = 0", holds: match.minute! > 80 && Self.lead(match) == 0)]
    },
    Rule(
      text: #"match 200 "北京国安 - 上海海港" when home < 1.6 or lead >= 2 again"#,
      row: "北京国安 - 上海海港 when home < 1.6 or lead >= 2 again"
    ) { match in
      let holds = match.id == 200 && (Self.hundredths(match)[0] < 160 || Self.lead(match) >= 2)
      return [Finding(alert: "home < 1.6 or lead >= 2", holds: holds)]
    },
    Rule(text: "porto when score = 1-1", row: "porto when score = 1-1") { match in
      [Finding(alert: "score = 1-1", holds: match.name.contains("Porto") && match.score == Score(home: 1, away: 1))]
    },
    Rule(
      text: #"match 100 "Ajax - Porto" market "Match Odds" outcome "Ajax" when odds > 3"#,
      row: "Ajax - Porto when odds > 3", outcome: "Match Odds, Ajax"
    ) { match in
      let price = match.markets[0].outcomes[0].price!
      let holds = match.id == 100 && Self.hundredths(match)[0] > 300
      return [Finding(alert: "\(price) (odds > 3) Match Odds, Ajax", holds: holds)]
    },
    Rule(text: "every outcome when odds < 1.3", row: "all matches every outcome when odds < 1.3") { match in
      zip(match.markets[0].outcomes, Self.hundredths(match)).map { outcome, price in
        Finding(
          outcome: outcome.name, alert: "\(outcome.price!) (odds < 1.3) Match Odds, \(outcome.name)",
          holds: price < 130)
      }
    },
  ]

  /// The matches that change in each minute.
  private static let minutes: [[Match]] = [
    [
      match(100, minute: 79, Score(home: 1, away: 0), [140, 450, 800]),
      match(200, minute: 60, Score(home: 0, away: 0), [180, 360, 420]),
      match(300, minute: 80, Score(home: 0, away: 0), [260, 220, 390]),
    ],
    [match(300, minute: 81, Score(home: 0, away: 0), [260, 215, 395])],
    [match(100, minute: 81, Score(home: 1, away: 1), [310, 150, 450])],
    [match(200, minute: 63, Score(home: 1, away: 0), [125, 550, 900])],
    [match(200, minute: 64, Score(home: 1, away: 0), [170, 400, 500])],
    [match(200, minute: 65, Score(home: 2, away: 0), [110, 800, 1500])],
  ]

  private static let sides: [UInt64: [String]] = [
    100: ["Ajax", "Porto"], 200: ["北京国安", "上海海港"], 300: ["Roma", "Lazio"],
  ]

  private static func match(_ id: UInt64, minute: Int, _ score: Score, _ hundredths: [Int64]) -> Match {
    let names = [sides[id]![0], "Draw", sides[id]![1]]
    let outcomes = hundredths.enumerated().map { index, price in
      let raw = id + UInt64(index)
      let offer = BettingOffer(id: OfferID(raw: raw), odds: DecimalOdds(units: price * 100_000))
      return Outcome(
        id: OutcomeID(raw: raw), name: names[index], key: ["home", "draw", "away"][index], offer: offer,
        isBettable: true)
    }
    return Match(
      id: MatchID(raw: id), labels: Match.Names(name: "\(names[0]) - \(names[2])"), startTime: 1_750_748_400_000,
      status: .inProgress, score: score, minute: minute,
      markets: [Market(id: MarketID(raw: id), name: "Match Odds", outcomes: outcomes)])
  }

  private static func lead(_ match: Match) -> Int { abs(match.score!.home - match.score!.away) }

  private static func hundredths(_ match: Match) -> [Int64] {
    match.markets[0].outcomes.map { $0.offer!.odds!.hundredths }
  }

  /// Returns a board with the rules and the alerts of all minutes, and the pane open.
  private func board(rows: Int, columns: Int) throws -> Board {
    var board = Board(rows: rows, columns: columns)
    for rule in Self.rules {
      board.perform(board.state.reduceAlerts(.add(try AlertRule(rule.text)), now: board.now))
    }
    for (minute, matches) in Self.minutes.enumerated() {
      if minute > 0 { board.wait(.seconds(60)) }
      for match in matches { board.update(match) }
    }
    board.type("A")
    board.paint()
    return board
  }

  @Test("The pane with conditions has its golden text at each size", arguments: [(24, 80), (40, 120), (24, 40)])
  func pane(rows: Int, columns: Int) throws {
    try board(rows: rows, columns: columns).expectGolden("alerts-conditions-\(columns)x\(rows)")
  }

  /// Returns the rows of the pane by a plain evaluation: an alert is raised when a condition becomes true.
  private static func rows() -> [String] {
    var counts = Array(repeating: 0, count: rules.count)
    var last: [String: Bool] = [:]
    var raised: Set<String> = []
    var alerts: [(text: String, minute: Int, count: Int)] = []
    // The rules for one match are evaluated before those for several.
    let numbered = Array(rules.enumerated())
    let ordered = numbered.filter(\.element.isForOneMatch) + numbered.filter { !$0.element.isForOneMatch }
    for (minute, matches) in minutes.enumerated() {
      for match in matches {
        for (index, rule) in ordered {
          for finding in rule.evaluate(match) {
            let key = "\(index) \(match.id) \(finding.outcome)"
            guard last.updateValue(finding.holds, forKey: key) == false, finding.holds else { continue }
            if !raised.insert(key).inserted, !rule.isRepeated { continue }
            counts[index] += 1
            // An alert that is raised again moves to the top.
            let text = "\(match.name) \(finding.alert)"
            let earlier = alerts.firstIndex { $0.text == text }.map { alerts.remove(at: $0).count } ?? 0
            alerts.insert((text: text, minute: minute, count: earlier + 1), at: 0)
          }
        }
      }
    }
    let ruleRows = zip(rules, counts).map { rule, count in
      let state = rule.isForOneAlert && count > 0 ? "done" : "armed"
      let times = count == 1 ? "(once)" : "(\(count) times)"
      let parts = count == 0 ? [state, rule.row] : [state, rule.row, times]
      return (rule.outcome.isEmpty ? parts : parts + [rule.outcome]).joined(separator: " ")
    }
    let alertRows = alerts.map { alert in
      "08:0\(alert.minute):00 \(alert.text)" + (alert.count > 1 ? " (\(alert.count) times)" : "")
    }
    return ["RULES"] + ruleRows + ["", "TRIGGERED"] + alertRows
  }

  @Test("The pane shows each rule with the number of its alerts, and the alerts of a plain evaluation, newest first")
  func contents() throws {
    let board = try board(rows: 40, columns: 120)
    let shown = (2..<38).map { board.line($0).split(separator: " ").joined(separator: " ") }
    let expected = Self.rows()
    #expect(Array(shown.prefix(expected.count)) == expected)
    #expect(shown.dropFirst(expected.count).allSatisfy { $0.isEmpty }, "\(shown)")
    #expect(expected.filter { $0.hasPrefix("08:") }.count == 6, "\(expected)")
  }
}
