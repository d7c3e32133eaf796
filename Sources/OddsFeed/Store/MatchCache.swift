import OddsModel

/// The domain values of a channel by their records' slots, built on demand, and the ranks of the main betting types.
struct MatchCache: Sendable {
  private var matches: [Match?] = []
  private var markets: [Market?] = []
  /// The names of each match, rebuilt only when its own record or its sport has changed.
  private var labels: [Match.Names?] = []
  private var mainMarketRanks: [UInt64: Int] = [:]
  private var lastOrder: UInt32 = 0

  func match(_ slot: Slot) -> Match? { slot < matches.count ? matches[Int(slot)] : nil }
  func market(_ slot: Slot) -> Market? { slot < markets.count ? markets[Int(slot)] : nil }
  func labels(_ slot: Slot) -> Match.Names? { slot < labels.count ? labels[Int(slot)] : nil }

  mutating func store(_ match: Match, _ slot: Slot) { Self.put(match, slot, &matches) }
  mutating func store(_ market: Market, _ slot: Slot) { Self.put(market, slot, &markets) }
  mutating func store(_ names: Match.Names, _ slot: Slot) { Self.put(names, slot, &labels) }

  private static func put<Value>(_ value: Value, _ slot: Slot, _ values: inout [Value?]) {
    let missing = Int(slot) - values.count
    if missing >= 0 { values.append(contentsOf: repeatElement(nil, count: missing + 1)) }
    values[Int(slot)] = value
  }

  mutating func dropLabels(_ slot: Slot) { if slot < labels.count { labels[Int(slot)] = nil } }

  mutating func forget(match slot: Slot) {
    dropLabels(slot)
    if slot < matches.count { matches[Int(slot)] = nil }
  }

  mutating func forget(market slot: Slot) { if slot < markets.count { markets[Int(slot)] = nil } }

  /// Returns the rank of a betting type among the main ones, or nil if it is not a main one.
  func mainMarketRank(_ bettingTypeID: UInt64) -> Int? {
    mainMarketRanks.isEmpty ? nil : mainMarketRanks[bettingTypeID]
  }

  /// Sets the main betting types in order of rank, and returns those whose rank has changed.
  mutating func setMainMarkets(_ bettingTypeIDs: [UInt64]) -> Set<UInt64> {
    let old = mainMarketRanks
    mainMarketRanks = Dictionary(zip(bettingTypeIDs, 0...), uniquingKeysWith: min)
    return Set(old.keys).union(mainMarketRanks.keys).filter { old[$0] != mainMarketRanks[$0] }
  }

  mutating func nextOrder() -> UInt32 {
    lastOrder += 1
    return lastOrder
  }

  /// The size of the cache in memory, in bytes, without the outcomes' names, which the tables own.
  var memory: Int {
    let outcomes = markets.reduce(0) { $0 + ($1.map { $0.outcomes.capacity * MemoryLayout<Outcome>.stride + 32 } ?? 0) }
    let lists = matches.reduce(0) { $0 + ($1.map { $0.markets.capacity * MemoryLayout<Market>.stride + 32 } ?? 0) }
    return outcomes + lists + matches.capacity * MemoryLayout<Match?>.stride
      + markets.capacity * MemoryLayout<Market?>.stride + labels.capacity * 8
  }
}
