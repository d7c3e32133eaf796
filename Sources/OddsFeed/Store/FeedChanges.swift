package import OddsModel

/// The ids of everything that messages may have changed, in no order. Unique after `nameOnce()`.
package struct FeedChanges: Sendable {
  package internal(set) var matches = ReusableArray<MatchID>()
  /// The markets that changed, including a change of an outcome or price. Filled only while `ChannelState.tracksParts`.
  package internal(set) var markets = ReusableArray<MarketID>()
  /// The outcomes that changed, including a change of their price or of whether they are bettable. Filled only while
  /// `ChannelState.tracksParts`.
  package internal(set) var outcomes = ReusableArray<OutcomeID>()

  package init() {}

  package mutating func removeAll() {
    matches.empty()
    markets.empty()
    outcomes.empty()
  }

  /// Removes duplicates.
  mutating func nameOnce() {
    let all = self
    removeAll()
    matches += Set(all.matches)
    markets += Set(all.markets)
    outcomes += Set(all.outcomes)
  }

  /// Moves the contents of `other` here and empties it. If this value is empty, the two swap their memory.
  mutating func merge(_ other: inout FeedChanges) {
    if matches.isEmpty, markets.isEmpty, outcomes.isEmpty { return swap(&self, &other) }
    matches += other.matches
    markets += other.markets
    outcomes += other.outcomes
    other.removeAll()
  }
}
