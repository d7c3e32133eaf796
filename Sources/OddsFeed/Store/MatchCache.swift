/// The domain values of a channel by the slots of their records, made when first asked for after a change, and which
/// betting types head the list.
struct MatchCache: Sendable {
  private var matches: [Match?] = []
  private var markets: [Market?] = []
  /// The names of each match, made anew only when its own record has changed.
  private var labels: [Match.Names?] = []
  private var mainMarketRanks: [UInt64: Int] = [:]
  private var lastOrder: UInt32 = 0

  func match(_ slot: Slot) -> Match? { slot < matches.count ? matches[Int(slot)] : nil }
  func market(_ slot: Slot) -> Market? { slot < markets.count ? markets[Int(slot)] : nil }
  func labels(_ slot: Slot) -> Match.Names? { slot < labels.count ? labels[Int(slot)] : nil }

  mutating func keep(_ match: Match, _ slot: Slot) { Self.put(match, slot, &matches) }
  mutating func keep(_ market: Market, _ slot: Slot) { Self.put(market, slot, &markets) }
  mutating func keep(_ names: Match.Names, _ slot: Slot) { Self.put(names, slot, &labels) }

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

  /// The place of a betting type among those that head the list; nil for one that does not.
  func mainMarketRank(_ bettingTypeID: UInt64) -> Int? {
    mainMarketRanks.isEmpty ? nil : mainMarketRanks[bettingTypeID]
  }

  /// Returns the betting types whose place is another one now.
  mutating func setMainMarkets(_ bettingTypeIDs: [UInt64]) -> Set<UInt64> {
    let old = mainMarketRanks
    mainMarketRanks = Dictionary(zip(bettingTypeIDs, 0...), uniquingKeysWith: min)
    return Set(old.keys).union(mainMarketRanks.keys).filter { old[$0] != mainMarketRanks[$0] }
  }

  mutating func nextOrder() -> UInt32 {
    lastOrder += 1
    return lastOrder
  }

  /// Bytes held, the outcomes' names not counted, which are the tables'.
  var memory: Int {
    let outcomes = markets.reduce(0) { $0 + ($1.map { $0.outcomes.capacity * MemoryLayout<Outcome>.stride + 32 } ?? 0) }
    let lists = matches.reduce(0) { $0 + ($1.map { $0.markets.capacity * MemoryLayout<Market>.stride + 32 } ?? 0) }
    return outcomes + lists + matches.capacity * MemoryLayout<Match?>.stride
      + markets.capacity * MemoryLayout<Market?>.stride + labels.capacity * 8
  }
}
