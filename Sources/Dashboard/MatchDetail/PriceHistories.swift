import OddsModel

/// The identity of an outcome within a market.
struct OutcomeKey: Hashable, Sendable {
  let market: MarketID
  let outcome: OutcomeID
}

extension OutcomeKey {
  init(_ outcome: Outcome, in market: Market) { self.init(market: market.id, outcome: outcome.id) }
}

/// The price histories of recently opened matches. The least recently opened match is removed first.
struct PriceHistories: Sendable {
  /// The maximum number of matches.
  static let limit = 8

  private var matches: [MatchID: [OutcomeKey: PriceHistory]] = [:]
  /// The opening prices of outcomes without a history, by match.
  private var missing: [MatchID: MissingOpenings] = [:]
  /// The matches in the order of opening, the last opened at the end.
  private var order: [MatchID] = []

  var count: Int { matches.count }

  subscript(match: MatchID, outcome: OutcomeKey) -> PriceHistory? { matches[match]?[outcome] }

  /// Marks a match as the last opened, and removes the oldest match if there are too many.
  mutating func begin(_ match: MatchID) {
    order.removeAll { $0 == match }
    order.append(match)
    if order.count <= Self.limit { return }
    let oldest = order.removeFirst()
    matches[oldest] = nil
    missing[oldest] = nil
  }

  mutating func put(_ history: PriceHistory, of outcome: OutcomeKey, in match: MatchID) {
    matches[match, default: [:]][outcome] = history
  }

  mutating func record(_ changes: [OutcomeChange], of match: MatchID, at second: Int) {
    for change in changes {
      guard let cell = change.cell else {
        matches[match]?[change.key]?.markUnknown(at: second)
        continue
      }
      matches[match, default: [:]][change.key, default: PriceHistory()].record(
        cell.odds, PriceHistory.State(cell), at: second)
      if let opening = missing[match]?.remove(change.key) { matches[match]?[change.key]?.keepOpening(opening) }
    }
  }

  /// Removes the histories of outcomes that the match no longer has. Their opening prices are kept.
  mutating func retain(only outcomes: Set<OutcomeKey>, of match: MatchID) {
    guard let known = matches[match], known.keys.contains(where: { !outcomes.contains($0) }) else { return }
    for (outcome, history) in known where !outcomes.contains(outcome) {
      matches[match]?[outcome] = nil
      if let opening = history.opening { missing[match, default: MissingOpenings()].add(opening, of: outcome) }
    }
  }

  mutating func rewind(to second: Int) {
    missing = [:]
    for (match, outcomes) in matches { matches[match] = outcomes.mapValues { $0.rewound(to: second) } }
  }

  /// Marks the prices of a match as unknown from a second on.
  mutating func markUnknown(_ match: MatchID, at second: Int) {
    guard let outcomes = matches[match]?.keys else { return }
    for outcome in Array(outcomes) { matches[match]![outcome]!.markUnknown(at: second) }
  }

  mutating func markAllUnknown(at second: Int) {
    for match in order { markUnknown(match, at: second) }
  }
}

extension PriceHistory.State {
  /// The state of a price that a match has; unknown if it may be out of date, or if the market lacks the outcome.
  init(_ cell: PriceCell) {
    switch cell.state {
    case .live: self = .live
    case .doubtful: self = .unknown
    default: self = cell.hasOutcome ? .suspended : .unknown
    }
  }
}

/// The last changes of the three prices of a row. They seed the history of a match when it is opened.
struct RecentPrices: Hashable, Sendable {
  /// The maximum number of changes.
  static let limit = 36

  struct Change: Hashable, Sendable {
    let second: Int32
    fileprivate let column: UInt8
    /// Unknown if the price may be out of date, or if the market lacks the outcome.
    fileprivate let state: PriceHistory.State
    fileprivate let odds: DecimalOdds?
  }

  private(set) var changes: [Change] = []
  /// The market of the prices; nil if there is none.
  private(set) var market: MarketID?

  /// Records the prices of a match's main market that differ from the old ones. Another main market starts anew.
  mutating func apply(_ prices: PriceTriple, replacing old: PriceTriple, of market: MarketID?, at second: Int) {
    let isSame = market == self.market
    if !isSame {
      self.market = market
      changes = []
    }
    for column in PriceTriple.indices {
      let (cell, before) = (prices[column], isSame ? old[column] : PriceCell())
      let state = PriceHistory.State(cell)
      if cell.odds == before.odds, state == PriceHistory.State(before) { continue }
      changes.append(
        Change(second: Int32(clamping: second), column: UInt8(column), state: state, odds: cell.odds))
    }
    if changes.count > Self.limit { changes.removeFirst(changes.count - Self.limit) }
  }

  mutating func rewind(to second: Int) { changes.removeAll { $0.second > second } }

  /// Removes all changes, and records the prices of the row at a second.
  mutating func restart(with prices: PriceTriple, at second: Int) {
    let market = market
    self = RecentPrices()
    apply(prices, replacing: PriceTriple(), of: market, at: second)
  }

  /// Returns the history of the price in a column, starting at a second.
  func history(of column: Int, from second: Int) -> PriceHistory {
    var history = PriceHistory()
    for change in changes where change.column == column {
      let second = max(second, Int(change.second))
      if change.state == .unknown {
        history.markUnknown(at: second)
      } else {
        history.record(change.odds, change.state, at: second)
      }
    }
    return history
  }

  func isOf(_ market: MarketID) -> Bool { market == self.market }
}

extension PriceHistories {
  /// Seeds the histories of outcomes that have none with the recent prices of the row, starting at a second.
  mutating func seed(_ match: Match, from row: MatchRow, since second: Int) {
    guard let market = match.mainMarket, row.recent.isOf(market.id) else { return }
    for (index, outcome) in market.outcomes.enumerated() {
      let key = OutcomeKey(outcome, in: market)
      guard self[match.id, key] == nil, let column = PriceTriple.column(of: outcome, index, of: market.outcomes.count)
      else { continue }
      var history = row.recent.history(of: column, from: second)
      history.keepOpening(row.openings.firstOfRun(key))
      if !history.steps.isEmpty { put(history, of: key, in: match.id) }
    }
  }
}
