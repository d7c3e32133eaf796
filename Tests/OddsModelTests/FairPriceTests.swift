import TestSupport
import Testing

@testable import OddsModel

@Suite("Fair prices")
struct FairPriceTests {
  /// Returns a market whose outcomes have prices in hundredths that can be bet on. Nil is an outcome without a price.
  static func market(
    _ prices: [Int64?], keys: [String] = [], status: OfferStatus = .standard, exchange: ExchangeMarket? = nil,
    lays: [Int64?] = [], stated: Int? = nil
  ) -> Market {
    let outcomes = prices.enumerated().map { index, price in
      let id = UInt64(index + 1)
      let offer = BettingOffer(
        id: OfferID(raw: id), odds: price.map { DecimalOdds(units: $0 * 100_000) },
        status: price == nil ? status : .standard)
      let lay = lays.indices.contains(index) ? lays[index] : nil
      let ladder = ExchangePrices(
        lays: lay.map { [BettingOffer(id: OfferID(raw: id), odds: DecimalOdds(units: $0 * 100_000))] } ?? [])
      return Outcome(
        id: OutcomeID(raw: id), name: keys.indices.contains(index) ? keys[index] : "\(index)", offer: offer,
        isBettable: price != nil, exchange: exchange == nil ? nil : ladder)
    }
    return Market(
      id: MarketID(raw: 1), name: "Winner", statedOutcomeCount: stated, outcomes: outcomes, exchange: exchange)
  }

  private static let open = ExchangeMarket(status: .open, winnerCount: 1)

  private static func fair(_ market: Market, _ method: MarginMethod = .proportional) -> [Int64?]? {
    FairPrices(market, method).map { fair in
      market.outcomes.indices.map { fair.odds(ofOutcomeAt: $0)?.hundredths }
    }
  }

  /// Returns the implied probabilities of random prices, and a number of winners with which they have a usual margin.
  private static func implied(_ random: inout SeededRandom) -> (implied: [Double], winners: Int) {
    let winners = Int.random(in: 1...3, using: &random)
    let count = Int.random(in: winners + 1...winners + 20, using: &random)
    var weights = (0..<count).map { _ in Double.random(in: 0.001...1, using: &random) }
    if Bool.random(using: &random) { weights[0] = weights[1] }
    let sum = Double(winners) * Double.random(in: 0.9...1.6, using: &random)
    let total = weights.reduce(0, +)
    return (weights.map { min(0.999, max(1e-7, $0 / total * sum)) }, winners)
  }

  @Test("Fair probabilities add up to the number of winners and keep the order", arguments: MarginMethod.allCases)
  func sum(method: MarginMethod) {
    var random = SeededRandom(seed: 19)
    var computed = 0
    for _ in 0..<3000 {
      let (implied, winners) = Self.implied(&random)
      guard let fair = method.fairProbabilities(implied: implied, winners: winners) else { continue }
      computed += 1
      #expect(abs(fair.reduce(0, +) - Double(winners)) < 1e-9, "\(implied)")
      #expect(fair.allSatisfy { $0 > 0 && $0 < 1 })
      for (left, right) in zip(implied.indices, implied.indices.dropFirst()) {
        #expect((implied[left] < implied[right]) == (fair[left] < fair[right]))
        #expect((implied[left] == implied[right]) == (fair[left] == fair[right]))
      }
    }
    #expect(computed > 2000)
  }

