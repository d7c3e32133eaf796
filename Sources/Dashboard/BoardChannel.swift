package import OddsFeed

/// A channel of the board: a tab with a number.
package struct BoardChannel: Hashable, Sendable {
  /// What stands on the tab.
  package let title: String
  /// What the channel shows.
  package let topic: Topic

  /// A channel.
  package init(title: String, topic: Topic) {
    self.title = title
    self.topic = topic
  }

  /// The channels of a sportsbook feed, each with at most `matches` matches.
  package static func standard(matches: Int, operatorID: String = "1", language: String = "en") -> [BoardChannel] {
    func channel(_ title: String, _ kind: Topic.Aggregator, sport: String = Topic.allSports) -> BoardChannel {
      BoardChannel(
        title: title,
        topic: .aggregator(kind, sport: sport, matches: matches, operatorID: operatorID, language: language))
    }
    return [
      channel("Live", .live), channel("Football", .popular, sport: "1"), channel("Tennis", .popular, sport: "3"),
      channel("Basketball", .popular, sport: "8"), channel("Next", .next), channel("Popular", .popular),
    ]
  }
}
