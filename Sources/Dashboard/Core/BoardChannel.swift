package import Localization
package import OddsFeed

/// A channel of the board: a tab with a number.
package struct BoardChannel: Hashable, Sendable {
  /// What stands on the tab.
  package let title: String
  /// What the channel shows.
  package let topic: Topic
  /// What its title says, where that is translated: only who asks for its name needs the English words.
  private let meaning: LocalizedMessage?

  /// A channel. Where its title is translated, it answers to that in English too.
  package init(title: String, topic: Topic, meaning: LocalizedMessage? = nil) {
    self.title = title
    self.topic = topic
    self.meaning = meaning
  }

  /// What it is called in English, and in help whatever the language.
  package var name: String { meaning?.description ?? title }

  /// The channel with a title for a terminal of ASCII characters: without accents, or else the English one.
  package var inASCII: BoardChannel {
    let plain = title.inASCII
    return BoardChannel(title: plain.utf8.allSatisfy { $0 < 0x80 } ? plain : name, topic: topic, meaning: meaning)
  }

  /// The channel with another topic.
  func with(_ topic: Topic) -> BoardChannel { BoardChannel(title: title, topic: topic, meaning: meaning) }

  /// Whether somebody who writes that, in capitals or not, means this channel.
  package func isCalled(_ text: String) -> Bool {
    title.lowercased() == text.lowercased() || name.lowercased() == text.lowercased()
  }

  /// The channels of a sportsbook feed, each with at most `matches` matches.
  package static func standard(
    matches: Int, operatorID: String = "1", language: String = "en", words: Catalog = .english
  ) -> [BoardChannel] {
    func channel(_ title: MessageKey, _ kind: Topic.MatchList, sport: String = Topic.allSports) -> BoardChannel {
      BoardChannel(
        title: words(title),
        topic: .aggregator(kind, sport: sport, matches: matches, operatorID: operatorID, language: language),
        meaning: LocalizedMessage(title))
    }
    return [
      channel(.channelLive, .live), channel(.channelFootball, .popular, sport: "1"),
      channel(.channelTennis, .popular, sport: "3"), channel(.channelBasketball, .popular, sport: "8"),
      channel(.channelNext, .next), channel(.channelPopular, .popular),
    ]
  }
}
