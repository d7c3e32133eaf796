import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// The changes that raise alerts, and those that do not.
struct AlertStoreTests {
  @Test(
    "A price that reaches the limit alerts once, or again after it has moved back by the margin",
    arguments: [
      ("1 >= 2.10", "2.00 2.0999999 2.10 2.09 2.11 1.50 2.50", "2.10"),
      ("1 > 2.10", "2.10 2.11", "2.11"), ("1 <= 2.10", "2.11 2.10", "2.10"),
      ("1 < 2.10", "2.10 2.0999999", "2.0999999"),
      // Prices that cross the limit repeatedly: 2.058 is 2% below it.
      ("1 >= 2.10 again", "2.10 2.09 2.10 2.0580001 2.12 2.058 2.09 2.10 2.09 2.11", "2.10 2.10"),
      ("1 >= 2.10 again by 0.01%", "2.10 2.0998 2.10 2.0997 2.10", "2.10 2.10"),
      ("1 <= 2.00 again by 5%", "2.00 2.09 1.99 2.10 2.00", "2.00 2.00"),
      ("1 < 2.00 again", "1.99 2.00 2.03 1.99 2.04 2.00 1.99", "1.99 1.99"),
      // Beyond the limit from the beginning: alerts at once.
      ("1 >= 2.10", "3.00 3.10", "3.00"),
    ])
  func price(rule: String, prices: String, expected: String) throws {
    var alerts = try TestAlertStore(rule)
    let all = prices.split(separator: " ").map(String.init)
    #expect(alerts.prices(all).joined(separator: " ") == expected, "\(alerts.alertTexts)")
  }

  @Test("The text of an alert names the match, the price and the limit")
  func sentence() throws {
    var alerts = try TestAlertStore("1 >= 2.10", "favourite < 1.2")
    alerts.apply(.football(odds: ["2.2", "3.1", "2.9"]))
    alerts.apply(.football(odds: ["2.3", "3.1", "1.15"]))
    #expect(alerts.alertTexts == ["Ajax - Porto: home 2.20 (>= 2.10)", "Ajax - Porto: favourite 1.15 (< 1.20)"])
  }

