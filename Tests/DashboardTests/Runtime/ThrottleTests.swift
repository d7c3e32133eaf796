import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Timelines of ten milliseconds a character: `a` and `b` are changes of two matches. The output has the same format,
/// with the number of the match's change.
struct ThrottleTests {
  private static func run(_ line: String, interval: Duration) -> (shown: String, merged: Int) {
    var throttle = Throttle(interval: interval)
    var serial: [MatchID: Int] = [:]
    var shown = ""
    for (tick, character) in line.enumerated() {
      let now = Duration.milliseconds(tick * 10)
      var out = throttle.release(now: now)
      if character != "." {
        let id: MatchID = character == "a" ? 1 : 2
        serial[id, default: 0] += 1
        out += [throttle.offer(.named("\(character)\(serial[id]!)", id), now: now)].compactMap { $0 }
      }
      shown += out.isEmpty ? "." : out.map(\.name).joined()
    }
    return (shown, throttle.merged)
  }

  @Test(
    "The first change passes at once, the newest of the rest at the interval's end",
    arguments: [
      ("a.........", "a1.........", 0),
      ("aa........", "a1....a2.....", 0),
      ("aaaa......", "a1....a4.....", 2),
      ("aaaaaaaaaaaa", "a1....a5....a10.", 8),
      ("a.....a...", "a1.....a2...", 0),
      ("aaa....a..", "a1....a3....a4", 1),
    ])
  func edges(line: String, expected: String, merged: Int) {
    let (shown, count) = Self.run(line + "...", interval: .milliseconds(50))
    #expect(Self.pattern(shown).hasPrefix(Self.pattern(expected)), "\(shown)")
    #expect(count == merged)
  }

  private static func pattern(_ text: String) -> String {
    var text = text
    while text.hasSuffix(".") { text.removeLast() }
    return text
  }

  @Test("A busy match does not delay a quiet one")
  func independent() {
    let (shown, _) = Self.run("aaaabaaaa...", interval: .milliseconds(50))
    #expect(shown.hasPrefix("a1...b1a4"))
  }

  @Test("With an interval of zero every change passes")
  func off() {
    let (shown, merged) = Self.run("aaab", interval: .zero)
    #expect(shown == "a1a2a3b1")
    #expect(merged == 0)
  }

  @Test("Changing the interval releases pending changes, but not those of a match that is gone")
  func changeAndForget() {
    var throttle = Throttle(interval: .seconds(1))
    for (id, name) in [(1, "a1"), (1, "a2"), (2, "b1"), (2, "b2")] as [(UInt32, String)] {
      _ = throttle.offer(.named(name, MatchID(integerLiteral: id)), now: .zero)
    }
    throttle.forget(2)
    #expect(throttle.change(to: .zero).map(\.name) == ["a2"])
    #expect(throttle.release(now: .seconds(5)).isEmpty)
    #expect(throttle.nextDeadline == nil)
  }

  @Test(
    "A match is shown once an interval, at once if a price is lost, and finally in its newest state",
    arguments: [Throttle.Scope.mainMarket, .allMarkets])
  func law(scope: Throttle.Scope) {
    var early = 0
    for seed in 0..<100 {
      var random = SeededRandom(seed: UInt64(seed))
      var throttle = Throttle(interval: .milliseconds(100), scope: scope)
      var feed: [MatchID: ChangingMatch] = [:]
      var newest: [MatchID: Match] = [:]
      var shown: [MatchID: Match] = [:]
      var shownAt: [MatchID: Duration] = [:]
      func show(_ match: Match, _ now: Duration) {
        if let last = shownAt[match.id], now - last < .milliseconds(100) {
          early += 1
          #expect(Self.loses(shown[match.id]!, in: match, scope), "seed \(seed)")
        }
        shown[match.id] = match
        shownAt[match.id] = now
      }
      for step in 0..<300 {
        let now = Duration.milliseconds(step * 7)
        for match in throttle.release(now: now) { show(match, now) }
        let id = MatchID(integerLiteral: UInt32.random(in: 1...5, using: &random))
        if Int.random(in: 0..<20, using: &random) == 0 {
          throttle.forget(id)
          newest[id] = nil
          shown[id] = nil
          shownAt[id] = nil
          continue
        }
        feed[id, default: ChangingMatch()].change(using: &random)
        let match = feed[id]!.match(id)
        newest[id] = match
        if let match = throttle.offer(match, now: now) { show(match, now) }
        #expect(!Self.loses(shown[id]!, in: match, scope), "seed \(seed)")
      }
      for match in throttle.release(now: .seconds(60)) { show(match, .seconds(60)) }
      #expect(shown == newest, "seed \(seed)")
    }
    #expect(early > 100)
  }

  /// A price that a row or a pane shows as one that can be bet on.
  private struct Price: Hashable {
    let market: MarketID
    let handicap: Int64?
    let outcome: OutcomeID
    /// The side of a ladder; nil for the price of the outcome.
    var side: OfferSide?
  }

  private static func prices(of markets: [Market]) -> Set<Price> {
    var prices: Set<Price> = []
    for market in markets {
      for outcome in market.outcomes {
        var price = Price(market: market.id, handicap: market.handicap, outcome: outcome.id)
        if PriceCell(outcome, in: market).state == .live { prices.insert(price) }
        guard let exchange = outcome.exchange else { continue }
        let ladder = DetailLadder(0, of: exchange, outcome, in: market, isTrusted: true)
        guard case .level(let back, let lay) = ladder.content else { continue }
        for case (.some, let side) in [(back, OfferSide.back), (lay, .lay)] {
          price.side = side
          prices.insert(price)
        }
      }
    }
    return prices
  }

  /// Returns true if a price that a state of a match shows as live is not live in a newer state.
  private static func loses(_ old: Match, in new: Match, _ scope: Throttle.Scope) -> Bool {
    let (status, newStatus) = (old.tradingStatus, new.tradingStatus)
    if newStatus > status || [.locked, .closed].contains(newStatus) && ![.locked, .closed].contains(status) {
      return true
    }
    let markets = scope == .allMarkets ? old.markets : old.mainMarket.map { [$0] } ?? []
    return !prices(of: markets).isSubset(of: prices(of: new.markets))
  }
}
