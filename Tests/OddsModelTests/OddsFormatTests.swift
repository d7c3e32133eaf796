import Testing

@testable import OddsModel

@Suite("Odds formats")
struct OddsFormatTests {
  struct Price: Sendable {
    let decimal: String
    let fraction: String
    let american: Int64
    /// In hundredths.
    let hongKong, malay, indonesian: Int64
    /// In tenths of a per cent.
    let implied: Int64
  }

  static let table = [
    Price(
      decimal: "1.01", fraction: "1/100", american: -10000, hongKong: 1, malay: 1, indonesian: -10000, implied: 990),
    Price(decimal: "1.10", fraction: "1/10", american: -1000, hongKong: 10, malay: 10, indonesian: -1000, implied: 909),
    Price(decimal: "1.25", fraction: "1/4", american: -400, hongKong: 25, malay: 25, indonesian: -400, implied: 800),
    Price(decimal: "1.33", fraction: "1/3", american: -303, hongKong: 33, malay: 33, indonesian: -303, implied: 752),
    Price(decimal: "1.50", fraction: "1/2", american: -200, hongKong: 50, malay: 50, indonesian: -200, implied: 667),
    Price(decimal: "1.67", fraction: "4/6", american: -149, hongKong: 67, malay: 67, indonesian: -149, implied: 599),
    Price(decimal: "1.80", fraction: "4/5", american: -125, hongKong: 80, malay: 80, indonesian: -125, implied: 556),
    Price(decimal: "1.91", fraction: "10/11", american: -110, hongKong: 91, malay: 91, indonesian: -110, implied: 524),
    Price(decimal: "2", fraction: "1/1", american: 100, hongKong: 100, malay: 100, indonesian: 100, implied: 500),
    Price(decimal: "2.10", fraction: "11/10", american: 110, hongKong: 110, malay: -91, indonesian: 110, implied: 476),
    Price(decimal: "2.45", fraction: "6/4", american: 145, hongKong: 145, malay: -69, indonesian: 145, implied: 408),
    Price(decimal: "2.50", fraction: "6/4", american: 150, hongKong: 150, malay: -67, indonesian: 150, implied: 400),
    Price(decimal: "3.00", fraction: "2/1", american: 200, hongKong: 200, malay: -50, indonesian: 200, implied: 333),
    Price(decimal: "4.33", fraction: "10/3", american: 333, hongKong: 333, malay: -30, indonesian: 333, implied: 231),
    Price(decimal: "5.50", fraction: "9/2", american: 450, hongKong: 450, malay: -22, indonesian: 450, implied: 182),
    Price(decimal: "11", fraction: "10/1", american: 1000, hongKong: 1000, malay: -10, indonesian: 1000, implied: 91),
    Price(
      decimal: "101", fraction: "100/1", american: 10000, hongKong: 10000, malay: -1, indonesian: 10000, implied: 10),
    Price(
      decimal: "1501", fraction: "1500/1", american: 150_000, hongKong: 150_000, malay: 0, indonesian: 150_000,
      implied: 1),
  ]

  @Test("Invalid odds have no figure in any format, and an implied probability of 0", arguments: OddsFormat.allCases)
  func noPrice(format: OddsFormat) {
    for units in [0, -1, .min, .max, DecimalOdds.limit.units + 1] {
      #expect(format.figure(of: DecimalOdds(units: units)) == .nothing)
    }
    #expect(DecimalOdds(units: 0).impliedProbability == 0)
  }

  @Test("A price in each format", arguments: table)
  func formats(price: Price) {
    let odds = Self.odds(price.decimal)
    func text(_ format: OddsFormat) -> String { "\(format.figure(of: odds))" }
    let parts = price.fraction.split(separator: "/").map { Int64($0)! }
    #expect(OddsFormat.decimal.figure(of: odds) == .amount(units: odds.units))
    #expect(OddsFormat.fractional.figure(of: odds) == .fraction(parts[0], parts[1]))
    #expect(OddsFormat.american.figure(of: odds) == .whole(price.american))
    #expect(Self.hundredths(.hongKong, odds) == price.hongKong)
    #expect(Self.hundredths(.malay, odds) == price.malay)
    #expect(Self.hundredths(.indonesian, odds) == price.indonesian)
    #expect(OddsFormat.implied.figure(of: odds) == .perMille(price.implied))
  }

