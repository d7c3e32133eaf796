import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The book against a telling that looks at all that ever was.
struct AlertLawTests {
  @Test("Whatever the prices, a rule with a margin tells what a naive one tells: no chatter, nothing left out")
  func hysteresis() throws {
    var random = SeededRandom(seed: 1)
    for _ in 0..<40 {
      let limit = Int64.random(in: 150...250, using: &random)
      let margin = Int.random(in: 1...1000, using: &random)
      let comparison = AlertRule.comparisons.randomElement(using: &random)!
      let rule = AlertRule(
        .all, .price(.home, comparison, DecimalOdds(units: limit * 100_000)), .againBy(.init(hundredths: margin)))
      var alerts = try Alerts()
      alerts.add(rule)
      var isArmed = true
      for _ in 0..<100 {
        // Near the limit, so that it is passed often.
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

  @Test("A move is told where the naive search of all that was in the time finds one, and nothing else is")
  func moves() throws {
    var random = SeededRandom(seed: 2)
    for _ in 0..<100 {
      let direction = AlertRule.Direction.allCases.randomElement(using: &random)!
      let percent = AlertRule.Percent(hundredths: .random(in: 100...1500, using: &random))
      // Steps of a second: 64 of them.
      var history = SlidingPriceRange(span: .seconds(64))
      var past: [(until: Int, odds: DecimalOdds)] = []
      var current: DecimalOdds?
      var end: Int?
      var now = 0
      for _ in 0..<200 {
        now += Int.random(in: 0...9, using: &random)
        if Int.random(in: 0..<8, using: &random) == 0 {
          // Suspended, perhaps for long.
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

  @Test("However a price wanders, a history is bounded, and so is what a rule remembers")
  func bounded() {
    var history = SlidingPriceRange(span: .seconds(600))
    for step in 0..<20_000 {
      history.apply(DecimalOdds(units: Int64(20_000_000 + step)), previousUntil: .milliseconds(step * 50))
      _ = history.moved(.either, by: .init(hundredths: 100_000), now: .milliseconds(step * 50))
      #expect(history.count <= 2 * (SlidingPriceRange.steps + 1))
    }
  }

  @Test(
    "Ten thousand matches: an update costs a look for the rules that are for it, and none for those of other matches")
  func cost() throws {
    var alerts = try Alerts()
    for id in 1...150 { alerts.add(try AlertRule("match \(id * 1000) 1 > 900")) }
    let matches = (1...10_000).map { Match.football($0 * 1000) }
    func take(_ matches: [Match]) {
      _ = alerts.store.apply(
        ChannelUpdate(changed: matches, staleness: Freshness(.live, since: 0)), now: alerts.now)
    }
    take(matches)
    #expect(alerts.store.engine.evaluationCount == 150)
    take(Array(matches[5000...]))
    #expect(alerts.store.engine.evaluationCount == 150)
    take(matches.suffix(100) + matches.prefix(10))
    #expect(alerts.store.engine.evaluationCount == 160)
    alerts.add(try AlertRule("any 1 > 900"))
    #expect(alerts.store.engine.evaluationCount == 160 + 10_000)
    take(Array(matches.suffix(100)))
    #expect(alerts.store.engine.evaluationCount == 260 + 10_000)
  }
}
