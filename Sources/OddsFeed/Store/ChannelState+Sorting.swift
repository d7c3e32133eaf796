/// A record with children of its own.
enum Parent: Sendable {
  case match(Slot)
  case market(Slot)
  case outcome(Slot)
}

extension ChannelState {
  /// Puts children in order that were linked out of it. To be called before their order is looked at.
  @inline(__always)
  mutating func sortChildren() { if !unsorted.isEmpty { sortUnsorted() } }

  private mutating func sortUnsorted() {
    // NB: another record may have come to a slot since; children that are in order are left alone.
    for parent in unsorted {
      switch parent {
      case .match(let slot):
        markets.sort(&matches[slot].markets, MarketsOfMatch.self)
        eventInfos.sort(&matches[slot].infos, InfosOfMatch.self)
      case .market(let slot): relations.sort(&markets[slot].relations, RelationsOfMarket.self)
      case .outcome(let slot):
        offers.sort(&outcomes[slot].offers, OffersOfOutcome.self)
        relations.sort(&outcomes[slot].relations, RelationsOfOutcome.self)
      }
    }
    unsorted.removeAll()
  }
}
