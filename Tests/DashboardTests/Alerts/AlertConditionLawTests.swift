import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Conditions against a plain evaluation of the filter in each state.
struct AlertConditionLawTests {
  private static let terms = [
    "odds < 2", "odds >= 2.5", "home < 1.9", "away != 2", "favourite <= 1.7", "margin > 5%", "minute > 80", "lead = 0",
    "total >= 3", "live", "suspended", "ended", "score = 1-0", "ajax", "name = Ajax", "(odds < 2 or minute < 10)",
  ]

  private static func condition(_ random: inout SeededRandom) -> String {
    var text = ""
    for index in 0...Int.random(in: 0...3, using: &random) {
      if index > 0 { text += Bool.random(using: &random) ? " and " : " or " }
      if Int.random(in: 0..<4, using: &random) == 0 { text += "not " }
      text += terms.randomElement(using: &random)!
    }
    return text
  }

  private static func match(_ random: inout SeededRandom) -> Match {
    func outcomes(_ first: Int) -> [Outcome] {
      (0..<Int.random(in: 2...3, using: &random)).map { index in
        let odds = DecimalOdds(units: .random(in: 15...26, using: &random) * 1_000_000)
        let state = Int.random(in: 0..<6, using: &random)
        return Outcome(
          id: OutcomeID(raw: UInt64(first + index)), name: ["Over", "Under", "Push"][index],
          key: first == 10 ? ["home", "away", "draw"][index] : "",
          offer: BettingOffer(
            id: OfferID(raw: UInt64(first + index)), odds: odds, status: state == 0 ? .suspended : .standard,
            isAvailable: state > 1), isBettable: state > 1)
      }
    }
    let markets = [
      Market(id: MarketID(raw: 1), name: "Match odds", isMainLine: true, mainMarketRank: 0, outcomes: outcomes(10)),
      Market(id: MarketID(raw: 2), name: "Total", handicap: 25_000_000, outcomes: outcomes(20)),
    ]
    return Match(
      id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto", home: "Ajax", away: "Porto"),
      status: [.inProgress, .inProgress, .pending, .ended].randomElement(using: &random)!,
      score: Score(home: .random(in: 0...2, using: &random), away: .random(in: 0...2, using: &random)),
      minute: .random(in: 70...90, using: &random), markets: markets)
  }

  /// Returns the result of the filter if it is the same whatever the comparisons with unknown prices result in.
  private static func reference(_ node: FilterNode, _ match: Match, _ price: PriceCell?, wall: Int64) -> Bool? {
    let row = MatchRow(match, now: .zero, newest: nil)
    var own = row
    if let price { own.prices = PriceTriple(first: price) }
    let context = FilterContext(wall: wall)
    var unknown = 0
    /// The node with each leaf replaced by its result, where an unknown leaf takes the next bit of `bits`.
    func replaced(_ node: FilterNode, _ bits: Int) -> FilterNode {
      func constant(_ value: Bool) -> FilterNode { value ? .all([]) : .any([]) }
      switch node {
      case .all(let nodes): return .all(nodes.map { replaced($0, bits) })
      case .any(let nodes): return .any(nodes.map { replaced($0, bits) })
      case .not(let node): return .not(replaced(node, bits))
      case .number(let field, _, _) where [.odds, .home, .draw, .away, .favourite, .margin].contains(field):
        let isOwn = field == .odds
        if node.matches(isOwn ? own : row, context) { return constant(true) }
        let cells = PriceTriple.indices.map { (isOwn ? own : row).prices[$0] }.filter { $0.state != .none }
        let isKnown =
          isOwn ? !cells.isEmpty && cells.allSatisfy { $0.state == .live } : row.number(field, at: wall) != nil
        if isKnown { return constant(false) }
        defer { unknown += 1 }
        return constant(bits >> unknown & 1 == 1)
      case .flag(.suspended): return constant(node.matches(own, context))
      default: return constant(node.matches(row, context))
      }
    }
    _ = replaced(node, 0)
    let results = Set(
      (0..<1 << unknown).map { bits in
        unknown = 0
        return replaced(node, bits).matches(row, context)
      })
    return results.count == 1 ? results.first : nil
  }

