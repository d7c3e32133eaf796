package import Localization
import OddsFeed
package import OddsModel

/// The topics of Betfair (Topics.md).
package struct BetfairCatalog: FeedCatalog {
  /// The event types whose main market is `WIN`: horse and greyhound races. That of the others is `MATCH_ODDS`.
  private static let raceEventTypes: Set<String> = ["7", "4339"]

  package init() {}

  package func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)] {
    [
      (.channelInPlay, Self.list(sport: nil, isInPlay: true)), (.channelFootball, Self.list(sport: "1")),
      (.channelTennis, Self.list(sport: "2")), (.channelBasketball, Self.list(sport: "7522")),
      (.channelHorseRacing, Self.list(sport: "7")),
    ]
  }

  /// Returns the topic of the main markets of a sport, by the id of its event type; of all sports if it is nil. With a
  /// `limit`, it has at most that many, and at most those of a subscription.
  package static func list(sport: String?, isInPlay: Bool = false, limit: Int? = nil) -> Topic {
    let type = sport.map(raceEventTypes.contains) ?? false ? "WIN" : "MATCH_ODDS"
    let criteria = MarketCriteria(
      sports: sport.map { [$0] } ?? [], types: [type], isInPlay: isInPlay,
      limit: limit.map { min($0, MarketSubscription.maxMarkets) })
    return BetfairTopic(selection: .list(criteria)).topic
  }

  package func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic? {
    // A market without an event is a match of its own.
    let selection: BetfairTopic.Selection =
      BetfairTopic.isMarket(id.description) ? .markets([id.description]) : .event(id.description)
    return BetfairTopic(BetfairTopic(selection: selection).topic)?.topic
  }

  package func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic? {
    // The id of an offer begins with that of its market.
    let markets = Set(ids.compactMap { $0.description.split(separator: "/").first.map(String.init) })
    if markets.isEmpty { return BetfairTopic(selection: .none).topic }
    let named = Array(markets.sorted().prefix(MarketSubscription.maxMarkets))
    return BetfairTopic(BetfairTopic(selection: .markets(named)).topic)?.topic
  }

  // NB: The limit of a topic is one of markets. A list has no pages, because each would need an image of its own.
  package func matchLimit(of topic: Topic) -> Int? { nil }

  package func topic(_ topic: Topic, limitedTo matches: Int) -> Topic { topic }
}
