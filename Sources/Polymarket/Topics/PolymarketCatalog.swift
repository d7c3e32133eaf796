package import Localization
import OddsFeed
package import OddsModel

/// The topics of Polymarket (Topics.md).
package struct PolymarketCatalog: FeedCatalog {
  package init() {}

  package func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)] {
    [
      (.channelLive, PolymarketTopic.live(limit: matches).topic),
      (.channelToday, PolymarketTopic.today(limit: matches).topic),
    ]
      + [
        (.channelNFL, "nfl"), (.channelNBA, "nba"), (.channelMLB, "mlb"), (.channelNHL, "nhl"),
        (.channelPremierLeague, "epl"),
      ].map { title, league in (title, PolymarketTopic.league(league, limit: matches).topic) }
  }

  package func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic? {
    UInt64(id.description).map { PolymarketTopic.event($0).topic }
  }

  package func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic? {
    // There are no topics of single offers, so there are no watch lists.
    nil
  }

  package func matchLimit(of topic: Topic) -> Int? { PolymarketTopic(topic)?.limit }

  package func topic(_ topic: Topic, limitedTo matches: Int) -> Topic {
    switch PolymarketTopic(topic) {
    case .live(let sport, _): PolymarketTopic.live(sport: sport, limit: matches).topic
    case .today(let sport, _): PolymarketTopic.today(sport: sport, limit: matches).topic
    case .league(let league, _): PolymarketTopic.league(league, limit: matches).topic
    case .event, PolymarketTopic.none?, nil: topic
    }
  }
}
