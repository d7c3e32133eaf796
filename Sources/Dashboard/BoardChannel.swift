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
  package static func standard(matches: Int) -> [BoardChannel] {
    [
      BoardChannel(title: "Live", topic: .aggregator(.live, matches: matches)),
      BoardChannel(title: "Football", topic: .aggregator(.popular, sport: "1", matches: matches)),
      BoardChannel(title: "Tennis", topic: .aggregator(.popular, sport: "3", matches: matches)),
      BoardChannel(title: "Basketball", topic: .aggregator(.popular, sport: "8", matches: matches)),
      BoardChannel(title: "Next", topic: .aggregator(.next, matches: matches)),
      BoardChannel(title: "Popular", topic: .aggregator(.popular, matches: matches)),
    ]
  }
}
