import OddsHistory
import OddsModel
import TestSupport
import Testing

@testable import Dashboard

/// Rules that compare a price with recorded prices, checked by searches of all prices. The history is a real file.
struct AlertHistoryLawTests {
  /// The time of the first recorded price. The program begins 100 seconds later.
  private static let begin: Int64 = 1_750_752_000_000
  private static let market = MarketID(raw: 1)

  private enum Price: Hashable {
    /// A price in hundredths.
    case live(Int64)
    /// The last price cannot be bet on.
    case suspended
    /// There is no price.
    case none

    var hundredths: Int64? { if case .live(let hundredths) = self { hundredths } else { nil } }
  }

  /// A random walk: all prices at each time, in seconds after `begin`.
  private struct Walk {
    var states: [(second: Int64, prices: [Price])] = []

    init(_ random: inout SeededRandom, from first: Int64, to last: Int64) {
      var prices: [Price] = [.live(200), .live(330), .live(380)]
      var second = first
      while second < last {
        for index in prices.indices where Int.random(in: 0..<3, using: &random) == 0 {
          switch Int.random(in: 0..<8, using: &random) {
          case 0: prices[index] = .suspended
          case 1: prices[index] = .none
          default: prices[index] = .live([200, 330, 380][index] + Int64.random(in: -30...30, using: &random))
          }
        }
        states.append((second, prices))
        second += Int64.random(in: 1...9, using: &random)
      }
    }
  }

  private static func match(_ prices: [Price], last: [Int64?]) -> Match {
    let outcomes = zip(prices, last).enumerated().map { index, pair in
      let id = UInt64(index + 1)
      let odds = (pair.0.hundredths ?? pair.1).map { DecimalOdds(units: $0 * 100_000) }
      let isLive = pair.0.hundredths != nil
      let offer = BettingOffer(
        id: OfferID(raw: id), odds: odds, status: isLive ? .standard : .suspended, isAvailable: isLive)
      return Outcome(
        id: OutcomeID(raw: id), name: "o\(id)", key: ["home", "draw", "away"][index],
        offer: pair.0 == .none ? nil : offer, isBettable: isLive, lastOdds: odds)
    }
    return Match(
      id: 100, labels: Match.Names(name: "Ajax - Porto"), status: .inProgress,
      markets: [Market(id: market, name: "Result", isMainLine: true, mainMarketRank: 0, outcomes: outcomes)])
  }

  /// Returns the match with a fourth outcome, which has no column.
  private static func adding(_ odds: DecimalOdds, to match: Match) -> Match {
    let offer = BettingOffer(id: OfferID(raw: 4), odds: odds)
    let added = Outcome(id: OutcomeID(raw: 4), name: "o4", offer: offer, isBettable: true)
    let main = Market(
      id: market, name: "Result", isMainLine: true, mainMarketRank: 0, outcomes: match.markets[0].outcomes + [added])
    return Match(id: match.id, labels: match.labels, status: match.status, markets: [main])
  }

  /// Returns the match with the price of the home win in hundredths.
  private static func match(home: Int64) -> Match {
    match([.live(home), .live(330), .live(380)], last: [nil, nil, nil])
  }

  /// Returns the matches of a walk. A price that cannot be bet on keeps the last value that could.
  private static func matches(_ walk: Walk, after last: inout [Int64?]) -> [(second: Int64, match: Match)] {
    walk.states.map { second, prices in
      let match = match(prices, last: last)
      last = zip(prices, last).map { $0.hundredths ?? $1 }
      return (second, match)
    }
  }

  /// Writes a walk into a new file. Its prices are known up to `end`.
  private static func record(
    _ states: [(second: Int64, match: Match)], until end: Int64, in directory: TemporaryDirectory
  ) throws -> HistoryFile {
    let file = HistoryFile("\(directory.path)/history.db")
    let writer = try HistoryWriter(file, feed: "f")
    var detector = ChangeDetector()
    let entries = states.flatMap { second, match in
      detector.apply(MatchObservation(channel: 1, time: begin + second * 1000, .match(match)))
    }
    try writer.write(entries, completeUpTo: begin + end * 1000)
    return file
  }

  private static func answers(
    _ requests: [AlertHistoryRequest], _ file: HistoryFile
  ) throws -> [AlertHistoryAnswer] {
    let reader = try HistoryReader(file)
    return try requests.map {
      AlertHistoryAnswer(
        $0,
        try reader.past(
          of: $0.outcome, present: $0.present, in: $0.market, of: $0.match, feed: "f", range: $0.range))
    }
  }

  private static func price(_ match: Match, _ index: Int?) -> DecimalOdds? {
    guard let index else { return match.markets[0].favourite }
    let outcome = match.markets[0].outcomes[index]
    return outcome.isBettable ? outcome.offer?.odds : nil
  }

