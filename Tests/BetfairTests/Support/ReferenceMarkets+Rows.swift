import OddsModel
import TestSupport

// The matches that a store must have after the messages, in the format of `Match.rows`.
extension ReferenceMarkets {
  /// The matches by id, their markets and outcomes as rows of text.
  var rows: [String] {
    let matches = Dictionary(grouping: markets.keys.sorted()) { id in
      // A market without a definition is a match of its own.
      markets[id]?.definition.map { "\($0.event)" } ?? id
    }
    return matches.sorted { $0.key < $1.key }.flatMap { match, ids in
      let main = mainMarkets(of: ids)
      let row = MatchRow.match(
        match, matchStatus(of: ids), tradingStatus(of: ids), start: main.compactMap { $0.definition?.startTime }.min())
      return [row] + ids.flatMap { marketRows($0) }
    }
  }

  private func matchStatus(of ids: [String]) -> MatchStatus {
    let definitions = ids.compactMap { markets[$0]?.definition }
    if definitions.isEmpty { return .unknown }
    if definitions.allSatisfy({ $0.status == "CLOSED" }) { return .ended }
    return definitions.contains { $0.isInPlay && $0.status != "CLOSED" } ? .inProgress : .pending
  }

  /// Returns the markets of a match that are on its result, or else all, without the closed ones unless all are closed.
  private func mainMarkets(of ids: [String]) -> [Market] {
    let all = ids.map { markets[$0]! }
    let results = all.filter { $0.definition?.type == "MATCH_ODDS" }
    let candidates = results.isEmpty ? all : results
    let open = candidates.filter { $0.status != "CLOSED" }
    return open.isEmpty ? candidates : open
  }

  private func tradingStatus(of ids: [String]) -> Freshness.Grade {
    if matchStatus(of: ids) == .ended { return .closed }
    let market = mainMarkets(of: ids)[0]
    if market.status == "CLOSED" { return .closed }
    if market.isAwaitingImage { return .locked }
    return market.isOpen ? .live : .suspended
  }

  private func marketRows(_ id: String) -> [String] {
    let market = markets[id]!
    var rows = [
      MatchRow.market(
        id, market.marketStatus, isAvailable: market.isOpen, isClosed: market.status == "CLOSED",
        isInPlay: market.isInPlay, isAwaitingImage: market.isAwaitingImage, matched: market.matched.map(units))
    ]
    let keys = market.runners.keys.sorted { Self.outcomeID($0, in: id) < Self.outcomeID($1, in: id) }
    for key in keys { rows.append(row(of: key, in: market, Self.outcomeID(key, in: id))) }
    return rows
  }

  private func row(of key: BetfairMessage.Key, in market: Market, _ outcome: String) -> String {
    let runner = market.runners[key]!
    let backs = levels(.back, of: runner)
    let lays = levels(.lay, of: runner)
    let takesBets = market.isOpen && runner.offerStatus == .standard
    let prices = MatchRow.prices(offer: Array(backs.prefix(1)), backs: backs, lays: lays)
    return MatchRow.outcome(
      outcome, role: market.roles[key] ?? "", runner.offerStatus, takesBets: takesBets,
      isBettable: takesBets && !backs.isEmpty, availableCount: market.isOpen ? backs.count + lays.count : 0,
      lastTraded: runner.lastTraded.map(units), matched: runner.matched.map(units),
      prices: market.isAwaitingImage ? nil : prices)
  }

  private static func outcomeID(_ key: BetfairMessage.Key, in market: String) -> String {
    if key.handicap == 0 { return "\(market)/\(key.id)" }
    return "\(market)/\(key.id)/\(key.handicap > 0 ? "+" : "")\(BetfairMessage.number(key.handicap))"
  }

  /// The best three levels of a side.
  private func levels(_ side: OfferSide, of runner: Runner) -> [MatchRow.Level] {
    runner.best(side).prefix(3).map { (price: units($0.price), size: units($0.size)) }
  }

  /// Converts hundredths into ten-millionths.
  private func units(_ hundredths: Int) -> Int64 { Int64(hundredths) * 100_000 }
}

extension ReferenceMarkets.Market {
  fileprivate var isAwaitingImage: Bool { lacksImage || definition == nil }

  /// True if the market takes bets.
  fileprivate var isOpen: Bool { status == "OPEN" && !isAwaitingImage }

  fileprivate var marketStatus: MarketStatus {
    switch status {
    case "INACTIVE": .inactive
    case "OPEN": .open
    case "SUSPENDED": .suspended
    case "CLOSED": .closed
    default: .unknown
    }
  }

  /// The stakes matched: as sent, otherwise the sum over the runners.
  fileprivate var matched: Int? {
    let amounts = runners.values.compactMap(\.matched)
    return volume ?? (amounts.isEmpty ? nil : amounts.reduce(0, +))
  }

  /// The roles of the runners in a market on the result.
  fileprivate var roles: [BetfairMessage.Key: String] {
    guard let definition, definition.type == "MATCH_ODDS", 2...3 ~= definition.runners.count else { return [:] }
    let keys = definition.runners.map { $0.key }
    return Dictionary(uniqueKeysWithValues: zip(keys, ["home", "away", "draw"]))
  }
}

extension ReferenceMarkets.Runner {
  fileprivate var offerStatus: OfferStatus {
    switch status {
    case "ACTIVE": .standard
    case "REMOVED", "REMOVED_VACANT": .removed
    case "WINNER", "LOSER", "PLACED": .resolved
    case "HIDDEN": .suspended
    default: .unknown
    }
  }

  /// The stakes matched: as sent, otherwise the sum over all prices.
  fileprivate var matched: Int? {
    let amounts = ladders["trd", default: [:]].values.map { $0[0] }
    return volume ?? (amounts.isEmpty ? nil : amounts.reduce(0, +))
  }

  /// Returns the prices of a side with their amounts, the best first. Of the three kinds of ladders, the first counts
  /// that has had a level.
  fileprivate func best(_ side: OfferSide) -> [(price: Int, size: Int)] {
    let suffix = side == .back ? "b" : "l"
    for name in ["bdat" + suffix, "bat" + suffix] where usedLadders.contains(name) {
      let levels = ladders[name, default: [:]].sorted { $0.key < $1.key }
      return levels.map { (price: $0.value[0], size: $0.value[1]) }
    }
    let levels = ladders["at" + suffix, default: [:]].sorted { side == .back ? $0.key > $1.key : $0.key < $1.key }
    return levels.map { (price: $0.key, size: $0.value[0]) }
  }
}
