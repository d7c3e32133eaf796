import OddsFeed
package import OddsModel

/// What a channel carried after one message, or that it no longer carries it.
package struct MatchObservation: Sendable {
  package enum Content: Sendable {
    case match(Match)
    case removed(MatchID)
    /// No price of the channel is known any more: the connection is lost, or the channel is closed.
    case unknown
  }

  /// The number of the channel.
  package let channel: Int
  /// The time, in milliseconds since 1970.
  package let time: Int64
  package let content: Content

  package init(channel: Int, time: Int64, _ content: Content) {
    (self.channel, self.time, self.content) = (channel, time, content)
  }
}

extension ChannelEvent {
  /// True if the channel holds the feed's whole state and its prices may be shown.
  var hasKnownPrices: Bool { isComplete && status.staleness.grade < .locked }
}
