import OddsModel
import TestSupport

/// A match with up to two markets, which changes at random until it ends. The first market has fixed odds, the second
/// is an exchange's. Each has up to three outcomes, one for each column of a row.
struct ThreeColumnMatch {
  private struct Price {
    var odds: Int64 = 20_000_000
    var status = OfferStatus.standard
    var isThere = true
  }

  let id: MatchID
  /// The kick-off time, in milliseconds since 1970.
  var startTime: Int64?
  private var status = MatchStatus.pending
  private var score: Score?
  private var hasMarket = [true, true]
  /// True if the image of the second market has not arrived.
  var isAwaitingImage = false
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
    case 3...4: hasMarket[market] = Int.random(in: 0..<(market == 0 ? 2 : 4), using: &random) > 0
    case 5...6:
      let new = [OfferStatus.standard, .suspended].randomElement(using: &random)!
      for market in 0...1 { for column in 0...2 { markets[market][column].status = new } }
    case 7...9:
      markets[market][column].status =
        [.standard, .standard, .suspended, .removed].randomElement(using: &random)!
    case 10: markets[market][column].isThere = Int.random(in: 0..<3, using: &random) > 0
    case 11: isAwaitingImage = Int.random(in: 0..<3, using: &random) == 0
    default:
      // The first two prices have the same text.
      markets[market][column].odds =
        [20_000_000, 20_000_400, 21_000_000, 24_900_000, 25_000_000, 30_000_000].randomElement(using: &random)!
    }
  }

  var match: Match {
    Match(
      id: id, labels: Match.Names(name: name), startTime: startTime, status: status, score: score,
      markets: [0, 1].filter { hasMarket[$0] }.map { market(markets[$0], UInt64($0 + 1)) })
  }

  private func market(_ prices: [Price], _ id: UInt64) -> Market {
    let exchange = id == 2 ? ExchangeMarket(status: .open, isAwaitingImage: isAwaitingImage) : nil
    let outcomes = prices.indices.filter { prices[$0].isThere }.map { index in
      let price = prices[index]
      let number = id * 10 + UInt64(index)
      let isLive = price.status == .standard
      return Outcome(
        id: OutcomeID(raw: number), name: "o\(number)", key: ["home", "draw", "away"][index],
        offer: BettingOffer(
          id: OfferID(raw: number), odds: DecimalOdds(units: price.odds), status: price.status, isAvailable: isLive),
        isBettable: isLive && exchange?.isAwaitingImage != true)
    }
    return Market(id: MarketID(raw: id), name: "m\(id)", outcomes: outcomes, exchange: exchange)
  }
}
