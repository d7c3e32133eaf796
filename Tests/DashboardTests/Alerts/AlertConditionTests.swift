import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Conditions on missing outcomes, on data that is missing for a moment, and on time.
struct AlertConditionTests {
  @Test("A comparison with an outcome that the market lacks is false, on an exchange too", arguments: [false, true])
  func twoOutcomes(isExchange: Bool) throws {
    var alerts = try TestAlertStore("home < 1.5 or draw < 1.5 or away < 1.5", "home < 1.5 and not draw < 3")
    for home in [20, 14, 14] { alerts.apply(Self.match([home, 28], isExchange: isExchange)) }
    #expect(
      alerts.alertTexts == [
        "Ajax - Porto: home < 1.5 or draw < 1.5 or away < 1.5", "Ajax - Porto: home < 1.5 and not draw < 3",
      ])
  }

  @Test("A comparison with an exchange outcome without an offer raises no alert")
  func noOffer() throws {
    var alerts = try TestAlertStore("when draw < 3 again", "when not draw < 3 again")
    for draw in [28, nil, 28] { alerts.apply(Self.match([20, 28, draw], isExchange: true)) }
    #expect(alerts.alertTexts == [])
  }

  @Test(
    "Data that is missing for a moment raises no alert",
    arguments: [
      ("home < 1.5", [[14, 28], nil, [14, 28]]), ("home < 1.5", [[14, 28], [], [14, 28]]),
      ("home < 1.5", [nil, [14, 28], nil, [14, 28]]), ("odds < 1.5", [[28, 14], [28], [28, 14]]),
      ("draw < 3", [nil, [20, 28], [20, 28, 25]]), ("draw < 3", [[20, 28, 25], [20, 28], nil, [20, 28, 25]]),
      ("not draw < 3", [[20, 28, 25], [20, 28], [20, 28, 25]]), ("not draw < 3", [[20, 28, 25], nil, [20, 28, 25]]),
      ("favourite > 2", [[14, 28], [28], [14, 28]]), ("favourite < 1.5", [[28, 14], [28], [28, 14]]),
      ("margin < 20%", [[18, 18, 30], [18, 18], [18, 18, 30]]), ("suspended", [[-18, -18], nil, [-18, -18]]),
    ] as [(String, [[Int?]?])])
  func missing(condition: String, states: [[Int?]?]) throws {
    for hasOther in [false, true] {
      var alerts = try TestAlertStore("when \(condition) again")
      for state in states {
        alerts.apply(Self.match(state, hasOther: hasOther))
        alerts.now.uptime += .seconds(11)
      }
      #expect(alerts.alertTexts == [], "\(hasOther)")
    }
  }

  @Test("A price that crosses the limit while the data is missing raises an alert when the data returns")
  func crossedMeanwhile() throws {
    var alerts = try TestAlertStore("when home < 1.5")
    for state in [[20, 28, 30], nil, [20, 28], [14, 28, 30]] { alerts.apply(Self.match(state)) }
    #expect(alerts.alertTexts == ["Ajax - Porto: home < 1.5"])
  }

  /// Returns a match with the prices of a main market in tenths: home, away, draw. A negative price is suspended; nil
  /// is an outcome without an offer to bet on, or no market. The other market has prices that meet no condition.
  private static func match(_ prices: [Int?]?, isExchange: Bool = false, hasOther: Bool = false) -> Match {
    func market(_ id: Int, _ name: String, _ prices: [Int?]) -> Market {
      let outcomes = prices.enumerated().map { index, tenths in
        let raw = UInt64(10 * id + index)
        let odds = tenths.map { DecimalOdds(units: Int64($0.magnitude) * 1_000_000) }
        let isSuspended = (tenths ?? 0) < 0
        let offer = BettingOffer(id: OfferID(raw: raw), odds: odds, status: isSuspended ? .suspended : .standard)
        return Outcome(
          id: OutcomeID(raw: raw), name: "\(raw)", key: ["home", "away", "draw"][index], offer: offer,
          isBettable: tenths != nil && !isSuspended)
      }
      return Market(
        id: MarketID(raw: UInt64(id)), name: name, mainMarketRank: id, outcomes: outcomes,
        exchange: isExchange ? ExchangeMarket(status: .open) : nil)
    }
    let main = prices.map { market(1, "Match odds", $0) }
    let other = hasOther ? market(2, "Total", [18, 19]) : nil
    return Match(
      id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto"), status: .inProgress,
      markets: [main, other].compactMap { $0 })
  }

  @Test("A condition on time alerts when it becomes true, without an update")
  func time() throws {
    var alerts = try TestAlertStore("start < 10m")
    let match = Self.pending(start: alerts.now.wall + 12 * 60_000)
    alerts.apply(match)
    alerts.wait(.seconds(119))
    #expect(alerts.alertTexts == [] && alerts.store.nextDeadline(after: alerts.now) == alerts.now.uptime + .seconds(1))
    alerts.wait(.seconds(61))
    #expect(alerts.alertTexts == ["Ajax - Porto: start < 10m"])
    alerts.wait(.seconds(600))
    alerts.apply(match)
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("A condition on time is evaluated at each second if it has seconds, also if its rule is added within a minute")
  func seconds() throws {
    var alerts = try TestAlertStore("start < 10m")
    alerts.wait(.milliseconds(500))
    alerts.apply(Self.pending(start: alerts.now.wall + 40_000))
    alerts.add(try AlertRule("when start < 30s"))
    for second in 0..<10 {
      let next = alerts.store.nextDeadline(after: alerts.now)
      #expect(next == alerts.now.uptime + .milliseconds(second == 0 ? 500 : 1000))
      alerts.wait(.milliseconds(second == 0 ? 500 : 1000))
      #expect(alerts.alertTexts == [], "\(second)")
    }
    alerts.wait(.seconds(1))
    #expect(alerts.alertTexts == ["Ajax - Porto: start < 30s"])
    alerts.wait(.seconds(600))
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("A condition on time and odds alerts for the open match on live and locked channels", arguments: [true, false])
  func timeOfOpenMatch(isTrusted: Bool) throws {
    var alerts = try TestAlertStore(#"every outcome when start < 10m and odds < 2"#)
    let start = alerts.now.wall + 12 * 60_000
    alerts.apply(Self.pending(start: start), grade: isTrusted ? .live : .locked)
    alerts.open(Self.pending(start: start, markets: Self.match([18, 19, 21]).markets))
    alerts.wait(.seconds(119))
    #expect(alerts.alertTexts == [])
    #expect(alerts.store.nextDeadline(after: alerts.now) == alerts.now.uptime + .seconds(1))
    alerts.wait(.seconds(61))
    #expect(alerts.alertTexts.count == 2)
    alerts.wait(.seconds(600))
    #expect(alerts.alertTexts.count == 2)
  }

  private static func pending(start: Int64, markets: [Market] = []) -> Match {
    Match(
      id: MatchID(raw: 100), labels: Match.Names(name: "Ajax - Porto"), startTime: start, status: .pending,
      markets: markets)
  }
}
