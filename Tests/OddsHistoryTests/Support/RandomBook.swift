import OddsModel
import TestSupport

@testable import OddsHistory

/// Matches whose prices change at random, as a channel would carry them.
struct RandomBook {
  private(set) var matches: [MatchID: Match] = [:]
  var random: SeededRandom

  init(seed: UInt64, matches count: Int = 3) {
    random = SeededRandom(seed: seed &* 0x9E37_79B9 &+ 1)
    for number in 1...count { add(MatchID(raw: UInt64(number))) }
  }

  private mutating func add(_ id: MatchID) {
    var markets: [Market] = []
    for number: UInt64 in 1...3 {
      let raw = id.raw * 10 + number
      let outcomes = [outcome(raw * 10 + 1), outcome(raw * 10 + 2), outcome(raw * 10 + 3)]
      markets.append(
        Market(
          id: MarketID(raw: raw), name: "Market \(number)", mainMarketRank: number == 1 ? 0 : nil, outcomes: outcomes))
    }
    matches[id] = Match(
      id: id, labels: Match.Names(name: "Home \(id) - 客隊 \(id)", home: "Home \(id)", away: "客隊 \(id)"),
      startTime: 1_750_000_000_000, status: .inProgress, markets: markets)
  }

  private mutating func outcome(_ raw: UInt64) -> Outcome {
    // Includes prices that differ by less than a thousandth.
    let units = Int64.random(in: 10_100_000...10_140_000, using: &random)
    let isPriced = Int.random(in: 0..<8, using: &random) > 0
    let offer = BettingOffer(id: OfferID(raw: raw), odds: isPriced ? DecimalOdds(units: units) : nil)
    return Outcome(
      id: OutcomeID(raw: raw), name: "Outcome \(raw)", key: "k\(raw)", offer: offer,
      isBettable: isPriced && Int.random(in: 0..<5, using: &random) > 0)
  }

  /// Adds, changes or removes a price, an outcome, a market or a match, and returns the match's id.
  mutating func change() -> MatchID {
    let id = MatchID(raw: UInt64.random(in: 1...UInt64(max(matches.count, 3)), using: &random))
    guard let match = matches[id] else {
      add(id)
      return id
    }
    if Int.random(in: 0..<40, using: &random) == 0 {
      matches[id] = nil
      return id
    }
    var markets = match.markets
    let index = Int.random(in: 0..<max(1, markets.count), using: &random)
    if markets.isEmpty || Int.random(in: 0..<30, using: &random) == 0 {
      add(id)
      markets = matches[id]!.markets
      if Bool.random(using: &random) { markets.remove(at: Int.random(in: 0..<markets.count, using: &random)) }
    } else {
      var outcomes = markets[index].outcomes
      let raw = markets[index].id.raw * 10 + UInt64.random(in: 1...4, using: &random)
      if let known = outcomes.firstIndex(where: { $0.id.raw == raw }) {
        if Int.random(in: 0..<12, using: &random) == 0 {
          outcomes.remove(at: known)
        } else {
          outcomes[known] = outcome(raw)
        }
      } else {
        outcomes.append(outcome(raw))
        outcomes.sort { $0.id < $1.id }
      }
      markets[index] = Market(
        id: markets[index].id, name: markets[index].name, mainMarketRank: markets[index].mainMarketRank,
        outcomes: outcomes)
    }
    matches[id] = Match(
      id: id, labels: match.labels, startTime: match.startTime, status: match.status,
      score: Score(home: Int.random(in: 0...1, using: &random), away: 0), markets: markets)
    return id
  }
}