  @Test("A condition alerts when the filter becomes true, in states with known prices only, and never at the start")
  func edges() throws {
    var random = SeededRandom(seed: 11)
    var alertCount = 0
    for _ in 0..<300 {
      let condition = Self.condition(&random)
      let node = try AlertCondition(condition).node
      let subject = ["", #"market "Total 2.5" outcome "Over" "#, "every outcome "].randomElement(using: &random)!
      let isRepeated = Bool.random(using: &random)
      let rule = try AlertRule("\(subject)when \(condition) \(isRepeated ? "again" : "once")")
      #expect(try AlertRule(rule.text) == rule)
      var alerts = try Alerts()
      alerts.add(rule)
      var last: [OutcomeID?: Bool] = [:]
      var reported: Set<OutcomeID?> = []
      for _ in 0..<25 {
        alerts.now.uptime += .seconds(11)
        alerts.now.wall += 11_000
        let match = Self.match(&random)
        let isTrusted = Int.random(in: 0..<5, using: &random) > 0
        let before = alerts.told.count
        alerts.take(match, grade: isTrusted ? .live : .locked)
        var expected = 0
        if isTrusted {
          var targets: [(id: OutcomeID?, price: PriceCell?)] = [(nil, nil)]
          if !subject.isEmpty {
            targets = match.markets.flatMap { market in
              market.outcomes.filter { subject.hasPrefix("every") || $0.name == "Over" && market.id.raw == 2 }
                .map { ($0.id, PriceCell($0, in: market)) }
            }
          }
          for target in targets {
            guard let holds = Self.reference(node, match, target.price, wall: alerts.now.wall) else { continue }
            if holds, last[target.id] == false, isRepeated || reported.insert(target.id).inserted { expected += 1 }
            last[target.id] = holds
          }
        }
        #expect(alerts.told.count - before == expected, "\(rule.text): \(alerts.told)")
        alertCount += expected
      }
    }
    #expect(alertCount > 300)
  }

  @Test("A condition on time alerts at the minute from which it holds, without an update")
  func time() throws {
    var alerts = try Alerts("start < 10m")
    let match = Self.pending(start: alerts.now.wall + 12 * 60_000)
    alerts.take(match)
    alerts.wait(.seconds(119))
    #expect(alerts.told == [] && alerts.store.nextDeadline(after: alerts.now) == alerts.now.uptime + .seconds(1))
    alerts.wait(.seconds(61))
    #expect(alerts.told == ["Ajax - Porto: start < 10m"])
    alerts.wait(.seconds(600))
    alerts.take(match)
    #expect(alerts.told.count == 1)
  }

  private static func pending(start: Int64) -> Match {
    Match(id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto"), startTime: start, status: .pending)
  }

  @Test("The distance from the opening price, and the extremes of a time, alert when they begin to hold")
  func history() throws {
    var opening = try Alerts("1 move 10% from opening again")
    #expect(opening.prices(["2.00", "2.19", "2.20", "2.30", "2.00", "1.80", "1.70"]) == ["2.20", "1.80"])
    #expect(opening.told[0] == "Ajax - Porto: home 2.20, up 10.0% from its opening price 2.00")
    var lowest = try Alerts("1 lowest in 2h again")
    #expect(lowest.prices(["2.00", "2.10", "1.90"]) == ["1.90"])
    lowest.wait(.seconds(20))
    #expect(lowest.prices(["1.85", "1.88", "1.85", "1.84"]) == ["1.84"])
    #expect(lowest.told[0] == "Ajax - Porto: home 1.90, lowest in 2h")
    // A price counts until another one replaces it.
    #expect(lowest.prices(["3.00"]) == [])
    lowest.wait(.seconds(3 * 3600))
    #expect(lowest.prices(["2.90"]) == ["2.90"])
  }
}
