import OddsFeed

/// A price that a rule looks at, as it is now.
struct AlertTarget: Sendable {
  /// For which of its prices a rule remembers what it has told.
  enum Key: Hashable, Sendable {
    case pick(AlertRule.Selection)
    case outcome(OutcomeKey)
  }

  /// Whose price it is: moves are counted within one.
  struct Owner: Hashable, Sendable {
    let market: MarketID
    /// Nil for the favourite, whoever that is.
    let outcome: OutcomeID?
  }

  let key: Key
  let name: AlertEvent.Price
  let owner: Owner
  /// Nil while it cannot be bet on.
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
}

extension AlertRule.Selection {
  /// What is looked at one by one in a match; nothing where the match does not have it, or is not known.
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
            key: .pick(self), name: .pick(self), owner: AlertTarget.Owner(market: market.id, outcome: nil),
            odds: favourite, state: favourite == nil ? .closed : .live)
        ]
      } ?? []
    case .outcome(let name):
      match.map(name.places)?.map { market, outcome in
        AlertTarget(
          outcome, of: market, .outcome(OutcomeKey(market: market.id, outcome: outcome.id)),
          .outcome(MarketTitle(market), outcome.name))
      } ?? []
    }
  }

  private static func target(_ pick: Self, _ column: Int, _ market: Market?) -> [AlertTarget] {
    guard let market else { return [] }
    let place = market.outcomes.indices.last {
      PriceTriple.column(of: market.outcomes[$0], $0, of: market.outcomes.count) == column
    }
    return place.map { [AlertTarget(market.outcomes[$0], of: market, .pick(pick), .pick(pick))] } ?? []
  }
}

extension PriceCell {
  /// The price where it can be bet on.
  var bettable: DecimalOdds? { state == .live ? odds : nil }
}

/// What a rule has seen of a price so far.
struct AlertTrace: Hashable, Sendable {
  /// Of a rule on moves.
  var history: SlidingPriceRange?
  var owner: AlertTarget.Owner?
  /// Nil where nobody could see it.
  var state: PriceCell.State?

  /// Nobody can see the price any more; it was good until then.
  mutating func end(at until: Duration) {
    history?.end(at: until)
    state = nil
  }
}