  @Test("The power method equals a slow bisection for the exponent")
  func bisection() {
    var random = SeededRandom(seed: 7)
    for _ in 0..<1000 {
      let (implied, winners) = Self.implied(&random)
      func powers(_ exponent: Double) -> [Double] { implied.map { Self.power($0, exponent) } }
      var (low, high) = (0.0, 20_000.0)
      for _ in 0..<200 {
        let middle = (low + high) / 2
        if powers(middle).reduce(0, +) > Double(winners) { low = middle } else { high = middle }
      }
      let expected = powers(low)
      guard let fair = MarginMethod.power.fairProbabilities(implied: implied, winners: winners) else {
        #expect(expected.contains { $0 >= 1 || $0 <= 0 }, "\(implied)")
        continue
      }
      for (fair, expected) in zip(fair, expected) { #expect(abs(fair - expected) < 1e-9, "\(implied)") }
    }
  }

  /// Raises a number to a power by repeated square roots, one for each binary digit of the fraction.
  private static func power(_ base: Double, _ exponent: Double) -> Double {
    var result = 1.0
    for _ in 0..<Int(exponent) { result *= base }
    var fraction = exponent - exponent.rounded(.down)
    var root = base
    for _ in 0..<60 {
      root = root.squareRoot()
      fraction *= 2
      if fraction >= 1 {
        result *= root
        fraction -= 1
      }
    }
    return result
  }

  @Test("The proportional method multiplies each price by the sum of the implied probabilities")
  func proportional() {
    // 1/2 + 1/2.5 + 1/5 = 1.1
    #expect(Self.fair(Self.market([200, 250, 500])) == [220, 275, 550])
    // The power that makes 1/1.25 and 1/2 add up to 1 takes more from the higher price.
    let power = Self.fair(Self.market([125, 200]), .power)!
    #expect(power[0]! < 163 && power[1]! > 260)
  }

  @Test(
    "A market without two priced outcomes, with an invalid price or an impossible margin has no fair prices",
    arguments: [
      [], [200], [nil, 200], [200, 200, nil], [100, 200], [50, 200], [0, 200], [300, 300], [110, 110, 110, 110],
    ] as [[Int64?]])
  func none(prices: [Int64?]) {
    for method in MarginMethod.allCases { #expect(Self.fair(Self.market(prices), method) == nil) }
  }

  @Test("A market with fewer outcomes than stated has no fair prices, whatever its prices add up to")
  func missingOutcome() {
    // 1/1.2 + 1/9 = 0.944: a margin of -5.6 %, because the outcome at 15 is missing.
    for stated in [nil, 1, 2] { #expect(Self.fair(Self.market([120, 900], stated: stated)) != nil) }
    for stated in [3, 300] {
      let market = Self.market([120, 900], stated: stated)
      for method in MarginMethod.allCases { #expect(Self.fair(market, method) == nil) }
    }
    #expect(Self.fair(Self.market([120, 900, 1500], stated: 3)) != nil)
  }

  @Test("A margin below zero is removed, too")
  func negativeMargin() {
    #expect(Self.fair(Self.market([210, 210])) == [200, 200])
    #expect(Self.fair(Self.market([210, 210]), .power) == [200, 200])
  }

  @Test("A non-participant is ignored, on an exchange also a removed outcome")
  func nonRunner() {
    let prices: [Int64?] = [190, 190, nil]
    #expect(Self.fair(Self.market(prices, status: .nonParticipant)) == [200, 200, nil])
    #expect(Self.fair(Self.market(prices, status: .removed)) == nil)
    let runners = Self.market(prices, status: .removed, exchange: Self.open, lays: [190, 190, nil])
    #expect(Self.fair(runners) == [200, 200, nil])
  }

  @Test("A double chance market has two winners")
  func doubleChance() {
    for keys in [
      ["1X", "12", "X2"], ["Home or Draw", "Home or Away", "Draw or Away"], ["home_draw", "home_away", "draw_away"],
    ] {
      #expect(Self.market([130, 130, 150], keys: keys).winnerCount == 2)
    }
    #expect(Self.market([130, 130, 150], keys: ["home", "draw", "away"]).winnerCount == 1)
    let market = Self.market([140, 140, 140], keys: ["1X", "12", "X2"])
    #expect(Self.fair(market) == [150, 150, 150])
    // Two outcomes, of which both win, have no margin to remove.
    #expect(Self.fair(Self.market([130, 150], keys: ["1X", "X2"])) == nil)
    // Without the names, a sum of 2.1 is an impossible margin.
    #expect(Self.fair(Self.market([140, 140, 140])) == nil)
  }

  @Test("The number of winners of a place market comes from the feed")
  func places() {
    let exchange = ExchangeMarket(status: .open, winnerCount: 2)
    let prices: [Int64?] = [200, 200, 200, 200]
    #expect(Self.fair(Self.market(prices, exchange: exchange, lays: prices)) == [200, 200, 200, 200])
    for winners in [0, -1, 4, 5] {
      let exchange = ExchangeMarket(status: .open, winnerCount: winners)
      #expect(Self.fair(Self.market(prices, exchange: exchange, lays: prices)) == nil)
    }
  }

  @Test("On an exchange the fair price uses the mean of both sides and requires both")
  func exchange() {
    // (1/2 + 1/2.5) / 2 = 0.45 and (1/1.6 + 1/2) / 2 = 0.5625.
    let market = Self.market([200, 160], exchange: Self.open, lays: [250, 200])
    #expect(Self.fair(market) == [225, 180])
    #expect(Self.fair(Self.market([200, 160], exchange: Self.open, lays: [250, nil])) == nil)
    for exchange in [
      ExchangeMarket(status: .suspended), ExchangeMarket(status: .open, hasLines: true),
      ExchangeMarket(status: .open, isAwaitingImage: true),
    ] {
      #expect(Self.fair(Self.market([200, 160], exchange: exchange, lays: [250, 200])) == nil)
    }
  }

  @Test("A market with a price that is not bettable has no fair prices")
  func deadPrices() {
    var random = SeededRandom(seed: 3)
    var computed = 0
    for _ in 0..<2000 {
      let count = Int.random(in: 2...6, using: &random)
      let prices = (0..<count).map { _ in
        Int.random(in: 0..<8, using: &random) == 0 ? nil : Int64.random(in: 90...900, using: &random)
      }
      let market = Self.market(prices, status: OfferStatus(rawValue: UInt8.random(in: 4...7, using: &random))!)
      for method in MarginMethod.allCases {
        guard let fair = Self.fair(market, method) else { continue }
        computed += 1
        #expect(prices.allSatisfy { $0.map { $0 > 100 } ?? false } && !fair.contains(nil), "\(prices)")
      }
    }
    #expect(computed > 200)
  }
}
