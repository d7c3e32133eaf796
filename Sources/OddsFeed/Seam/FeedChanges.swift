/// What messages may have changed: each thing once, in no order.
package struct FeedChanges: Sendable {
  package internal(set) var matches = ReusableArray<MatchID>()
  /// Markets of which something differs, an outcome or price too. Kept only while `ChannelState.tracksParts`.
  package internal(set) var markets = ReusableArray<MarketID>()
  /// Outcomes of which something differs, their price or whether it is bettable too. Kept only while
  /// `ChannelState.tracksParts`.
  package internal(set) var outcomes = ReusableArray<OutcomeID>()

  package init() {}

  package mutating func removeAll() {
    matches.empty()
    markets.empty()
    outcomes.empty()
  }

  /// Names each thing once.
  mutating func nameOnce() {
    let all = self
    removeAll()
    matches += Set(all.matches)
    markets += Set(all.markets)
    outcomes += Set(all.outcomes)
  }

  /// Takes over what the other holds, and gives it the memory for more.
  mutating func take(_ other: inout FeedChanges) {
    if matches.isEmpty, markets.isEmpty, outcomes.isEmpty { return swap(&self, &other) }
    matches += other.matches
    markets += other.markets
    outcomes += other.outcomes
    other.removeAll()
  }
}
