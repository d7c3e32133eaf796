import OddsHistory
import OddsModel

/// The recorded opening prices of a match, and the rule for the opening price of an outcome.
struct RecordedOpenings: Hashable, Sendable {
  private var prices: [OutcomeKey: DecimalOdds] = [:]

  mutating func add(_ odds: DecimalOdds, of outcome: OutcomeKey) { prices[outcome] = odds }

  /// Returns the opening price of an outcome: the first recorded price, or else the first price of this run.
  func opening(of outcome: OutcomeKey, firstOfRun: DecimalOdds?) -> DecimalOdds? { prices[outcome] ?? firstOfRun }
}

/// The first prices of this run of outcomes that are gone, kept in case they return.
struct MissingOpenings: Hashable, Sendable {
  /// The maximum number of outcomes. Beyond it, the one that has been missing longest is forgotten.
  static let limit = 256

  private struct Opening: Hashable, Sendable {
    let outcome: OutcomeKey
    let odds: DecimalOdds
  }

  /// The openings in the order in which their outcomes went.
  private var openings: [Opening] = []

  var count: Int { openings.count }

  mutating func add(_ odds: DecimalOdds, of outcome: OutcomeKey) {
    if openings.count == Self.limit { openings.removeFirst() }
    openings.append(Opening(outcome: outcome, odds: odds))
  }

  /// Removes and returns the first price of an outcome that has returned; nil if it is not known.
  mutating func remove(_ outcome: OutcomeKey) -> DecimalOdds? {
    openings.firstIndex { $0.outcome == outcome }.map { openings.remove(at: $0).odds }
  }
}

/// The opening prices of a match's main market.
struct OpeningPrices: Hashable, Sendable {
  private struct Opening: Hashable, Sendable {
    let outcome: OutcomeID
    /// The first price of this run.
    var odds: DecimalOdds?
    var isFavourite = false
  }

  private var market: MarketID?
  /// The outcomes in the market's order.
  private var openings: [Opening] = []
  private(set) var missing = MissingOpenings()
  var recorded = RecordedOpenings()

  init(recorded: RecordedOpenings = RecordedOpenings()) { self.recorded = recorded }

  /// Applies the prices of a match's main market, and the price of its favourite.
  mutating func apply(_ market: Market?, favourite: DecimalOdds?) {
    let outcomes = market?.outcomes ?? []
    let isSame = outcomes.count == openings.count && zip(outcomes, openings).allSatisfy { $0.id == $1.outcome }
    if market?.id != self.market || !isSame { replaceOutcomes(by: market) }
    for (index, outcome) in outcomes.enumerated() {
      let odds = outcome.lastOdds
      if openings[index].odds == nil, odds != nil { openings[index].odds = odds }
      let isFavourite = favourite != nil && odds == favourite
      if openings[index].isFavourite != isFavourite { openings[index].isFavourite = isFavourite }
    }
  }

  private mutating func replaceOutcomes(by new: Market?) {
    var known: [OutcomeKey: Opening] = [:]
    if let market { for opening in openings { known[OutcomeKey(market: market, outcome: opening.outcome)] = opening } }
    market = new?.id
    openings = []
    if let new {
      for outcome in new.outcomes {
        let key = OutcomeKey(outcome, in: new)
        openings.append(known.removeValue(forKey: key) ?? Opening(outcome: outcome.id, odds: missing.remove(key)))
      }
    }
    for (key, opening) in known { if let odds = opening.odds { missing.add(odds, of: key) } }
  }

  /// The opening price of the favourite; nil if there is none, or if several outcomes are the favourite and their
  /// opening prices differ.
  var favourite: DecimalOdds? {
    guard let market else { return nil }
    var found: DecimalOdds?
    for opening in openings where opening.isFavourite {
      let key = OutcomeKey(market: market, outcome: opening.outcome)
      let odds = recorded.opening(of: key, firstOfRun: opening.odds)
      if let found, found != odds { return nil }
      found = odds
    }
    return found
  }

  /// Returns the first price of this run of an outcome of the main market.
  func firstOfRun(_ outcome: OutcomeKey) -> DecimalOdds? {
    outcome.market == market ? openings.first { $0.outcome == outcome.outcome }?.odds : nil
  }
}
