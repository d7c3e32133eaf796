import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Conditions, compared with a plain evaluation of the filter in each state.
struct AlertConditionLawTests {
  private static let terms = [
    "odds < 2", "odds >= 2.5", "home < 1.9", "draw < 2", "draw >= 2.2", "away != 2", "favourite <= 1.7", "margin > 5%",
    "minute > 80", "lead = 0", "total >= 3", "live", "suspended", "ended", "score = 1-0", "ajax", "name = Ajax",
    "(odds < 2 or minute < 10)",
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

  /// Returns a match whose main market usually has `outcomeCount` outcomes, but may have another number or be missing.
  private static func match(_ random: inout SeededRandom, outcomeCount: Int, isExchange: Bool) -> Match {
    func outcomes(_ first: Int) -> [Outcome] {
      let isUsual = Int.random(in: 0..<6, using: &random) > 0
      let count = isUsual ? outcomeCount : Int.random(in: first == 10 ? 0...3 : 2...3, using: &random)
      return (0..<count).map { index in
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
      Market(
        id: MarketID(raw: 1), name: "Match odds", isMainLine: true, mainMarketRank: 0, outcomes: outcomes(10),
        exchange: isExchange ? ExchangeMarket(status: .open) : nil),
      Market(id: MarketID(raw: 2), name: "Total", handicap: 25_000_000, outcomes: outcomes(20)),
    ].filter { _ in Int.random(in: 0..<12, using: &random) > 0 }
    return Match(
      id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto", home: "Ajax", away: "Porto"),
      status: [.inProgress, .inProgress, .pending, .ended].randomElement(using: &random)!,
      score: Score(home: .random(in: 0...2, using: &random), away: .random(in: 0...2, using: &random)),
      minute: .random(in: 70...90, using: &random), markets: markets)
  }

  /// The states in which the rules are evaluated, the oldest first.
  private struct EarlierStates {
    var matches: [Match] = []

    private func outcomes(_ index: Int) -> (market: MarketID, count: Int)? {
      matches[index].mainMarket.flatMap { $0.outcomes.isEmpty ? nil : ($0.id, $0.outcomes.count) }
    }

    /// True if the main market is missing, or has had more outcomes since it became the main market. Its first outcomes
    /// are the same in all states.
    func isMissing(_ index: Int) -> Bool {
      let earlier = (0..<index).reversed().compactMap { outcomes($0) }
      guard let now = outcomes(index) else { return !earlier.isEmpty }
      return earlier.prefix { $0.market == now.market }.contains { $0.count > now.count }
    }

    /// The main market of a state, or of the last earlier state in which it was not missing.
    func shape(_ index: Int) -> String {
      (0...index).last { !isMissing($0) && outcomes($0) != nil }.map { "\(outcomes($0)!)" } ?? ""
    }

    /// True if the main market is present and never has an outcome for the field.
    func lacks(_ field: FilterField, _ index: Int) -> Bool {
      guard let market = matches[index].mainMarket, let count = outcomes(index)?.count else { return false }
      switch field {
      case .home: return market.id.raw == 2 && count == 1
      case .draw: return count < 3
      case .away: return count < 2
      default: return false
      }
    }
  }

  /// Returns the result of the filter in the last state, or nil if it depends on comparisons with unknown prices.
  /// With `hasPrices` false, all prices of the main market are unknown.
  private static func reference(
    _ node: FilterNode, _ past: EarlierStates, _ price: PriceCell?, hasPrices: Bool = true, wall: Int64
  ) -> Bool? {
    let last = past.matches.count - 1
    let match = past.matches[last]
    let isMissing = past.isMissing(last)
    let row = MatchRow(match, now: .zero, newest: nil)
    var own = row
    if let price { own.prices = PriceTriple(first: price) }
    let context = FilterContext(wall: wall)
    var unknown = 0
    /// The node with each leaf replaced by its result, where an unknown leaf takes the next bit of `bits`.
    func replaced(_ node: FilterNode, _ bits: Int) -> FilterNode {
      func constant(_ value: Bool) -> FilterNode { value ? .all([]) : .any([]) }
      func unknownResult() -> FilterNode {
        defer { unknown += 1 }
        return constant(bits >> unknown & 1 == 1)
      }
      switch node {
      case .all(let nodes): return .all(nodes.map { replaced($0, bits) })
      case .any(let nodes): return .any(nodes.map { replaced($0, bits) })
      case .not(let node): return .not(replaced(node, bits))
      case .number(let field, _, _) where [.odds, .home, .draw, .away, .favourite, .margin].contains(field):
        let isOwn = field == .odds
        if (!hasPrices || isMissing) && !(isOwn && price != nil) { return unknownResult() }
        if past.lacks(field, last) { return constant(false) }
        if node.matches(isOwn ? own : row, context) { return constant(true) }
        let cells = PriceTriple.indices.map { (isOwn ? own : row).prices[$0] }.filter { $0.state != .none }
        let isKnown =
          isOwn ? !cells.isEmpty && cells.allSatisfy { $0.state == .live } : row.number(field, at: wall) != nil
        return isKnown ? constant(false) : unknownResult()
      case .flag(.suspended):
        if price?.state == .suspended { return constant(true) }
        return !hasPrices || isMissing ? unknownResult() : constant(node.matches(own, context))
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

  @Test("A condition alerts when the filter becomes true, in states with known prices only, except in the first state")
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
      var alerts = try TestAlertStore()
      alerts.add(rule)
      let outcomeCount = Int.random(in: 2...3, using: &random)
      let isExchange = Int.random(in: 0..<4, using: &random) == 0
      var past = EarlierStates()
      var last: [OutcomeID?: (holds: Bool, restsOnPrices: Bool, shape: String)] = [:]
      var reported: Set<OutcomeID?> = []
      for _ in 0..<25 {
        alerts.now.uptime += .seconds(11)
        alerts.now.wall += 11_000
        let match = Self.match(&random, outcomeCount: outcomeCount, isExchange: isExchange)
        let isTrusted = Int.random(in: 0..<5, using: &random) > 0
        let before = alerts.alertTexts.count
        alerts.apply(match, grade: isTrusted ? .live : .locked)
        var expected = 0
        if isTrusted {
          past.matches.append(match)
          let shape = past.shape(past.matches.count - 1)
          var targets: [(id: OutcomeID?, price: PriceCell?)] = [(nil, nil)]
          if !subject.isEmpty {
            targets = match.markets.flatMap { market in
              market.outcomes.filter { subject.hasPrefix("every") || $0.name == "Over" && market.id.raw == 2 }
                .map { ($0.id, PriceCell($0, in: market)) }
            }
          }
          for target in targets {
            let wall = alerts.now.wall
            guard let holds = Self.reference(node, past, target.price, wall: wall) else { continue }
            if let old = last[target.id], old.restsOnPrices, old.shape != shape { last[target.id] = nil }
            if holds, last[target.id]?.holds == false, isRepeated || reported.insert(target.id).inserted {
              expected += 1
            }
            let isCertain = Self.reference(node, past, target.price, hasPrices: false, wall: wall) != nil
            last[target.id] = (holds, !isCertain, shape)
          }
        }
        #expect(alerts.alertTexts.count - before == expected, "\(rule.text): \(alerts.alertTexts)")
        alertCount += expected
      }
    }
    #expect(alertCount > 300)
  }

  @Test("Rules on the opening price and on the lowest price in a time span alert when they become true")
  func history() throws {
    var opening = try TestAlertStore("1 move 10% from opening again")
    #expect(opening.prices(["2.00", "2.19", "2.20", "2.30", "2.00", "1.80", "1.70"]) == ["2.20", "1.80"])
    #expect(opening.alertTexts[0] == "Ajax - Porto: home 2.20, up 10.0% from its opening price 2.00")
    var lowest = try TestAlertStore("1 lowest in 2h again")
    #expect(lowest.prices(["2.00", "2.10", "1.90"]) == ["1.90"])
    lowest.wait(.seconds(20))
    #expect(lowest.prices(["1.85", "1.88", "1.85", "1.84"]) == ["1.84"])
    #expect(lowest.alertTexts[0] == "Ajax - Porto: home 1.90, lowest in 2h")
    // A price counts until another one replaces it.
    #expect(lowest.prices(["3.00"]) == [])
    lowest.wait(.seconds(3 * 3600))
    #expect(lowest.prices(["2.90"]) == ["2.90"])
  }
}
