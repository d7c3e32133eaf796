import OddsModel

/// A change as `toteboard changes` prints it, with the complete new state as `toteboard list` shows it.
struct MatchChange {
  enum Kind: String {
    /// The freshness of the channel or of a match differs, or the provider's reason for that of the channel.
    case freshness = "staleness"
    case matchAdded, matchChanged, matchRemoved
    case marketAdded, marketChanged, marketRemoved
    /// The odds differ, or the outcome is new and has odds.
    case price
    /// The odds are the same; the offer's status differs, or whether it can be bet on. Also a new outcome without odds.
    case status
    /// Only the names or ids of an outcome or its offer differ.
    case outcomeChanged
    case outcomeRemoved
  }

  let kind: Kind
  /// The time in milliseconds since 1970.
  let time: Int64
  /// The match; nil for a change of the channel's freshness.
  var match: Match?
  var market: Market?
  var outcome: Outcome?
  var previousOdds: DecimalOdds?
  /// The freshness, for the kinds `freshness` and `matchAdded`; nil for all others.
  var freshness: Freshness?

  init(
    _ kind: Kind, at time: Int64, _ match: Match? = nil, _ market: Market? = nil, _ outcome: Outcome? = nil,
    previousOdds: DecimalOdds? = nil, freshness: Freshness? = nil
  ) {
    self.kind = kind
    self.time = time
    self.match = match
    self.market = market
    self.outcome = outcome
    self.previousOdds = previousOdds
    self.freshness = freshness
  }

  /// Returns the changes from one state of a match to the next. `old` is nil for a new match.
  static func between(_ old: Match?, _ new: Match, _ freshness: Freshness, at time: Int64) -> [MatchChange] {
    var changes: [MatchChange] = []
    if old == nil {
      changes.append(MatchChange(.matchAdded, at: time, new, freshness: freshness))
    } else if let old, !old.isSameBesidesMarkets(new) {
      changes.append(MatchChange(.matchChanged, at: time, new))
    }
    let known = Dictionary(uniqueKeysWithValues: (old?.markets ?? []).map { ($0.id, $0) })
    let marketIDs = Set(new.markets.map(\.id))
    for market in old?.markets ?? [] where !marketIDs.contains(market.id) {
      changes.append(MatchChange(.marketRemoved, at: time, new, market))
    }
    for market in new.markets {
      let before = known[market.id]
      if let before, let old, market == before, market.isHead(of: new) == before.isHead(of: old) { continue }
      if before == nil {
        changes.append(MatchChange(.marketAdded, at: time, new, market))
      } else if let before, let old, !market.isShown(in: new, as: before, in: old) {
        changes.append(MatchChange(.marketChanged, at: time, new, market))
      }
      changes += outcomes(from: before, to: market, of: new, at: time)
    }
    return changes
  }

  private static func outcomes(from old: Market?, to new: Market, of match: Match, at time: Int64) -> [MatchChange] {
    let known = Dictionary(uniqueKeysWithValues: (old?.outcomes ?? []).map { ($0.id, $0) })
    let outcomeIDs = Set(new.outcomes.map(\.id))
    let gone = (old?.outcomes ?? []).filter { !outcomeIDs.contains($0.id) }
    return gone.map { MatchChange(.outcomeRemoved, at: time, match, new, $0) }
      + new.outcomes.compactMap { outcome in
        let before = known[outcome.id]
        guard let kind = outcome.change(since: before) else { return nil }
        let previous = kind == .price ? before?.offer?.odds : nil
        return MatchChange(kind, at: time, match, new, outcome, previousOdds: previous)
      }
  }
}

extension Market {
  /// Returns true if the row of the match shows the prices of the market.
  func isHead(of match: Match) -> Bool { match.mainMarket?.id == id }

  /// Returns true if no displayed property of the market itself differs.
  fileprivate func isShown(in match: Match, as other: Market, in old: Match) -> Bool {
    name == other.name && isAvailable == other.isAvailable && isClosed == other.isClosed && isMain == other.isMain
      && isHead(of: match) == other.isHead(of: old)
  }
}

extension Outcome {
  /// Returns the kind of change; nil if no displayed property differs.
  fileprivate func change(since old: Outcome?) -> MatchChange.Kind? {
    if offer?.odds != old?.offer?.odds { return .price }
    if offer?.status != old?.offer?.status || isBettable != old?.isBettable { return .status }
    return name != old?.name || key != old?.key || offer?.id != old?.offer?.id ? .outcomeChanged : nil
  }
}
