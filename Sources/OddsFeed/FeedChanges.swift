/// What messages may have changed: each thing once, in no order.
package struct FeedChanges: Sendable {
  package internal(set) var matches: [MatchID] = []
  /// Markets of which something differs, an outcome or price too. Kept only while `ChannelState.tracksParts`.
  package internal(set) var markets: [MarketID] = []
  /// Outcomes of which something differs, their price or whether it is bettable too. Kept only while
  /// `ChannelState.tracksParts`.
  package internal(set) var outcomes: [OutcomeID] = []

  package init() {}

  package mutating func removeAll() {
    matches.removeAll(keepingCapacity: true)
    markets.removeAll(keepingCapacity: true)
    outcomes.removeAll(keepingCapacity: true)
  }
}
