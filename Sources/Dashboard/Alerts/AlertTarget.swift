import OddsModel

/// A price that a rule evaluates, at present.
struct AlertTarget: Sendable {
  /// The key by which a rule remembers the price that it has reported.
  enum Key: Hashable, Sendable {
    case selection(AlertRule.Selection)
    case outcome(OutcomeKey)
    /// The match as a whole.
    case match
  }

  /// The market and outcome of the price. Moves are only measured within the same owner.
  struct Owner: Hashable, Sendable {
    let market: MarketID
    /// Nil for the favourite, which can be any outcome of the market.
    let outcome: OutcomeID?
  }

  let key: Key
  let name: AlertEvent.Price
  let owner: Owner
  /// The price, or nil if it cannot be bet on.
  let odds: DecimalOdds?
  let state: PriceCell.State
}

extension AlertTarget {
  fileprivate init(_ outcome: Outcome, of market: Market, _ key: Key, _ name: AlertEvent.Price) {
    let cell = PriceCell(outcome, in: market)
    self.init(
      key: key, name: name, owner: Owner(market: market.id, outcome: outcome.id), odds: cell.bettable, state: cell.state
    )
  }

  fileprivate init(_ outcome: Outcome, of market: Market) {
    self.init(
      outcome, of: market, .outcome(OutcomeKey(outcome, in: market)),
      .outcome(MarketTitle(market), outcome.name))
  }

  /// Returns all prices of a match.
  static func all(in match: Match) -> [AlertTarget] {
    match.markets.flatMap { market in market.outcomes.map { AlertTarget($0, of: market) } }
  }
}

extension AlertRule.Selection {
  /// Returns the prices of a match that the selection refers to. Empty if the match is nil or does not have them.
  func targets(in match: Match?) -> [AlertTarget] {
    switch self {
    case .home: Self.target(self, 0, match?.mainMarket)
    case .draw: Self.target(self, 1, match?.mainMarket)
    case .away: Self.target(self, 2, match?.mainMarket)
    case .any: [Self.home, .draw, .away].flatMap { $0.targets(in: match) }
    case .favourite:
      match?.mainMarket.map { market in
        let favourite = market.favourite
        return [
          AlertTarget(
            key: .selection(self), name: .selection(self), owner: AlertTarget.Owner(market: market.id, outcome: nil),
            odds: favourite, state: favourite == nil ? .closed : .live)
        ]
      } ?? []
    case .outcome(let name): match.map(name.outcomes)?.map { AlertTarget($1, of: $0) } ?? []
    case .everyOutcome: match.map(AlertTarget.all) ?? []
    }
  }

  /// Returns true if the price of an outcome is one of those that the selection refers to.
  func covers(_ outcome: Outcome, of market: Market, in match: Match) -> Bool {
    switch self {
    case .outcome(let name): return name.isName(of: outcome, in: market)
    case .everyOutcome: return true
    case .favourite:
      guard let favourite = market.favourite, match.mainMarket?.id == market.id else { return false }
      return PriceCell(outcome, in: market).bettable == favourite
    case .home, .draw, .away, .any:
      let owner = AlertTarget.Owner(market: market.id, outcome: outcome.id)
      return targets(in: match).contains { $0.owner == owner }
    }
  }

  private static func target(_ selection: Self, _ column: Int, _ market: Market?) -> [AlertTarget] {
    guard let market else { return [] }
    // Of several outcomes of a column, the last one counts, as in `PriceTriple`.
    let index = market.outcomes.indices.last {
      PriceTriple.column(of: market.outcomes[$0], $0, of: market.outcomes.count) == column
    }
    return index.map { [AlertTarget(market.outcomes[$0], of: market, .selection(selection), .selection(selection))] }
      ?? []
  }
}

extension PriceCell {
  var bettable: DecimalOdds? { state == .live ? odds : nil }
}

/// The earlier states of a price that a rule evaluates.
struct AlertTrace: Hashable, Sendable {
  /// The price range, for rules on moves only.
  var history: SlidingPriceRange?
  var owner: AlertTarget.Owner?
  /// The last state, or nil if the price was not visible.
  var state: PriceCell.State?
  /// The opening price, for rules on it only: the first one that is recorded or, without a record, was seen.
  var opening: DecimalOdds?
  /// The first price that was seen and its uptime, for rules that use the history.
  var first: DecimalOdds?
  var firstTime: Duration?
  var past = Past.known
  /// The last decision of a rule on the opening price or on an extreme; nil before the first.
  var holds: Bool?
  /// The last decision of a condition; nil before the first.
  var decision: AlertDecision?

  /// Marks the price as not visible. It was valid until that uptime.
  mutating func end(at until: Duration) {
    history?.end(at: until)
    state = nil
  }
}
