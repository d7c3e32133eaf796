package import Localization
import OddsFeed
package import OddsModel

/// The topics of the EveryMatrix feed (Transport.md).
package struct EveryMatrixCatalog: FeedCatalog {
  private let operatorID: String
  private let language: String

  /// Creates a catalog whose standard channels are those of an operator, in a language of the feed.
  package init(operatorID: String = "1", language: String = "en") {
    self.operatorID = operatorID
    self.language = language
  }

  package func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)] {
    func channel(
      _ title: MessageKey, _ list: Topic.MatchList, sport: String = Topic.allSports
    ) -> (title: MessageKey, topic: Topic) {
      (title, .aggregator(list, sport: sport, matches: matches, operatorID: operatorID, language: language))
    }
    return [
      channel(.channelLive, .live), channel(.channelFootball, .popular, sport: "1"),
      channel(.channelTennis, .popular, sport: "3"), channel(.channelBasketball, .popular, sport: "8"),
      channel(.channelNext, .next), channel(.channelPopular, .popular),
    ]
  }

  package func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic? {
    list.operatorAndLanguage.map { .match(id, operatorID: $0.operatorID, language: $0.language) }
  }

  package func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic? {
    guard let (operatorID, language) = list.operatorAndLanguage else { return nil }
    return ids.isEmpty
      ? .sports(liveOnly: true, operatorID: operatorID, language: language)
      : .offers(ids, operatorID: operatorID, language: language)
  }

  package func matchLimit(of topic: Topic) -> Int? {
    guard case .aggregator(_, _, let matches, _) = topic.content else { return nil }
    return matches
  }

  package func topic(_ topic: Topic, limitedTo matches: Int) -> Topic {
    guard matchLimit(of: topic) != nil else { return topic }
    var parts = topic.path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
    parts[parts.count - 2] = "\(matches)"
    return Topic(path: parts.joined(separator: "/"))
  }
}
