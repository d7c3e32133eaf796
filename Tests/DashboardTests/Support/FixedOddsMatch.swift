import OddsModel
import TestSupport

/// A match with one or two markets of fixed odds, which changes at random until it ends.
struct FixedOddsMatch {
  private struct Price {
    var odds: Int64 = 20_000_000
    var status = OfferStatus.standard
  }

  let id: MatchID
  private var status = MatchStatus.pending
  private var score: Score?
  private var hasFirstMarket = true
  private var markets = [[Price]](repeating: [Price](repeating: Price(), count: 3), count: 2)

  init(_ id: MatchID) { self.id = id }

  var name: String { "Match \(id) - x" }

  mutating func change(using random: inout SeededRandom) {
    if status == .ended { return }
    let market = Int.random(in: 0...1, using: &random)
    let column = Int.random(in: 0...2, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0 where status == .pending:
      status = .inProgress
      score = Score(home: 0, away: 0)
    case 0: if Int.random(in: 0..<4, using: &random) == 0 { status = .ended }
    case 1...2: score?.home += 1
    case 3...4: hasFirstMarket.toggle()
    case 5...6:
      let new = [OfferStatus.standard, .suspended].randomElement(using: &random)!
      for market in 0...1 { for column in 0...2 { markets[market][column].status = new } }
    case 7...9:
      markets[market][column].status =
        [.standard, .standard, .suspended, .removed].randomElement(using: &random)!
    default:
      // The first two prices have the same text.
      markets[market][column].odds =
        [20_000_000, 20_000_400, 21_000_000, 24_900_000, 25_000_000, 30_000_000].randomElement(using: &random)!
    }
  }

  var match: Match {
    Match(
      id: id, labels: Match.Names(name: name), status: status, score: score,
      markets: (hasFirstMarket ? [0, 1] : [1]).map { Self.market(markets[$0], UInt64($0 + 1)) })
  }

  private static func market(_ prices: [Price], _ id: UInt64) -> Market {
    let outcomes = prices.enumerated().map { index, price in
      let number = id * 10 + UInt64(index)
      let isLive = price.status == .standard
      return Outcome(
        id: OutcomeID(raw: number), name: "o\(number)", key: ["home", "draw", "away"][index],
        offer: BettingOffer(
          id: OfferID(raw: number), odds: DecimalOdds(units: price.odds), status: price.status, isAvailable: isLive),
        isBettable: isLive)
    }
    return Market(id: MarketID(raw: id), name: "m\(id)", outcomes: outcomes)
  }
}
