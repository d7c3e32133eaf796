import OddsModel

/// A match whose markets, outcomes and prices change at random. Every second market is an exchange's.
struct ChangingMatch {
  private struct Outcome {
    var isThere = true
    var status = OfferStatus.standard
    var odds: Int64 = 25_000_000
    var hasBacks = true
    var hasLays = true
  }

  private struct Market {
    var isThere = true
    var isAvailable = true
    var isClosed = false
    var handicap: Int64 = 5_000_000
    var rank: Int?
    var status = MarketStatus.open
    var hasLines = false
    var isAwaitingImage = false
    var outcomes = [Outcome](repeating: Outcome(), count: 3)
  }

  private var status = MatchStatus.inProgress
  private var markets = [Market](repeating: Market(), count: 3)

  /// Changes a price, and sometimes another property.
  mutating func change(using random: inout some RandomNumberGenerator) {
    let market = Int.random(in: 0..<3, using: &random)
    let outcome = Int.random(in: 0..<3, using: &random)
    markets[market].outcomes[outcome].odds = 10_000_000 * Int64.random(in: 2...9, using: &random)
    switch Int.random(in: 0..<60, using: &random) {
    case 0: status = [.inProgress, .inProgress, .ended].randomElement(using: &random)!
    case 1: markets[market].isThere.toggle()
    case 2: markets[market].isAvailable.toggle()
    case 3: markets[market].isClosed.toggle()
    case 4: markets[market].handicap = 5_000_000 * Int64.random(in: 1...2, using: &random)
    case 5: markets[market].rank = Int.random(in: 0...2, using: &random)
    case 6: markets[market].status = [.open, .open, .suspended].randomElement(using: &random)!
    case 7: markets[market].hasLines.toggle()
    case 8: markets[market].isAwaitingImage.toggle()
    case 9: markets[market].outcomes[outcome].isThere.toggle()
    case 10: markets[market].outcomes[outcome].status = [.standard, .suspended].randomElement(using: &random)!
    case 11: markets[market].outcomes[outcome].hasBacks.toggle()
    case 12: markets[market].outcomes[outcome].hasLays.toggle()
    default: break
    }
  }

  func match(_ id: MatchID) -> Match {
    Match(
      id: id, labels: Match.Names(name: "\(id)"), status: status,
      markets: markets.indices.filter { markets[$0].isThere }.map { Self.market(markets[$0], UInt64($0 + 1)) })
  }

  private static func market(_ state: Market, _ id: UInt64) -> OddsModel.Market {
    let isOpen = state.isAvailable && !state.isClosed
    let isExchange = id % 2 == 0
    let takesBets = state.status == .open && !state.hasLines && !state.isAwaitingImage
    let outcomes = state.outcomes.indices.filter { state.outcomes[$0].isThere }.map { index in
      let outcome = state.outcomes[index]
      let number = id * 10 + UInt64(index)
      let odds = DecimalOdds(units: outcome.odds)
      let offer = BettingOffer(id: OfferID(raw: number), odds: odds, status: outcome.status)
      let isBettable = isOpen && outcome.status == .standard && (!isExchange || takesBets && outcome.hasBacks)
      let amount = Amount(units: 1, currency: nil)
      let prices = ExchangePrices(
        backs: outcome.hasBacks ? [offer.on(.back, level: 0, size: amount)] : [],
        lays: outcome.hasLays ? [offer.on(.lay, level: 0, size: amount)] : [])
      return OddsModel.Outcome(
        id: OutcomeID(raw: number), name: "\(index + 1)", offer: offer, isBettable: isBettable,
        exchange: isExchange ? prices : nil)
    }
    let exchange = ExchangeMarket(
      status: state.status, hasLines: state.hasLines, isAwaitingImage: state.isAwaitingImage)
    return OddsModel.Market(
      id: MarketID(raw: id), name: "", handicap: state.handicap, isAvailable: state.isAvailable,
      isClosed: state.isClosed, mainMarketRank: state.rank, outcomes: outcomes, exchange: isExchange ? exchange : nil)
  }
}
