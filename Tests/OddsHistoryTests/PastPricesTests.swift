import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The recorded prices of the favourite while another outcome has no price or is deleted.
struct PastPricesTests {
  /// 2025-06-24 12:00:00 UTC.
  private static let noon: Int64 = 1_750_766_400_000
  private static let minute: Int64 = 60_000

  private static func outcome(_ id: UInt64, _ hundredths: Int64?) -> Outcome {
    let odds = hundredths.map { DecimalOdds(units: $0 * 100_000) }
    return Outcome(
      id: OutcomeID(raw: id), name: "\(id)", offer: BettingOffer(id: OfferID(raw: id), odds: odds),
      isBettable: odds != nil)
  }

  /// Records the prices of two outcomes from an hour before to an hour after noon, and returns those of the favourite.
  ///
  /// - Parameters:
  ///   - states: The prices in hundredths, with the minute after noon from which on they are valid.
  ///   - range: The time range in minutes after noon.
  ///   - deletesSecond: True if the second outcome is deleted while it has no price.
  private func favourite(
    _ states: [(minute: Int64, Int64, Int64?)], _ range: Range<Int64>, deletesSecond: Bool = false
  ) throws -> [String] {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var detector = ChangeDetector()
    var outcomes: [Outcome] = []
    let entries = states.flatMap { minute, first, second in
      outcomes = [Self.outcome(1, first)]
      if second != nil || !deletesSecond { outcomes.append(Self.outcome(2, second)) }
      let market = Market(id: MarketID(raw: 1), name: "Winner", outcomes: outcomes)
      let match = Match(id: 100, labels: Match.Names(name: "Ajax - Porto"), markets: [market])
      return detector.apply(
        MatchObservation(channel: 1, time: Self.noon + minute * Self.minute, .match(match)))
    }
    try HistoryWriter(file, feed: "f").write(entries, completeUpTo: Self.noon + 60 * Self.minute)
    let past = try HistoryReader(file).past(
      of: nil, present: outcomes.map(\.id), in: MarketID(raw: 1), of: 100, feed: "f",
      range: Self.noon + range.lowerBound * Self.minute..<Self.noon + range.upperBound * Self.minute)
    return try #require(past).prices.map(\.odds.description)
  }

  @Test("While another outcome has no price, it counts with its last one, also if that is from before the range")
  func lastPrice() throws {
    let states: [(minute: Int64, Int64, Int64?)] = [
      (-60, 150, 400), (0, 150, nil), (10, 140, nil), (20, 150, nil), (30, 150, 400),
    ]
    #expect(try favourite(states, -60..<60) == ["1.50", "1.40", "1.50"])
    #expect(try favourite(states, 5..<25) == ["1.50", "1.40", "1.50"])
  }

  @Test("While the favourite has no price, no other outcome is the favourite")
  func withoutPrice() throws {
    #expect(try favourite([(-60, 400, 150), (0, 140, nil), (10, 400, 150)], -60..<60) == ["1.50", "1.40", "1.50"])
    #expect(try favourite([(-60, 400, 150), (0, 300, nil), (10, 400, 150)], -60..<60) == ["1.50", "1.50"])
  }

  @Test("A deleted outcome is the favourite until its deletion, and then does not count")
  func deleted() throws {
    let states: [(minute: Int64, Int64, Int64?)] = [(-60, 400, 150), (0, 300, nil), (10, 350, nil)]
    #expect(try favourite(states, -60..<60) == ["1.50"])
    #expect(try favourite(states, -60..<60, deletesSecond: true) == ["1.50", "3.00", "3.50"])
    #expect(try favourite(states, 5..<60, deletesSecond: true) == ["3.00", "3.50"])
  }

  @Test("There is no favourite before each outcome has had a price")
  func neverPriced() throws {
    #expect(try favourite([(-60, 150, nil), (0, 140, nil), (10, 150, 400)], -60..<60) == ["1.50"])
    #expect(try favourite([(-60, 150, nil)], -60..<60).isEmpty)
  }
}
