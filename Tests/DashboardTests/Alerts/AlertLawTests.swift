import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Alert rules, compared with plain evaluations of all prices.
struct AlertLawTests {
  @Test("A rule with a margin alerts exactly when a plain evaluation of the prices does")
  func hysteresis() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<40 {
      let limit = Int64.random(in: 150...250, using: &random)
      let margin = Int.random(in: 1...1000, using: &random)
      let comparison = AlertRule.comparisons.randomElement(using: &random)!
      let rule = AlertRule(
        .all, .price(.home, comparison, DecimalOdds(units: limit * 100_000)), .againBy(.init(hundredths: margin)))
      var alerts = try TestAlertStore()
      alerts.add(rule)
      var isArmed = true
      for _ in 0..<100 {
        // Near the limit, so that prices cross it often.
        let price = limit + .random(in: -12...12, using: &random)
        let isMet =
          switch comparison {
          case .atLeast: price >= limit
          case .atMost: price <= limit
          case .greater: price > limit
          default: price < limit
          }
        let isUp = comparison == .atLeast || comparison == .greater
        let isBack =
          isUp ? price * 10_000 <= limit * (10_000 - Int64(margin)) : price * 10_000 >= limit * (10_000 + Int64(margin))
        let isTold = isArmed && isMet
        if isTold { isArmed = false } else if !isArmed, isBack { isArmed = true }
        let text = "\(DecimalOdds(units: price * 100_000))"
        #expect(alerts.prices([text]).isEmpty == !isTold, "\(rule.text): \(text)")
      }
    }
  }

  @Test("The price that arms a rule again is the nearest to the limit that has moved back by the margin")
  func armedAgain() {
    let margin = AlertRule.Percent(hundredths: 200)
    #expect(Comparison.atLeast.rearms(DecimalOdds(units: 20_459_500), by: margin).units == 20_050_310)
    var random = SeededRandom(seed: 3)
    for _ in 0..<2000 {
      let limits = DecimalOdds.unitsPerOne + 1...AlertRule.highestPrice.units
      let limit = DecimalOdds(units: .random(in: limits, using: &random))
      let margin = AlertRule.Percent(hundredths: .random(in: 1...5000, using: &random))
      for comparison in AlertRule.comparisons {
        let odds = comparison.rearms(limit, by: margin)
        let isUp = comparison == .atLeast || comparison == .greater
        let nearer = DecimalOdds(units: odds.units + (isUp ? 1 : -1))
        let (isBack, isNearerBack) = (
          comparison.isBack(odds, limit, by: margin), comparison.isBack(nearer, limit, by: margin)
        )
        #expect(isBack && !isNearerBack, "\(limit) \(comparison.rawValue) by \(margin.text): \(odds)")
      }
    }
  }

  @Test("A move is found exactly when a search of all prices in the time span finds one")
  func moves() throws {
    var random = SeededRandom(seed: 2)
    for _ in 0..<100 {
      let direction = AlertRule.Direction.allCases.randomElement(using: &random)!
      let percent = AlertRule.Percent(hundredths: .random(in: 100...1500, using: &random))
      // The 64 seconds are divided into steps of one second.
      var history = SlidingPriceRange(span: .seconds(64))
      var past: [(until: Int, odds: DecimalOdds)] = []
      var current: DecimalOdds?
      var end: Int?
      var now = 0
      for _ in 0..<200 {
        now += Int.random(in: 0...9, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
          // Suspended, possibly for longer than the time span.
          end = end ?? now
          history.end(at: .seconds(now))
          now += Int.random(in: 0...90, using: &random)
        }
        let odds = DecimalOdds(units: .random(in: 150...250, using: &random) * 100_000)
        if let current, current != odds { past.append((end ?? now, current)) }
        current = odds
        end = nil
        history.apply(odds, previousUntil: .seconds(now))
        let isFar = past.contains { old in
          guard old.until >= now - 64 else { return false }
          let (own, whole) = (odds.units * 10_000, old.odds.units)
          return direction != .down && own >= whole * Int64(10_000 + percent.hundredths)
            || direction != .up && own <= whole * Int64(10_000 - percent.hundredths)
        }
        let moved = history.moved(direction, by: percent, now: .seconds(now))
        #expect((moved != nil) == isFar)
        if moved != nil {
          history.restart()
          past = []
        }
        #expect(history.count <= 2 * (SlidingPriceRange.steps + 1))
      }
    }
  }

  @Test("The number of prices kept for a rule is bounded")
  func bounded() {
    var history = SlidingPriceRange(span: .seconds(600))
    for step in 0..<20_000 {
      history.apply(DecimalOdds(units: Int64(20_000_000 + step)), previousUntil: .milliseconds(step * 50))
      _ = history.moved(.either, by: .init(hundredths: 100_000), now: .milliseconds(step * 50))
      #expect(history.count <= 2 * (SlidingPriceRange.steps + 1))
    }
  }

  @Test(
    "With ten thousand matches, an update evaluates only the rules that apply to its matches")
  func cost() throws {
    var alerts = try TestAlertStore()
    for id in 1...150 { alerts.add(try AlertRule("match \(id * 1000) 1 > 900")) }
    let matches = (1...10_000).map { Match.football($0 * 1000) }
    func apply(_ matches: [Match]) {
      _ = alerts.store.apply(
        ChannelUpdate(changed: matches, freshness: Freshness(.live, since: 0)), now: alerts.now)
    }
    apply(matches)
    #expect(alerts.store.engine.evaluationCount == 150)
    apply(Array(matches[5000...]))
    #expect(alerts.store.engine.evaluationCount == 150)
    apply(matches.suffix(100) + matches.prefix(10))
    #expect(alerts.store.engine.evaluationCount == 160)
    alerts.add(try AlertRule("any 1 > 900"))
    #expect(alerts.store.engine.evaluationCount == 160 + 10_000)
    apply(Array(matches.suffix(100)))
    #expect(alerts.store.engine.evaluationCount == 260 + 10_000)
  }
}
