import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Kick-off alerts, compared with a search of all matches and rules at each time.
struct AlertKickOffLawTests {
  /// The channel, and the alerts that a search of all its matches raises.
  private struct Reference {
    private var matches: [MatchID: Match] = [:]
    /// The last status of each match that a rule covers.
    private var statuses: [MatchID: MatchStatus] = [:]
    private(set) var events: [AlertEvent] = []

    private static func covers(_ rule: ActiveRule, _ match: Match) -> Bool {
      guard case .words(let words) = rule.rule.scope else { return true }
      return words.split(separator: " ").allSatisfy { match.name.contains($0) || match.labels.tournament.contains($0) }
    }

    private static func canBegin(_ status: MatchStatus) -> Bool { status == .pending || status == .unknown }

    /// Adds an alert, unless the rule has raised one for the match.
    private mutating func raise(_ rule: ActiveRule, _ match: Match, at start: Int64?, now: FrameTime) {
      if events.contains(where: { $0.rule == rule.id && $0.match == match.id }) { return }
      events.append(
        AlertEvent(rule: rule.id, match: match.id, name: match.name, content: .kickOff(at: start), time: now.wall))
    }

    mutating func apply(_ match: Match, _ rules: [ActiveRule], now: FrameTime) {
      let old = statuses[match.id]
      matches[match.id] = match
      review(rules)
      guard match.status == .inProgress, let old, Self.canBegin(old) else { return }
      for rule in rules where rule.rule.event == .kickOff(before: .zero) && Self.covers(rule, match) {
        raise(rule, match, at: nil, now: now)
      }
    }

    mutating func remove(_ match: MatchID) {
      matches[match] = nil
      statuses[match] = nil
    }

    /// Applies another set of rules.
    mutating func review(_ rules: [ActiveRule]) {
      for match in matches.values {
        statuses[match.id] = rules.contains { Self.covers($0, match) } ? match.status : nil
      }
    }

    /// Raises the alerts of the clock. The clock raises `kickoff` only if the status of the match is unknown.
    mutating func tick(_ rules: [ActiveRule], now: FrameTime) {
      for match in matches.values where Self.canBegin(match.status) {
        guard let start = match.startTime else { continue }
        for rule in rules where Self.covers(rule, match) {
          guard case .kickOff(let before) = rule.rule.event else { continue }
          if before == .zero, match.status != .unknown { continue }
          let due = start - before.components.seconds * 1000
          if due <= now.wall, now.wall < max(start, due + 60_000) { raise(rule, match, at: start, now: now) }
        }
      }
    }
  }

  /// A match whose names, start and status change at random.
  private struct Fixture {
    let id: MatchID
    private var labels = Match.Names(name: "ajax - porto")
    private var start: Int64?
    private var status = MatchStatus.unknown

    init(_ id: MatchID) { self.id = id }

    var match: Match { Match(id: id, labels: labels, startTime: start, status: status) }

