import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Rules for every outcome, compared with one rule for each outcome.
struct AlertEveryOutcomeLawTests {
  private static let begin: Int64 = 1_750_752_000_000

  private static func match(_ id: UInt64, _ random: inout SeededRandom) -> Match {
    let markets = (1...3).filter { _ in Int.random(in: 0..<8, using: &random) > 0 }.map { number in
      let outcomes = (0..<3).filter { _ in Int.random(in: 0..<8, using: &random) > 0 }.map { index in
        let id = UInt64(number * 10 + index)
        let isLive = Int.random(in: 0..<5, using: &random) > 0
        return Outcome(
          id: OutcomeID(raw: id), name: "o\(id)",
          offer: BettingOffer(
            id: OfferID(raw: id), odds: DecimalOdds(units: .random(in: 170...230, using: &random) * 100_000),
            status: isLive ? .standard : .suspended, isAvailable: isLive), isBettable: isLive)
      }
      return Market(
        id: MarketID(raw: UInt64(number)), name: "m\(number)", isMainLine: number == 1,
        mainMarketRank: number == 1 ? 0 : nil, outcomes: outcomes)
    }
    return Match(
      id: MatchID(raw: id), labels: Match.Names(name: "Ajax - Porto"), status: .inProgress, markets: markets)
  }

  private struct RuleSet {
    var rules: AlertRules
    var engine = AlertEngine()

    init(_ texts: [String]) throws {
      rules = AlertRules(readsHistory: true)
      for text in texts { _ = rules.add(try AlertRule(text)) }
    }

    mutating func events(
      _ update: ChannelUpdate, open: Match?, hasAnswers: Bool, now: FrameTime
    ) -> [AlertEvent] {
      let events = engine.apply(update, &rules, now: now) + engine.apply(open: open, &rules, now: now)
      if !hasAnswers { return events }
      return events + engine.apply(AlertEveryOutcomeLawTests.answers(engine.drainRequests()), &rules, now: now)
    }
  }

  /// Returns answers with prices that depend on the outcome only.
  private static func answers(_ requests: [AlertHistoryRequest]) -> [AlertHistoryAnswer] {
    requests.map { request in
      let odds = DecimalOdds(units: 18_000_000 + Int64(request.outcome?.raw ?? 0) % 7 * 1_000_000)
      let prices = request.span == nil ? [] : [PastPrices.Price(until: request.until, odds: odds)]
      return AlertHistoryAnswer(request, PastPrices(opening: odds, prices: prices))
    }
  }

  @Test("A rule for every outcome raises the same alerts as one rule for each outcome", arguments: Laws.seeds(40))
  func law(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let event = [
      ">= 2.1", "< 1.8", "move 5% in 60s", "down 3% in 10m", "lowest in 90s", "highest of the day",
      "move 8% from opening", "up 4% from opening", "when odds < 1.9 and live",
    ].randomElement(using: &random)!
    let isPrice = event.contains("=") && !event.hasPrefix("w") || event.hasPrefix("<")
    let repetition = ["", "once", "again", isPrice ? "again by 3%" : "again"].randomElement(using: &random)!
    let ids = (1...3).flatMap { market in (0..<3).map { (market, market * 10 + $0) } }
    var ruleSets = [
      try RuleSet(["every outcome \(event) \(repetition)"]),
      try RuleSet(ids.map { "market id \($0) outcome id \($1) \(event) \(repetition)" }),
    ]
    func sorted(_ events: [AlertEvent]) -> [String] { events.map { "\($0.match) \($0.content)" }.sorted() }
    var count = 0
    for step in 1...60 {
      let frame = FrameTime(
        uptime: .seconds(11 * step), wall: Self.begin + Int64(step) * 11_000, zone: 0)
      let matches = [Self.match(100, &random), Self.match(200, &random)]
      let grade: Freshness.Grade = Int.random(in: 0..<8, using: &random) == 0 ? .locked : .live
      let update = ChannelUpdate(changed: matches, freshness: Freshness(grade, since: frame.wall))
      let isOpen = Bool.random(using: &random)
      let open = isOpen ? Self.match(100, &random) : nil
      let hasAnswers = Bool.random(using: &random)
      let events = ruleSets.indices.map { ruleSets[$0].events(update, open: open, hasAnswers: hasAnswers, now: frame) }
      #expect(sorted(events[0]) == sorted(events[1]), "\(event) \(repetition), step \(step)")
      count += events[0].count
    }
    #expect(count > 0, "\(event) \(repetition)")
  }
}
