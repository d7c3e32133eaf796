package import Localization
package import OddsModel

/// The topics that exist in a provider's feed.
package protocol FeedCatalog: Sendable {
  /// Returns the provider's usual channels, each with at most `matches` matches, with the messages of their titles.
  func standardChannels(matches: Int) -> [(title: MessageKey, topic: Topic)]

  /// Returns the topic with all markets of a match, in the language of the topic that lists it; nil if there is none.
  func topic(ofMatch id: MatchID, listedIn list: Topic) -> Topic?

  /// Returns the topic of single offers, in the language of `list`; nil if there is none. Without any offer the topic
  /// has no matches, but carries the state of the connection.
  func topic(ofOffers ids: [OfferID], listedIn list: Topic) -> Topic?

  /// Returns the largest number of matches that a topic selects; nil if the topic has no such limit.
  func matchLimit(of topic: Topic) -> Int?

  /// Returns a topic with at most `matches` matches; unchanged if the topic has no limit.
  func topic(_ topic: Topic, limitedTo matches: Int) -> Topic
}
