/// The markets of a match, and the offers of these, that a topic includes.
enum MarketFilter: Sendable {
  /// The first markets in the order of `MarketKind`, up to a number, with all their offers.
  case first(Int)
  /// The markets that have one of these offers, with only these offers.
  case offers(Set<Int64>)

  func includes(_ market: SimulatedMarket) -> Bool {
    switch self {
    case .first(let most): market.kind.rawValue < most
    case .offers(let ids): market.roles.indices.contains { ids.contains(market.offerID($0)) }
    }
  }

  /// Returns true if an offer of a market is included. `kind` is the raw value of the market's `MarketKind`.
  func includes(offer id: Int64, of kind: Int) -> Bool {
    switch self {
    case .first(let most): kind < most
    case .offers(let ids): ids.contains(id)
    }
  }

  func markets(of match: SimulatedMatch) -> [SimulatedMarket] {
    if case .first(let most) = self { return Array(match.markets.prefix(max(0, most))) }
    return match.markets.filter(includes)
  }

  /// Returns the indices of a market's included offers.
  func offers(of market: SimulatedMarket) -> [Int] {
    guard case .offers(let ids) = self else { return Array(market.roles.indices) }
    return market.roles.indices.filter { ids.contains(market.offerID($0)) }
  }
}
