import OddsModel

/// The identity of an outcome within a market.
struct OutcomeKey: Hashable, Sendable {
  let market: MarketID
  let outcome: OutcomeID
}

/// The price histories of recently opened matches. The least recently opened match is removed first.
struct PriceHistories: Sendable {
  /// The maximum number of matches.
  static let most = 8

  private var matches: [MatchID: [OutcomeKey: PriceHistory]] = [:]
  /// The matches in the order of opening, the last opened at the end.
  private var order: [MatchID] = []

  var count: Int { matches.count }

  subscript(match: MatchID, outcome: OutcomeKey) -> PriceHistory? { matches[match]?[outcome] }

  /// Marks a match as the last opened, and removes the oldest match if there are too many.
  mutating func begin(_ match: MatchID) {
    order.removeAll { $0 == match }
    order.append(match)
    if order.count > Self.most { matches[order.removeFirst()] = nil }
  }

  mutating func put(_ history: PriceHistory, of outcome: OutcomeKey, in match: MatchID) {
    matches[match, default: [:]][outcome] = history
  }

  mutating func record(_ changes: [OutcomeChange], of match: MatchID, at second: Int) {
    for change in changes {
      matches[match, default: [:]][change.key, default: PriceHistory()].record(
        change.cell.odds, change.cell.state == .live ? .live : .held, at: second)
    }
  }

  /// Removes the histories of outcomes that the match no longer has.
  mutating func keep(only outcomes: Set<OutcomeKey>, of match: MatchID) {
    guard let known = matches[match], known.keys.contains(where: { !outcomes.contains($0) }) else { return }
    matches[match] = known.filter { outcomes.contains($0.key) }
  }

  /// Removes the steps after a second.
  mutating func rewind(to second: Int) {
    for (match, outcomes) in matches { matches[match] = outcomes.mapValues { $0.rewound(to: second) } }
  }

  /// Marks the prices of a match as unknown from a second on.
  mutating func lose(_ match: MatchID, at second: Int) {
    guard let outcomes = matches[match]?.keys else { return }
    for outcome in Array(outcomes) { matches[match]![outcome]!.lose(at: second) }
  }

  /// Marks the prices of all matches as unknown from a second on.
  mutating func loseAll(at second: Int) {
    for match in order { lose(match, at: second) }
  }
}
