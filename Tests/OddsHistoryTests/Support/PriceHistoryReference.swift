import OddsModel

@testable import OddsHistory

/// The history of matches in memory: for each outcome of a market its price at each time, as a plain list.
struct PriceHistoryReference {
  struct Key: Hashable {
    let match: MatchID
    let market: MarketID
    let outcome: OutcomeID
  }

  struct Entry: Hashable {
    let time: Int64
    /// The price in thousandths; nil without a price.
    let price: Int64?
    let isBettable: Bool
  }

  private(set) var entries: [Key: [Entry]] = [:]
  private var last: [MatchID: Match] = [:]

  /// Records the state of a match, or nil if it is gone.
  mutating func record(_ id: MatchID, _ match: Match?, at time: Int64) {
    let old = Self.prices(last[id])
    let new = Self.prices(match)
    let known = Set(last[id]?.markets.map(\.id) ?? [])
    let added = Set(match?.markets.map(\.id) ?? []).subtracting(known)
    last[id] = match
    for (key, price) in new where old[key] != price { append(key, price, at: time) }
    // The outcome is missing in a market that has returned.
    for key in Array(entries.keys) where key.match == id && added.contains(key.market) && new[key] == nil {
      if entries[key]?.last?.price != nil { append(key, (nil, false), at: time) }
    }
    for (key, price) in old where new[key] == nil && match?.markets.contains(where: { $0.id == key.market }) ?? false {
      // An outcome that its market no longer has cannot be bet on.
      if price.0 != nil || price.1 { append(key, (nil, false), at: time) }
    }
  }

  private mutating func append(_ key: Key, _ price: (Int64?, Bool), at time: Int64) {
    var list = entries[key] ?? []
    if list.isEmpty, price.0 == nil, !price.1 { return }
    if list.last?.time == time { list.removeLast() }
    let entry = Entry(time: time, price: price.0, isBettable: price.1)
    list.append(entry)
    entries[key] = list
  }

  private static func prices(_ match: Match?) -> [Key: (Int64?, Bool)] {
    var prices: [Key: (Int64?, Bool)] = [:]
    for market in match?.markets ?? [] {
      for outcome in market.outcomes {
        let units = outcome.offer?.odds?.units
        prices[Key(match: match!.id, market: market.id, outcome: outcome.id)] = (
          units.map { Int64((Double($0) / 10_000).rounded()) }, outcome.isBettable
        )
      }
    }
    return prices
  }

  /// Returns the step function of an outcome: the price in force after each entry, without repetitions.
  static func steps(_ entries: [Entry]) -> [Entry] {
    entries.reduce(into: []) { list, entry in
      if list.last?.price == entry.price, list.last?.isBettable == entry.isBettable { return }
      list.append(entry)
    }
  }

  /// Returns all entries of a file in the form of the reference.
  static func read(_ file: HistoryFile, until: Int64 = .max / 2) throws -> [Key: [Entry]] {
    let reader = try HistoryReader(file)
    var all: [Key: [Entry]] = [:]
    for match in try reader.matches(since: 0) {
      for (market, row) in zip(match.match.markets, match.markets) {
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let changes = try reader.changes(of: place, in: 0..<until)
          if changes.isEmpty { continue }
          all[Key(match: match.match.id, market: market.id, outcome: outcome.id)] = changes.map {
            Entry(time: $0.time, price: $0.odds.map { $0.units / 10_000 }, isBettable: $0.isBettable)
          }
        }
      }
    }
    return all
  }
}

private func != (left: (Int64?, Bool)?, right: (Int64?, Bool)) -> Bool {
  left.map { $0.0 != right.0 || $0.1 != right.1 } ?? true
}