  @Test("Fractional odds are those that bookmakers print for their decimal prices")
  func ladder() {
    let pairs = [
      ("1.02", "1/50"), ("1.12", "1/8"), ("1.13", "2/15"), ("1.14", "1/7"), ("1.17", "1/6"), ("1.20", "1/5"),
      ("1.22", "2/9"),
      ("1.29", "2/7"), ("1.30", "3/10"), ("1.36", "4/11"), ("1.40", "2/5"), ("1.44", "4/9"), ("1.53", "8/15"),
      ("1.57", "4/7"), ("1.62", "8/13"), ("1.73", "8/11"), ("1.83", "5/6"), ("2.05", "21/20"), ("2.20", "6/5"),
      ("2.25", "5/4"), ("2.38", "11/8"), ("2.40", "7/5"), ("2.60", "8/5"), ("2.63", "13/8"), ("2.75", "7/4"),
      ("2.80", "9/5"), ("2.88", "15/8"), ("3.13", "85/40"), ("3.20", "11/5"), ("3.25", "9/4"), ("3.40", "12/5"),
      ("3.50", "5/2"), ("3.75", "11/4"), ("4.00", "3/1"), ("4.50", "7/2"), ("5.00", "4/1"), ("6.50", "11/2"),
      ("7.50", "13/2"), ("10.00", "9/1"), ("13.00", "12/1"), ("34.00", "33/1"), ("67.00", "66/1"), ("1001", "1000/1"),
    ]
    for (decimal, fraction) in pairs {
      let parts = fraction.split(separator: "/").map { Int64($0)! }
      #expect(OddsFormat.fractional.figure(of: Self.odds(decimal)) == .fraction(parts[0], parts[1]), "\(decimal)")
    }
  }

  @Test("The rungs of the fractional ladder are in order, and each one is the fraction of its own price")
  func rungs() {
    let rungs = FractionalLadder.rungs
    for (lower, upper) in zip(rungs, rungs.dropFirst()) {
      #expect(lower.0 * upper.1 < upper.0 * lower.1, "\(lower) before \(upper)")
    }
    for fired in rungs {
      let odds = DecimalOdds(units: DecimalOdds.unitsPerOne + fired.0 * DecimalOdds.unitsPerOne / fired.1)
      #expect(OddsFormat.fractional.figure(of: odds) == .fraction(fired.0, fired.1))
    }
  }

  @Test("Every format keeps the order of prices", arguments: OddsFormat.allCases)
  func order(format: OddsFormat) {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<5_000 {
      let low = Int64.random(in: 10_000_001...10_000_000_000, using: &random)
      let high = Int64.random(in: low...10_000_000_000, using: &random)
      let pair = [low, high].map { Self.profit(format.figure(of: DecimalOdds(units: $0))) }
      #expect(pair[0] <= pair[1], "\(low), \(high)")
    }
  }

  @Test(
    "The highest and lowest prices have a figure, and odds of 1 only in formats that can express them",
    arguments: OddsFormat.allCases)
  func bounds(format: OddsFormat) {
    for units: Int64 in [10_000_000, 10_000_001, 19_999_999, 20_000_000, 20_000_001, 10_000_000_000_000] {
      let figure = format.figure(of: DecimalOdds(units: units))
      let wins = units > 10_000_000 || [.decimal, .hongKong, .implied].contains(format)
      #expect((figure != .nothing) == wins)
    }
  }

  private static func odds(_ text: String) -> DecimalOdds {
    let parts = text.split(separator: ".")
    let decimals = parts.count > 1 ? String(parts[1]) : ""
    let units = Int64(decimals + String(repeating: "0", count: 7 - decimals.count))!
    return DecimalOdds(units: Int64(parts[0])! * DecimalOdds.unitsPerOne + units)
  }

  private static func hundredths(_ format: OddsFormat, _ odds: DecimalOdds) -> Int64? {
    guard case .amount(let units) = format.figure(of: odds) else { return nil }
    return (units.magnitude + 50_000) / 100_000 == 0
      ? 0 : units.signum() * Int64((units.magnitude + 50_000) / 100_000)
  }

  /// The profit of a figure for a stake of one, as precise as the figure.
  private static func profit(_ figure: OddsFormat.Figure) -> Double {
    switch figure {
    case .amount(let units) where units < 0: -Double(DecimalOdds.unitsPerOne) / Double(units)
    case .amount(let units): Double(units) / Double(DecimalOdds.unitsPerOne)
    case .fraction(let wins, let stake): Double(wins) / Double(stake)
    case .whole(let count): count < 0 ? -100 / Double(count) : Double(count) / 100
    case .perMille(let chance): chance == 0 ? .infinity : 1000 / Double(chance) - 1
    case .nothing: 0
    }
  }
}
