import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Prices that may be out of date although their channel is live: their market awaits its image, or their match is
/// over.
struct AlertDoubtTests {
  private static let end = FeedText.change("MATCH", 100, #""statusId":"3""#)

  @Test("A price in a market that awaits its image raises no alert; when the image arrives, all rules are evaluated")
  func awaitedImage() throws {
    var alerts = try TestAlertStore(
      "1 >= 2.50", #"market "Total" outcome "Ajax" >= 2.50"#, "1 up 10% in 10m", "every outcome when odds > 2.40")
    alerts.apply(.exchange(20))
    alerts.apply(.exchange(26, awaiting: [1, 2]))
    alerts.apply(.exchange(20, awaiting: [1, 2]))
    alerts.apply(.exchange(26, awaiting: [1, 2]))
    #expect(alerts.alertTexts == [])
    alerts.apply(.exchange(26, awaiting: [1]))
    #expect(alerts.alertTexts == ["Ajax - Porto: Total, Ajax 2.60 (>= 2.50)"])
    alerts.apply(.exchange(26))
    #expect(alerts.alertTexts.contains("Ajax - Porto: home 2.60 (>= 2.50)"))
  }

  @Test("A market that awaits its image is neither suspended nor open again; its last known state is compared")
  func awaitedState() throws {
    var alerts = try TestAlertStore(
      "suspended", "resumed", #"market "Total" outcome "Ajax" suspended"#,
      #"market "Total" outcome "Ajax" when suspended again"#)
    alerts.apply(.exchange())
    alerts.apply(.exchange(awaiting: [1, 2]))
    alerts.apply(.exchange())
    #expect(alerts.alertTexts == [])
    alerts.apply(.exchange(awaiting: [1, 2]))
    alerts.apply(.exchange(20, .suspended))
    #expect(
      alerts.alertTexts.sorted() == [
        "Ajax - Porto: Total, Ajax - (suspended)", "Ajax - Porto: Total, Ajax suspended", "Ajax - Porto: suspended",
      ])
    alerts.apply(.exchange(awaiting: [1, 2]))
    #expect(alerts.alertTexts.count == 3)
    alerts.apply(.exchange())
    #expect(alerts.alertTexts.dropFirst(3) == ["Ajax - Porto: open again"])
  }

  @Test("A suspended match whose market is deleted is not open again before an open market returns")
  func noMarket() throws {
    let suspended = [121, 122, 123].map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }
    var alerts = try TestAlertStore("resumed")
    alerts.apply(.football())
    alerts.apply(.football(then: suspended.joined(separator: ",")))
    alerts.apply(.football(then: FeedText.delete("MARKET", 110)))
    #expect(alerts.alertTexts == [])
    alerts.apply(.football())
    #expect(alerts.alertTexts == ["Ajax - Porto: open again"])
  }

  @Test("The prices of a match that is over raise no alert, even if its offers remain, until the match goes on")
  func over() throws {
    var alerts = try TestAlertStore("1 >= 2.50", "1 up 1% in 10m", #"market "Match Result" outcome "home" suspended"#)
    alerts.apply(.football())
    alerts.apply(.football(odds: ["2.6", "3.1", "2.9"], then: Self.end))
    alerts.apply(.football(odds: ["2.7", "3.1", "2.9"], then: Self.end))
    #expect(alerts.alertTexts == [])
    alerts.apply(.football(odds: ["2.6", "3.1", "2.9"]))
    #expect(alerts.alertTexts.contains("Ajax - Porto: home 2.60 (>= 2.50)"))
  }
}