    mutating func change(using random: inout SeededRandom, now: Int64) {
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        labels = Match.Names(
          name: ["ajax - porto", "lens - ajax", "lens - nice"].randomElement(using: &random)!,
          tournament: ["", "premier league", "serie a"].randomElement(using: &random)!)
      case 1:
        let isKnown = Int.random(in: 0..<6, using: &random) > 0
        start = isKnown ? now + 1000 * Int64.random(in: -100...600, using: &random) : nil
      case 2:
        status = [.unknown, .unknown, .pending, .pending, .inProgress, .ended].randomElement(using: &random)!
      default: break
      }
    }
  }

  private static let rules = [
    "kickoff", "ajax kickoff", #""premier league" kickoff"#, "kickoff in 30s", "lens kickoff in 1m",
    #""premier league" kickoff in 5m"#, "league kickoff in 2m", "any move 5% in 10m", "nice score",
  ]

  @Test("A kick-off alerts exactly when a search of all matches and rules finds it, and once for each rule and match")
  func law() throws {
    var clockCount = 0
    var statusCount = 0
    for seed in Laws.seeds(40) {
      var random = SeededRandom(seed: seed)
      var alerts = try TestAlertStore()
      alerts.store = AlertStore([try AlertRule("kickoff"), try AlertRule("kickoff in 3m")])
      var reference = Reference()
      var fixtures = (1...4).map { Fixture(MatchID(raw: UInt64($0))) }
      func rulesInForce() -> [ActiveRule] { alerts.store.rules.active.filter { !$0.isSilenced } }
      for step in 0..<120 {
        let index = fixtures.indices.randomElement(using: &random)!
        switch Int.random(in: 0..<20, using: &random) {
        case 0...1:
          alerts.add(try AlertRule(Self.rules.randomElement(using: &random)!))
          reference.review(rulesInForce())
        case 2:
          alerts.remove(alerts.store.rules.active.randomElement(using: &random)!.id)
          reference.review(rulesInForce())
        case 3:
          alerts.apply(removed: [fixtures[index].id])
          reference.remove(fixtures[index].id)
        default:
          fixtures[index].change(using: &random, now: alerts.now.wall)
          alerts.apply(fixtures[index].match)
          reference.apply(fixtures[index].match, rulesInForce(), now: alerts.now)
        }
        for pause in [0, Int.random(in: 0...20, using: &random)] {
          alerts.wait(.seconds(pause))
          reference.tick(rulesInForce(), now: alerts.now)
        }
        try #require(Set(alerts.store.log.events) == Set(reference.events), "seed \(seed), step \(step)")
      }
      clockCount += reference.events.count { $0.content != .kickOff(at: nil) }
      statusCount += reference.events.count { $0.content == .kickOff(at: nil) }
    }
    #expect(clockCount > 100 && statusCount > 20)
  }

  /// A match that starts at 08:10. It is 08:00.
  private static func match(_ tournament: String = "Serie A", _ status: MatchStatus = .pending) -> Match {
    Match(
      id: 100, labels: Match.Names(name: "Ajax - Porto", tournament: tournament), startTime: 1_750_752_600_000,
      status: status)
  }

  @Test("A match that gets the name of a rule later raises its alert; one that loses the name raises none")
  func renamed() throws {
    for (tournaments, expected) in [
      (["", "Premier League"], ["Ajax - Porto: kick-off at 08:10"]), (["Premier League", "Serie A"], []),
      (["Premier League", "", "Premier League"], ["Ajax - Porto: kick-off at 08:10"]),
    ] as [([String], [String])] {
      var alerts = try TestAlertStore("any move 5% in 10m", #""premier league" kickoff in 5m"#)
      for tournament in tournaments { alerts.apply(Self.match(tournament)) }
      alerts.wait(.seconds(299))
      #expect(alerts.alertTexts == [])
      alerts.wait(.seconds(1))
      #expect(alerts.alertTexts == expected)
    }
  }

  @Test("Once the status of a match is known, its kick-off is the change of the status and not the start time")
  func statusArrives() throws {
    var alerts = try TestAlertStore("kickoff")
    alerts.apply(Self.match("", .unknown))
    alerts.apply(Self.match("", .pending))
    alerts.wait(.seconds(1020))
    #expect(alerts.alertTexts == [])
    alerts.apply(Self.match("", .inProgress))
    #expect(alerts.alertTexts == ["Ajax - Porto: kick-off"])
    // The feed no longer gives a status.
    alerts = try TestAlertStore("kickoff")
    alerts.apply(Self.match("", .pending))
    alerts.apply(Self.match("", .unknown))
    alerts.wait(.seconds(600))
    #expect(alerts.alertTexts == ["Ajax - Porto: kick-off at 08:10"])
  }

  @Test("A match that was in play by mistake raises the alert before its start")
  func correctedStatus() throws {
    var alerts = try TestAlertStore("kickoff in 5m")
    alerts.apply(Self.match("", .inProgress))
    alerts.apply(Self.match("", .pending))
    alerts.wait(.seconds(300))
    #expect(alerts.alertTexts == ["Ajax - Porto: kick-off at 08:10"])
  }
}
