import TestSupport
import Testing

@testable import OddsModel

/// The margin of a market, compared with a plain sum over the outcomes that take part.
struct MarginLawTests {
  private struct Runner {
    let text: String
    /// The price in hundredths; nil if there is none.
    let price: Int64?
    /// The status of the offer; nil if there is no offer.
    let status: OfferStatus?

    var isBettable: Bool { status == .standard && price != nil }

    /// Returns the outcome. Its text is the key or the name.
    func outcome(_ index: Int, isKey: Bool) -> Outcome {
      let id = UInt64(index + 1)
      let offer = status.map { status in
        BettingOffer(id: OfferID(raw: id), odds: price.map { DecimalOdds(units: $0 * 100_000) }, status: status)
      }
      return Outcome(
        id: OutcomeID(raw: id), name: isKey ? "Outcome \(index)" : text, key: isKey ? text : "", offer: offer,
        isBettable: isBettable)
    }
  }

  /// The texts of outcomes, and the number of winners that they imply.
  private static let names: [(texts: [String], winners: Int)] = [
    (["1X", "12", "X2"], 2), (["Home or Draw", "Home or Away", "Draw or Away"], 2), (["x2", "1x"], 2),
    (["home_draw", "home_away", "draw_away"], 2), (["home", "draw", "away"], 1), (["1", "X", "2"], 1),
    (["Home", "Away"], 1), (["1X", "12", "Draw"], 1), (["12", "12", "X2"], 1), (["Over", "Under"], 1),
    (["Diaz", "Haas"], 1), (["1"], 1), ([], 1), ((0..<9).map { "Horse \($0)" }, 1),
  ]

  /// The numbers of winners that an exchange gives.
  private static let statedWinners: [Int?] = [nil, -1, 0, 1, 1, 2, 3, 9]

  private static func runner(_ text: String, using random: inout SeededRandom) -> Runner {
    let price = Int64.random(in: 101...500, using: &random)
    switch Int.random(in: 0..<24, using: &random) {
    case 0: return Runner(text: text, price: price, status: .suspended)
    case 1: return Runner(text: text, price: nil, status: .standard)
    case 2: return Runner(text: text, price: nil, status: nil)
    case 3, 4: return Runner(text: text, price: price, status: .removed)
    case 5, 6: return Runner(text: text, price: nil, status: .nonParticipant)
    default: return Runner(text: text, price: price, status: .standard)
    }
  }

  private static func margin(_ runners: [Runner], winners: Int, isExchange: Bool) -> Double? {
    var probabilities: [Double] = []
    for runner in runners {
      if runner.status == .nonParticipant || isExchange && runner.status == .removed { continue }
      guard runner.isBettable, let price = runner.price else { return nil }
      probabilities.append(100 / Double(price))
    }
    if winners < 1 || probabilities.count < 2 || probabilities.count <= winners { return nil }
    return probabilities.sorted().reduce(0, +) / Double(winners) - 1
  }

  @Test("The margin counts the outcomes that take part and the number of winners, and fair prices remove it")
  func law() {
    var count = 0
    var removed = 0
    for seed in Laws.seeds(3000) {
      var random = SeededRandom(seed: seed)
      let (texts, implied) = Self.names.randomElement(using: &random)!
      let runners = texts.map { Self.runner($0, using: &random) }
      let isExchange = Bool.random(using: &random)
      let stated = isExchange ? Self.statedWinners.randomElement(using: &random)! : nil
      let isKey = Bool.random(using: &random)
      let market = Market(
        id: 7, name: "Winner", outcomes: runners.enumerated().map { $1.outcome($0, isKey: isKey) },
        exchange: isExchange ? ExchangeMarket(status: .open, winnerCount: stated) : nil)
      let expected = Self.margin(runners, winners: stated ?? implied, isExchange: isExchange)
      guard let margin = market.margin, let expected else {
        #expect(market.margin == nil && expected == nil, "seed \(seed)")
        continue
      }
      #expect(abs(margin - expected) < 1e-9, "seed \(seed)")
      count += 1
      guard !isExchange, let fair = FairPrices(market, .proportional) else { continue }
      removed += 1
      for (runner, probability) in zip(runners, fair.probabilities) {
        let implied = runner.isBettable ? runner.price.map { 100 / Double($0) } : nil
        #expect((probability == nil) == (implied == nil), "seed \(seed)")
        #expect(abs((probability ?? 0) * (1 + margin) - (implied ?? 0)) < 1e-9, "seed \(seed)")
      }
    }
    #expect(count > 500 && removed > 50)
  }

  @Test("A double chance has two winners, and a removed runner has no part in the margin")
  func examples() throws {
    let double = try #require(FairPriceTests.market([130, 130, 150], keys: ["1X", "12", "X2"]).margin)
    #expect(abs(double - 0.1026) < 0.0001)
    let winner = ExchangeMarket(status: .open, winnerCount: 1)
    let race = try #require(FairPriceTests.market([190, 190, nil], status: .removed, exchange: winner).margin)
    #expect(abs(race - 0.0526) < 0.0001)
    let places = ExchangeMarket(status: .open, winnerCount: 3)
    let placed = try #require(FairPriceTests.market([200, 400, 200, 250], exchange: places).margin)
    #expect(abs(placed + 0.45) < 0.0001)
  }
}
