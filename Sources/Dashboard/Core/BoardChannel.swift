package import Localization
package import OddsFeed

/// A channel of the board: a numbered tab.
package struct BoardChannel: Hashable, Sendable {
  /// The title on the tab.
  package let title: String
  /// The topic that the channel shows.
  package let topic: Topic
  /// The message of a translated title. The English text is made only when the name is requested.
  private let meaning: LocalizedMessage?

  /// Creates a channel. A channel with a translated title can also be named in English.
  package init(title: String, topic: Topic, meaning: LocalizedMessage? = nil) {
    self.title = title
    self.topic = topic
    self.meaning = meaning
  }

  /// The English name, which help shows in every language. The title itself if it is not translated.
  package var name: String { meaning?.description ?? title }

  /// The channel with a title in ASCII: without accents, or else the English name.
  package var inASCII: BoardChannel {
    let plain = title.inASCII
    return BoardChannel(title: plain.utf8.allSatisfy { $0 < 0x80 } ? plain : name, topic: topic, meaning: meaning)
  }

  /// True if a text is the channel's title or English name, ignoring case.
  package func isCalled(_ text: String) -> Bool {
    title.lowercased() == text.lowercased() || name.lowercased() == text.lowercased()
  }

  /// Returns the channels of a sportsbook feed, each with at most `matches` matches.
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

/// A tab of the board.
enum Tab: Hashable, Sendable {
  /// The pinned matches.
  case watchList
  /// The channel with an index.
  case channel(Int)

  /// The number on the tab.
  var number: Int {
    switch self {
    case .watchList: 0
    case .channel(let index): index + 1
    }
  }
}
