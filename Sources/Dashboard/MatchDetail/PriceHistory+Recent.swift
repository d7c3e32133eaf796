import OddsFeed

/// The last changes of a row's three prices and when they were, so that a match that is opened has a past.
struct RecentPrices: Hashable, Sendable {
  /// How many changes are kept.
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

  /// Takes the prices of a match's main market where they differ from those before. Another market's begin anew.
  mutating func take(_ prices: PriceTriple, replacing old: PriceTriple, of market: MarketID?, at second: Int) {
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

  /// Forgets what was after a second.
  mutating func rewind(to second: Int) { changes.removeAll { $0.second > second } }

  /// How the price of a column went from a second on.
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
  /// Gives the outcomes of a match that nothing is known of the past that its row has, from a second on.
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
