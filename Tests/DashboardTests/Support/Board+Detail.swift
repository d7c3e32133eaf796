import EveryMatrix
import OddsFeed
import OddsModel
import TerminalCore
import TestSupport

@testable import Dashboard

extension Effect {
  /// Opens a match of the first channel.
  static func openMatch(_ id: MatchID) -> Effect { .openMatch(id, of: .aggregator(.live, matches: 100)) }
}

extension Board {
  /// The effect that opens a channel.
  func open(_ channel: Int) -> Effect { .openChannel(state.channels[channel].topic) }

  /// Opens the match under the cursor, with the channel's state of it and an answer whether it has its own topic.
  mutating func openMatch(_ match: Match = .football(), hasTopic: Bool = true) {
    press(.enter)
    _ = state.reduce(.matchOpened(match.id, known: match, hasTopic: hasTopic), now: now)
  }

  /// Applies an update from the topic of the open match.
  mutating func updateMatch(
    _ match: Match? = nil, removed: [MatchID] = [], grade: Freshness.Grade = .live, topic: TopicState = .live,
    isLoaded: Bool = true, source: DataSource = .stream, cause: Freshness.Cause? = nil
  ) {
    let update = ChannelUpdate(
      changed: match.map { [$0] } ?? [], removed: removed, isLoaded: isLoaded,
      freshness: Freshness(grade, since: now.wall, cause: cause), topic: topic, source: source)
    _ = state.reduce(.matchUpdated(update), now: now)
  }
}

/// A match with many markets, built from messages of a feed.
struct RichMatch {
  var id = 100
  var name = "Ajax - Porto"
  /// Odds of home, draw, away.
  var result = ["2.45", "3.1", "2.9"]
  /// The number of markets with a total of goals: 0.5, 1.5, …
  var totals = 4
  /// Further updates, applied after the dump.
  var updates: [String] = []

  var match: Match {
    var state = ChannelState()
    let main = #"{"_type":"MAIN_MARKET","id":"9","bettingTypeId":"69"}"#
    let head = FeedText.football(id, name, odds: result)
      .replacing(
        #""statusId":"2""#,
        with:
          #""statusId":"2","parentName":"UEFA Champions League","categoryName":"Europe","currentPartName":"2nd Half""#)
    let infos =
      #"{"_type":"EVENT_INFO","id":"8","typeId":"1","eventId":"\#(id)","paramFloat1":1,"paramFloat2":0},"#
      + #"{"_type":"EVENT_INFO","id":"7","typeId":"95","eventId":"\#(id)","paramFloat1":54}"#
    let lines = (0..<totals).map(total)
    state.apply(.of(FeedText.dump(([main, head, infos] + lines).joined(separator: ","))))
    for update in updates { state.apply(.of(FeedText.update(update))) }
    return state.match(MatchID(raw: UInt64(id)))!
  }

  /// Returns the records of a total-goals market: the market, its outcomes, relations and offers.
  private func total(_ index: Int) -> String {
    let market = id * 1000 + index * 10
    let sides = ["over", "under"].enumerated().map { sideIndex, side in
      """
      {"_type":"OUTCOME","id":"\(market + 1 + sideIndex)","eventId":"\(id)","translatedName":"\(side.capitalized)",\
      "headerNameKey":"\(side)"},\
      {"_type":"MARKET_OUTCOME_RELATION","id":"\(market + 4 + sideIndex)","marketId":"\(market)","outcomeId":"\(market + 1 + sideIndex)"},\
      \(FeedText.offer(market + 7 + sideIndex, outcome: market + 1 + sideIndex, odds: sideIndex == 0 ? "1.\(index + 2)5" : "3.\(index)"))
      """
    }
    return """
      {"_type":"MARKET","id":"\(market)","eventId":"\(id)","name":"Total Goals","bettingTypeId":"47",\
      "paramFloat1":\(index).5,"isAvailable":true,"isClosed":false},\(sides.joined(separator: ","))
      """
  }
}

extension String {
  fileprivate var capitalized: String { prefix(1).uppercased() + dropFirst() }
}
