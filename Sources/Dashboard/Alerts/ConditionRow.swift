import OddsModel

/// A state of a match for the evaluation of conditions.
struct ConditionRow: Sendable {
  private(set) var row: MatchRow
  private(set) var market = MainMarket()

  init(_ match: Match, now: FrameTime) {
    row = MatchRow(match, now: now.uptime, newest: nil)
    market.apply(match.mainMarket)
  }

  mutating func apply(_ match: Match, now: FrameTime) {
    row.apply(match, now: now.uptime, newest: nil, odds: .decimal)
    market.apply(match.mainMarket)
  }
}

extension ConditionRow? {
  /// Applies a state of the match, and creates the row if there is none. A nil state removes the row.
  mutating func update(to match: Match?, now: FrameTime) {
    guard let match else {
      self = nil
      return
    }
    if self?.apply(match, now: now) == nil { self = ConditionRow(match, now: now) }
  }
}

/// The outcomes of a match's main market, and whether the data on them is complete.
struct MainMarket: Sendable {
  /// The kind of market with its outcomes. Prices of different shapes are not comparable.
  struct Shape: Hashable, Sendable {
    let title: MarketTitle
    let outcomeCount: Int
    /// The columns (1, X, 2) that have an outcome.
    let columns: Set<Int>
  }

  /// The last complete shape; nil if the match has had no main market with outcomes.
  private(set) var shape: Shape?
  /// True if the match has lost its main market, or the market an outcome of a column. That can be for a moment only,
  /// while the feed deletes and creates records.
  private(set) var isMissing = false

  mutating func apply(_ market: Market?) {
    let new = market.flatMap(Shape.init)
    isMissing = shape.map { new?.isPart(of: $0) ?? true } ?? false
    if let new, !isMissing { shape = new }
  }
}

extension MainMarket.Shape {
  /// Returns nil if the market has no outcomes.
  fileprivate init?(_ market: Market) {
    let count = market.outcomes.count
    if count == 0 { return nil }
    let columns = market.outcomes.enumerated().compactMap { PriceTriple.column(of: $1, $0, of: count) }
    self.init(title: MarketTitle(market), outcomeCount: count, columns: Set(columns))
  }

  /// Returns true if this is the same market without the outcome of a column.
  fileprivate func isPart(of other: Self) -> Bool {
    title == other.title && outcomeCount < other.outcomeCount && !columns.isSuperset(of: other.columns)
  }
}
