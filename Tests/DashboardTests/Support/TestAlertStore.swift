import Localization
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// An alert store for tests, with a manual clock; its alerts are kept as text.
struct TestAlertStore {
  var store = AlertStore()
  /// 2025-06-24 08:00:00 UTC; the zone is UTC.
  var now = FrameTime(uptime: .seconds(10), wall: 1_750_752_000_000, zone: 0)
  private(set) var alertTexts: [String] = []

  init(_ rules: String...) throws {
    for rule in rules { add(try AlertRule(rule)) }
  }

  mutating func add(_ rule: AlertRule) { append(store.add(rule, now: now) ?? []) }

  /// Deletes an added rule, and silences or restores a configured one.
  mutating func remove(_ id: Int) { append(store.remove(id, now: now)) }

  mutating func wait(_ time: Duration) {
    now.uptime += time
    now.wall += Int64(time / .milliseconds(1))
    append(store.tick(now: now))
  }

  mutating func apply(
    _ changed: Match..., removed: [MatchID] = [], grade: Freshness.Grade = .live
  ) {
    let update = ChannelUpdate(
      changed: changed, removed: removed, freshness: Freshness(grade, since: now.wall))
    append(store.apply(update, now: now))
  }

  /// Opens a match, or closes the open one.
  mutating func open(_ match: Match?) { append(store.apply(open: match, now: now)) }

  mutating func closeChannel() { _ = store.reduce(.channelClosed, Board().state.context(now)) }

  /// Applies prices of one match in sequence; returns those that raised an alert.
  mutating func prices(_ prices: [String], id: Int = 100) -> [String] {
    prices.filter { price in
      let before = alertTexts.count
      apply(.football(id, odds: [price, "3.1", "2.9"]))
      return alertTexts.count > before
    }
  }

  private mutating func append(_ events: [AlertEvent]) {
    let formatter = ChangeFormatter(words: .english, odds: .decimal)
    alertTexts += events.map { formatter.sentence(of: $0, now: now) }
  }
}

extension Match {
  /// The usual match with a score, and optionally another status and sport.
  static func football(score: (Int, Int), status: Int = 2, sport: Int = 1) -> Match {
    .football(
      then: [
        FeedText.create(
          "EVENT_INFO", 199,
          #"{"_type":"EVENT_INFO","id":"199","eventId":"100","typeId":"1","eventPartId":"3","paramFloat1":\#(score.0),"paramFloat2":\#(score.1)}"#
        ),
        FeedText.change("MATCH", 100, #""statusId":"\#(status)","sportId":"\#(sport)""#),
      ].joined(separator: ","))
  }
}
