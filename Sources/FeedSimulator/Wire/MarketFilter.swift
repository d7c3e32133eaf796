/// Which markets of a match a topic has, and which of their offers.
enum MarketFilter: Sendable {
  /// That many, from the result on, with all offers.
  case first(Int)
  /// Those with one of these offers, and of their offers these.
  case offers(Set<Int64>)

  func includes(_ market: SimulatedMarket) -> Bool {
    switch self {
    case .first(let most): market.kind.rawValue < most
    case .offers(let ids): market.roles.indices.contains { ids.contains(market.offerID($0)) }
    }
  }

  /// Whether a market of that kind, or of those of its kind the one with that offer, is included.
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

  /// The places of a market's offers.
  func offers(of market: SimulatedMarket) -> [Int] {
    guard case .offers(let ids) = self else { return Array(market.roles.indices) }
    return market.roles.indices.filter { ids.contains(market.offerID($0)) }
  }
}
