import OddsFeed
package import OddsModel

/// The state of a match in a channel after one message, its removal, or the loss of all prices of the channel.
package struct MatchObservation: Sendable {
  package enum Content: Sendable {
    case match(Match)
    case removed(MatchID)
    /// No price of the channel is known any more: the connection is lost, or the channel is closed.
    case unknown
    /// No price of the channel was known any more from an earlier time on. No other channel takes over there, because
    /// its present prices are later: see `ChangeDetector.takeOver(at:)`.
    case lost
  }

  /// The number of the channel.
  package let channel: Int
  /// The time, in milliseconds since 1970.
  package let time: Int64
  package let content: Content

  package init(channel: Int, time: Int64, _ content: Content) {
    self.channel = channel
    self.time = time
    self.content = content
  }

  /// Creates the observation of a match: nil if the channel does not carry it any more.
  package init(channel: Int, time: Int64, _ match: Match?, of id: MatchID) {
    self.init(channel: channel, time: time, match.map { .match($0) } ?? .removed(id))
  }
}

extension ChannelEvent {
  /// True if the channel holds the feed's whole state, and it is known how old its prices are.
  var hasKnownPrices: Bool { isComplete && status.freshness.hasKnownPrices }

  /// Returns the observations of a channel that follow from the event: those of the changed matches, of all matches if
  /// the prices were not known before, or that the prices are not known any more.
  func observations(
    of state: inout ChannelState, channel: Int, time: Int64, wasKnown: Bool
  ) -> [MatchObservation] {
    guard hasKnownPrices else { return wasKnown ? [MatchObservation(channel: channel, time: time, .unknown)] : [] }
    let ids = wasKnown ? matches : Array(state.matchIDs)
    return ids.map { MatchObservation(channel: channel, time: time, state.match($0), of: $0) }
  }
}
