/// A record that has children.
enum Parent: Sendable {
  case match(Slot)
  case market(Slot)
  case outcome(Slot)
}

extension ChannelState {
  /// Sorts all children that are unsorted. Callers must call this before they read the order of children.
  @inline(__always)
  mutating func sortChildren() { if !unsorted.isEmpty { sortUnsorted() } }

  private mutating func sortUnsorted() {
    // NB: a slot may have been reused since. Sorting has no effect on children that are in order.
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