  @Test(
    "Rules on the opening, lowest or highest price also use recorded prices",
    arguments: Laws.seeds(30))
  func history(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let directory = TemporaryDirectory()
    var last: [Int64?] = [nil, nil, nil]
    // The previous run ended some time before this one begins.
    let end = Int64.random(in: 60...100, using: &random)
    // A fourth outcome, which may be the favourite, is deleted before this run. With 0 it never existed.
    let extra = DecimalOdds(units: Int64.random(in: 150...250, using: &random) * 100_000)
    let deletion = Int64.random(in: 0...60, using: &random)
    let before = Self.matches(Walk(&random, from: 0, to: end), after: &last).map { second, match in
      (second: second, match: second < deletion ? Self.adding(extra, to: match) : match)
    }
    let now = Self.matches(Walk(&random, from: 100, to: 200), after: &last)
    let file = try Self.record(before, until: end, in: directory)
    let (column, index) =
      [("1", 0), ("X", 1), ("2", 2), ("favourite", nil)].randomElement(using: &random)! as (String, Int?)
    let isOpening = Bool.random(using: &random)
    let extreme = AlertRule.Extreme.allCases.randomElement(using: &random)!
    let direction = AlertRule.Direction.allCases.randomElement(using: &random)!
    let hundredths = Int64.random(in: 100...900, using: &random)
    let percent = AlertRule.Percent(hundredths: Int(hundredths))
    // 64 seconds are divided into steps of one second.
    let text =
      isOpening
      ? "\(column) \(direction.rawValue) \(percent.text) from opening again"
      : "\(column) \(extreme.rawValue) in 64s again"
    var store = AlertStore([try AlertRule(text)], readsHistory: true)
    let waitsFor = Int.random(in: 0...2, using: &random)
    var requests: [AlertHistoryRequest] = []
    var raised: [Int64] = []
    var expected: [Int64] = []
    var isKnown = false
    var holds: Bool?
    for (number, state) in now.enumerated() {
      let frame = FrameTime(uptime: .seconds(state.second - 90), wall: Self.begin + state.second * 1000, zone: 0)
      let events = store.apply(
        ChannelUpdate(changed: [state.match], freshness: Freshness(.live, since: frame.wall)), now: frame)
      #expect(isKnown || events.isEmpty, "no decision before the history is read")
      requests += store.drainRequests()
      var all = events
      if !isKnown, !requests.isEmpty, number >= waitsFor {
        isKnown = true
        all += store.apply(try Self.answers(requests, file), now: frame)
      }
      if !all.isEmpty { raised.append(state.second) }
      // The expected decision comes from a search of all prices up to now. The first price gives the first decision.
      guard let price = Self.price(state.match, index) else { continue }
      let decision: Bool
      if isOpening {
        let openings = (0..<3).map { one in before.lazy.compactMap { Self.price($0.match, one) }.first }
        let known = openings + (deletion > 0 ? [extra] : [])
        let opening = index.map { openings[$0] } ?? (known.contains(nil) ? nil : known.compactMap { $0 }.min())
        let first = now.lazy.compactMap { Self.price($0.match, index) }.first
        let base = (opening ?? first ?? price).units
        decision =
          direction != .down && price.units * 10_000 >= base * (10_000 + hundredths)
          || direction != .up && price.units * 10_000 <= base * (10_000 - hundredths)
      } else {
        var earlier: [DecimalOdds] = []
        for (states, limit) in [(before, end), (now, state.second)] {
          for (stateIndex, one) in states.enumerated() where one.second < state.second {
            let until = stateIndex + 1 < states.count ? states[stateIndex + 1].second : limit
            guard let old = Self.price(one.match, index), until >= state.second - 64 else { continue }
            // A price that has not changed since then is the current price, not an earlier one.
            let isCurrent = states[stateIndex...].prefix { $0.second <= state.second }.allSatisfy {
              Self.price($0.match, index) == old
            }
            if limit != state.second || !isCurrent { earlier.append(old) }
          }
        }
        decision =
          !earlier.isEmpty && (extreme == .lowest ? price < earlier.min()! : price > earlier.max()!)
      }
      if holds == false, decision, isKnown { expected.append(state.second) }
      if isKnown || holds == nil { holds = decision }
    }
    #expect(raised == expected, "\(text), waits for \(waitsFor)")
  }

  @Test("Without a history, rules are evaluated at once with the prices of this run")
  func none() throws {
    var store = AlertStore([try AlertRule("1 up 10% from opening")])
    func apply(_ hundredths: Int64) -> Int {
      store.apply(
        ChannelUpdate(changed: [Self.match(home: hundredths)], freshness: Freshness(.live, since: 0)),
        now: FrameTime(uptime: .seconds(1), wall: Self.begin, zone: 0)
      ).count
    }
    #expect(apply(200) == 0 && apply(219) == 0 && apply(220) == 1)
    #expect(store.drainRequests().isEmpty)
  }

  @Test("An unreadable history counts as empty, and an answer to another request is ignored")
  func unreadable() throws {
    var store = AlertStore([try AlertRule("1 up 10% from opening")], readsHistory: true)
    let frame = FrameTime(uptime: .seconds(1), wall: Self.begin, zone: 0)
    func apply(_ hundredths: Int64) -> Int {
      store.apply(
        ChannelUpdate(changed: [Self.match(home: hundredths)], freshness: Freshness(.live, since: 0)), now: frame
      ).count
    }
    #expect(apply(200) == 0)
    let requests = store.drainRequests()
    #expect(requests.count == 1 && store.drainRequests().isEmpty)
    let other = AlertHistoryRequest(match: 100, market: Self.market, outcome: 1, span: nil, until: Self.begin - 1)
    let past = PastPrices(opening: DecimalOdds(units: 11_000_000), prices: [])
    #expect(store.apply([AlertHistoryAnswer(other, past)], now: frame).isEmpty)
    #expect(apply(230) == 0)
    #expect(store.apply([AlertHistoryAnswer(requests[0], nil)], now: frame).count == 1)
  }

  @Test("The lowest of the day is the lowest of the last 24 hours")
  func day() throws {
    #expect(try AlertRule("any lowest of the day").text == "any lowest in 24h")
    #expect(throws: FilterError.self) { try AlertRule("any lowest of the week") }
  }
}