  @Test("The favourite has the lowest price and does not alert while suspended; any evaluates each price separately")
  func picks() throws {
    let suspended = FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)
    var alerts = try TestAlertStore("favourite > 2.5")
    alerts.apply(.football(odds: ["1.5", "3.1", "2.9"]))
    alerts.apply(.football(odds: ["1.5", "3.1", "2.9"], then: suspended))
    #expect(alerts.alertTexts == [])
    alerts.apply(.football(odds: ["2.6", "3.1", "2.9"]))
    #expect(alerts.alertTexts == ["Ajax - Porto: favourite 2.60 (> 2.50)"])
    alerts = try TestAlertStore("any >= 4 again")
    alerts.apply(.football(odds: ["4", "3.1", "5"]))
    alerts.apply(.football(odds: ["4.1", "4.2", "5"]))
    #expect(
      alerts.alertTexts.map { $0.prefix(19) } == ["Ajax - Porto: home ", "Ajax - Porto: away ", "Ajax - Porto: draw "])
    alerts = try TestAlertStore("any >= 4")
    alerts.apply(.football(odds: ["4", "3.1", "5"]))
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("A favourite that is suspended, withdrawn or deleted stays the favourite and raises no alert")
  func absentFavourite() throws {
    for gone in [
      FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#),
      FeedText.change("BETTING_OFFER", 121, #""statusId":"4""#),
      FeedText.change("BETTING_OFFER", 121, #""isAvailable":false"#), FeedText.delete("BETTING_OFFER", 121),
      FeedText.change("BETTING_OFFER", 121, #""odds":null,"statusId":"7""#),
    ] {
      var alerts = try TestAlertStore("favourite > 2 again", "favourite up 5% in 10m again")
      // The price is absent at first, but known if the feed has sent it.
      alerts.apply(.football(odds: ["1.5", "3.1", "2.9"], then: gone))
      alerts.apply(.football(odds: ["1.5", "3.1", "2.9"]))
      alerts.apply(.football(odds: ["1.5", "3.1", "2.9"], then: gone))
      alerts.apply(.football(odds: ["1.5", "3.2", "2.5"], then: gone))
      #expect(alerts.alertTexts == [], "\(gone)")
      alerts.apply(.football(odds: ["2.6", "3.1", "2.5"]))
      #expect(alerts.alertTexts.count == 2, "\(gone)")
    }
  }

  @Test("There is no favourite while a price is unknown, or while one of two equal prices is suspended")
  func unknownFavourite() throws {
    var alerts = try TestAlertStore("favourite > 1.2 again by 1%")
    let suspended = FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)
    alerts.apply(.football(odds: ["null", "3.1", "2.9"]))
    alerts.apply(.football(odds: ["2.9", "3.1", "2.9"], then: suspended))
    #expect(alerts.alertTexts == [])
    alerts.apply(.football(odds: ["2.9", "3.1", "2.9"]))
    #expect(alerts.alertTexts == ["Ajax - Porto: favourite 2.90 (> 1.20)"])
  }

  @Test("A suspended or withdrawn price neither raises an alert nor arms a rule")
  func held() throws {
    var alerts = try TestAlertStore("1 >= 2.10 again")
    for (status, price) in [("7", "3"), ("4", "3"), ("1", "2.2"), ("7", "1.5"), ("1", "2.3")] {
      alerts.apply(
        .football(
          odds: [price, "3.1", "2.9"], then: FeedText.change("BETTING_OFFER", 121, #""statusId":"\#(status)""#)))
    }
    #expect(alerts.alertTexts == ["Ajax - Porto: home 2.20 (>= 2.10)"])
  }

  @Test("Locked prices raise no alert; when prices are live again, a limit reached meanwhile alerts once")
  func locked() throws {
    var alerts = try TestAlertStore("1 >= 2.10 again", "suspended")
    alerts.apply(.football(odds: ["2", "3.1", "2.9"]))
    alerts.apply(.football(odds: ["2.2", "3.1", "2.9"]), grade: .locked)
    alerts.apply(.football(odds: ["2.3", "3.1", "2.9"]), grade: .locked)
    #expect(alerts.alertTexts == [])
    alerts.apply()
    #expect(alerts.alertTexts == ["Ajax - Porto: home 2.30 (>= 2.10)"])
    // Locked again, and the price is still above the limit afterwards.
    alerts.apply(grade: .locked)
    alerts.apply(.football(odds: ["2.31", "3.1", "2.9"]))
    alerts.apply(grade: .closed)
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("Leaving a channel and returning to it does not repeat an alert")
  func channels() throws {
    var alerts = try TestAlertStore("1 >= 2.10 again", "score")
    alerts.apply(.football(score: (0, 0)))
    #expect(alerts.alertTexts.count == 1)
    alerts.closeChannel()
    alerts.apply(.football(score: (0, 0)))
    #expect(alerts.alertTexts.count == 1)
    alerts.apply(.football(score: (1, 0)))
    alerts.wait(.seconds(30))
    alerts.closeChannel()
    alerts.apply(.football(score: (1, 0)))
    #expect(alerts.alertTexts.dropFirst() == ["Ajax - Porto: goal, 1-0"])
  }

  @Test("Each suspension and resumption alerts, except a quick repeat and a match that is first seen suspended")
  func suspensions() throws {
    let suspended = Match.football(
      then: [121, 122, 123].map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }.joined(separator: ","))
    var alerts = try TestAlertStore("suspended", "resumed")
    alerts.apply(suspended)
    alerts.apply(.football())
    alerts.apply(suspended)
    alerts.wait(.seconds(2))
    alerts.apply(.football())
    alerts.wait(.seconds(20))
    alerts.apply(suspended)
    #expect(alerts.alertTexts.map { $0.dropFirst(14) } == ["open again", "suspended", "suspended"])
    let once = AlertRule(.all, .suspended(nil), .once)
    alerts = try TestAlertStore()
    alerts.add(once)
    for _ in 0..<3 {
      alerts.apply(.football())
      alerts.wait(.seconds(20))
      alerts.apply(suspended)
    }
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("A score change raises an alert, which is a goal if a football score rises")
  func scores() throws {
    var alerts = try TestAlertStore("score")
    for score in [(0, 0), (1, 0), (0, 0), (1, 1)] { alerts.apply(.football(score: score)) }
    alerts.apply(.football(score: (2, 1), sport: 3))
    #expect(
      alerts.alertTexts.map { $0.dropFirst(14) } == ["goal, 1-0", "score 0-0", "goal, 1-1", "score 2-1"])
  }

  @Test(
    "A sport is football if it has the id of football, or its name in one of the languages",
    arguments: [
      ("1", "", "goal, 1-0"), ("football", "Football", "goal, 1-0"), ("football", "足球", "goal, 1-0"),
      ("6423", "American football", "score 1-0"), ("3", "", "score 1-0"),
    ])
  func football(id: String, sport: String, expected: String) throws {
    var alerts = try TestAlertStore("score")
    let labels = Match.Names(name: "Ajax - Porto", sport: sport)
    for goals in 0...1 {
      alerts.apply(Match(id: 100, labels: labels, sportID: SportID(id), score: Score(home: goals, away: 0)))
    }
    #expect(alerts.alertTexts == ["Ajax - Porto: \(expected)"])
  }

  @Test("A kick-off alerts once, when the match begins or the given time before its scheduled start")
  func kickOff() throws {
    let pending = FeedText.change("MATCH", 100, #""statusId":"1""#)
    let start: Int64 = 1_750_752_000_000 + 600_000
    var alerts = try TestAlertStore("kickoff", "kickoff in 5m", "kickoff in 1h")
    alerts.apply(.football(start: start, then: pending))
    // The start is already less than one hour away.
    alerts.wait(.zero)
    #expect(alerts.alertTexts == ["Ajax - Porto: kick-off at 08:10"])
    #expect(alerts.store.nextDeadline(after: alerts.now) == .zero)  // The deadline of the bell.
    _ = alerts.store.notifications.drain(now: alerts.now.uptime)
    #expect(alerts.store.nextDeadline(after: alerts.now) == alerts.now.uptime + .seconds(300))
    alerts.wait(.seconds(299))
    #expect(alerts.alertTexts.count == 1)
    alerts.wait(.seconds(1))
    #expect(alerts.alertTexts.count == 2)
    // The start is postponed, which does not alert a second time.
    alerts.apply(.football(start: start + 3_600_000, then: pending))
    alerts.wait(.seconds(3600))
    #expect(alerts.alertTexts.count == 2)
    alerts.apply(.football(start: start))
    #expect(alerts.alertTexts.last == "Ajax - Porto: kick-off" && alerts.alertTexts.count == 3)
    alerts.wait(.seconds(10_000))
    #expect(alerts.alertTexts.count == 3 && alerts.store.nextDeadline(after: alerts.now)! < alerts.now.uptime)
  }

  @Test("A match first seen after its start raises no alert; the clock decides if the status is unknown")
  func lateKickOff() throws {
    var alerts = try TestAlertStore("kickoff", "kickoff in 5m")
    let unknown = FeedText.change("MATCH", 100, #""statusId":"99""#)
    alerts.apply(.football(start: alerts.now.wall - 120_000, then: unknown), .football(200))
    alerts.wait(.seconds(1))
    #expect(alerts.alertTexts == [])
    alerts.apply(
      .football(300, start: alerts.now.wall + 1000, then: FeedText.change("MATCH", 300, #""statusId":"99""#)))
    alerts.wait(.seconds(1))
    #expect(alerts.alertTexts == ["Ajax - Porto: kick-off at 08:00"])
  }

  @Test("A rule applies to the match with its id, or to the matches whose names contain its words")
  func scopes() throws {
    var alerts = try TestAlertStore(
      #"match 200 "x" 1 > 1.01"#, "köln PORTO 1 > 1.01", #""no such" 1 > 1.01"#, "lens X > 1.01",
      "plzen skoda 2 > 1.01")
    alerts.apply(
      .football(100, "1. FC Köln - Porto"), .football(200, "Ajax - Porto"), .football(300, "Lens - Lille"),
      .football(400, "Škoda Plzeň - Nice"))
    #expect(
      alerts.alertTexts == [
        "1. FC Köln - Porto: home 2.45 (> 1.01)", "Ajax - Porto: home 2.45 (> 1.01)",
        "Lens - Lille: draw 3.10 (> 1.01)", "Škoda Plzeň - Nice: away 2.90 (> 1.01)",
      ])
    // A match is renamed.
    alerts = try TestAlertStore("lens 1 > 1.01")
    alerts.apply(.football(300, "Lille - Lyon"))
    alerts.apply(.football(300, "Lens - Lyon"))
    #expect(alerts.alertTexts.count == 1)
  }

  @Test("A rule added late alerts at once if its limit is already reached; a score rule alerts on the next change")
  func late() throws {
    var alerts = try TestAlertStore()
    alerts.apply(.football(score: (1, 0)))
    alerts.add(try AlertRule("1 >= 2"))
    #expect(alerts.alertTexts == ["Ajax - Porto: home 2.45 (>= 2.00)"])
    alerts.add(try AlertRule("score"))
    alerts.apply(.football(score: (2, 0)))
    #expect(alerts.alertTexts.last == "Ajax - Porto: goal, 2-0")
    #expect(alerts.store.add(try AlertRule("goal"), now: alerts.now) == nil)
  }

  @Test("A rule that is deleted and added again does not alert for changes in between")
  func deleted() throws {
    var alerts = try TestAlertStore("score")
    alerts.apply(.football(score: (1, 0)))
    _ = alerts.store.remove(1, now: alerts.now)
    alerts.apply(.football(score: (2, 0)))
    alerts.add(try AlertRule("score"))
    #expect(alerts.alertTexts == [])
  }

  @Test("A changed configuration keeps added rules and raised alerts, and silenced rules raise none")
  func configured() throws {
    var alerts = try TestAlertStore("2 >= 1.5")
    let (first, second) = (try AlertRule("1 >= 2"), try AlertRule("1 >= 2.2"))
    alerts.apply(.football())
    func configure(_ rules: AlertRule...) { alertCount += alerts.store.configure(rules, now: alerts.now).count }
    var alertCount = 0
    configure(first)
    configure(second, first)
    #expect(alertCount == 2)
    configure(second, first)
    configure(second)
    #expect(alertCount == 2)
    #expect(alerts.store.rules.active.map(\.rule.text) == ["1 >= 2.20", "2 >= 1.50"])
    let third = try AlertRule("X > 9")
    configure(third)
    _ = alerts.store.remove(alerts.store.rules.active[0].id, now: alerts.now)
    #expect(alerts.store.rules.active.map { $0.state(in: nil) } == [.silenced, .armed])
    alerts.apply(.football(odds: ["2", "10", "2"]))
    #expect(alerts.store.log.events.count == 3)
    #expect(alerts.store.remove(alerts.store.rules.active[0].id, now: alerts.now).count == 1)
  }

  @Test("A move is measured from any price in the time span, and after an alert from the price that raised it")
  func moves() throws {
    var alerts = try TestAlertStore("1 move 5% in 10m again")
    func price(_ price: String, after time: Duration) -> Int {
      alerts.wait(time)
      return alerts.prices([price]).count
    }
    #expect(price("2.00", after: .zero) == 0)
    #expect(price("2.05", after: .seconds(60)) == 0)
    #expect(price("2.09", after: .seconds(60)) == 0)
    #expect(price("2.10", after: .seconds(60)) == 1)
    #expect(alerts.alertTexts == ["Ajax - Porto: home 2.10, up 5.0% from 2.00 in 10m"])
    #expect(price("2.00", after: .seconds(60)) == 0)
    #expect(price("1.99", after: .seconds(60)) == 1)
    // 1.99 was the price for all of the ten minutes.
    #expect(price("2.08", after: .seconds(3600)) == 0)
    #expect(price("2.09", after: .seconds(30)) == 1)
  }

  @Test("A price that was suspended for longer than the rule's time span is not compared with the next price")
  func moveOverSuspension() throws {
    let suspended = FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#)
    for (time, alertCount) in [(Duration.seconds(300), 1), (.seconds(1200), 0)] {
      var alerts = try TestAlertStore("1 up 5% in 10m", "favourite up 5% in 10m", "any up 5% in 10m")
      alerts.apply(.football(odds: ["2", "3.1", "2.9"]))
      alerts.apply(.football(odds: ["2", "3.1", "2.9"], then: suspended))
      alerts.wait(time)
      alerts.apply(.football(odds: ["2", "3.1", "2.9"], then: suspended))
      alerts.apply(.football(odds: ["2.2", "3.1", "2.9"]))
      #expect(alerts.alertTexts.count == alertCount * 3, "\(alerts.alertTexts)")
    }
  }

  @Test("Prices of different main markets are not compared")
  func moveOverMarkets() throws {
    var alerts = try TestAlertStore("any move 5% in 10m again", "favourite move 5% in 10m again")
    alerts.apply(.football(odds: ["2", "3.1", "2.9"]))
    alerts.apply(.football(odds: ["2", "3.1", "2.9"], then: FeedText.otherMarket(odds: "5")))
    alerts.apply(.football(odds: ["2", "3.1", "2.9"]))
    #expect(alerts.alertTexts == [])
  }

  @Test("A price from before a connection loss is compared if it was known within the rule's time span")
  func moveOverLock() throws {
    for (lost, alertCount) in [(Duration.seconds(60), 1), (.seconds(1200), 0)] {
      var alerts = try TestAlertStore("1 up 5% in 10m")
      alerts.apply(.football(odds: ["2", "3.1", "2.9"]))
      alerts.apply(grade: .locked)
      alerts.wait(lost)
      alerts.apply(.football(odds: ["3", "3.1", "2.9"]))
      #expect(alerts.alertTexts.count == alertCount)
    }
  }
}
