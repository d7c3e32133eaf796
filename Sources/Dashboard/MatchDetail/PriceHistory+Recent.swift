import OddsModel

/// The last changes of the three prices of a row. They seed the history of a match when it is opened.
struct RecentPrices: Hashable, Sendable {
  /// The maximum number of changes.
  static let most = 36

  struct Change: Hashable, Sendable {
    let second: Int32
    fileprivate let column: UInt8
    fileprivate let isLive: Bool
    fileprivate let odds: DecimalOdds?
  }

  private(set) var changes: [Change] = []
  private var market: MarketID?

  init() {}

  /// Records the prices of a match's main market that differ from the old ones. Starts anew if the main market is
  /// another one.
  mutating func apply(_ prices: PriceTriple, replacing old: PriceTriple, of market: MarketID?, at second: Int) {
    let isSame = market == self.market
    if !isSame { (self.market, changes) = (market, []) }
    for column in PriceTriple.indices where prices[column].state != .none {
      if isSame, old[column].odds == prices[column].odds, old[column].state == prices[column].state { continue }
      changes.append(
        Change(
          second: Int32(clamping: second), column: UInt8(column), isLive: prices[column].state == .live,
          odds: prices[column].odds))
    }
    if changes.count > Self.most { changes.removeFirst(changes.count - Self.most) }
  }

  /// Removes the changes after a second.
  mutating func rewind(to second: Int) { changes.removeAll { $0.second > second } }

  /// Returns the history of the price in a column, starting at a second.
  func history(of column: Int, from second: Int) -> PriceHistory {
    var history = PriceHistory()
    for change in changes where change.column == column {
      history.record(change.odds, change.isLive ? .live : .held, at: max(second, Int(change.second)))
    }
    return history
  }

  func isOf(_ market: MarketID) -> Bool { market == self.market }
}

extension PriceHistories {
  /// Seeds the histories of outcomes that have none with the recent prices of the row, starting at a second.
  mutating func seed(_ match: Match, from row: MatchRow, since second: Int) {
    guard let market = match.mainMarket, row.recent.isOf(market.id) else { return }
    for (place, outcome) in market.outcomes.enumerated() {
      let key = OutcomeKey(market: market.id, outcome: outcome.id)
      guard self[match.id, key] == nil, let column = PriceTriple.column(of: outcome, place, of: market.outcomes.count)
      else { continue }
      let history = row.recent.history(of: column, from: second)
      if !history.steps.isEmpty { put(history, of: key, in: match.id) }
    }
  }
}
