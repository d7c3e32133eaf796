import OddsFeed

/// An outcome where it stands in a market.
struct OutcomeKey: Hashable, Sendable {
  let market: MarketID
  let outcome: OutcomeID
}

/// How the prices of the matches went that have been open of late; the one that was closed longest ago is forgotten first.
struct PriceHistories: Sendable {
  /// How many matches are remembered.
  static let most = 8

  private var matches: [MatchID: [OutcomeKey: PriceHistory]] = [:]
  /// The last opened at the end.
  private var order: [MatchID] = []

  var count: Int { matches.count }

  subscript(match: MatchID, outcome: OutcomeKey) -> PriceHistory? { matches[match]?[outcome] }

  /// A match is opened.
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

  /// Forgets the outcomes that a match does not have any more.
  mutating func keep(only outcomes: Set<OutcomeKey>, of match: MatchID) {
    guard let known = matches[match], known.keys.contains(where: { !outcomes.contains($0) }) else { return }
    matches[match] = known.filter { outcomes.contains($0.key) }
  }

  /// Forgets what was after a second.
  mutating func rewind(to second: Int) {
    for (match, outcomes) in matches { matches[match] = outcomes.mapValues { $0.rewound(to: second) } }
  }

  /// Nobody knows how a match's prices go from now on.
  mutating func lose(_ match: MatchID, at second: Int) {
    guard let outcomes = matches[match]?.keys else { return }
    for outcome in Array(outcomes) { matches[match]![outcome]!.lose(at: second) }
  }

  /// Nobody knows how any match's prices go from now on.
  mutating func loseAll(at second: Int) {
    for match in order { lose(match, at: second) }
  }
}
