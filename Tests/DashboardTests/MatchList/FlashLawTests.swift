import OddsModel
import TerminalCore
import TestSupport
import Testing

@testable import Dashboard

/// The arrows, the highlighted score and the age of a row, compared with searches in a log of all states of the match.
struct FlashLawTests {
  private struct Entry {
    /// The uptime at which the row got the state.
    let time: Duration
    let match: Match
    let market: MarketID?
    let prices: PriceTriple
    let lastChange: Int64?

    init(_ match: Match, time: Duration) {
      self.time = time
      self.match = match
      market = match.mainMarket?.id
      prices = match.mainMarket.map(PriceTriple.init) ?? PriceTriple()
      lastChange = match.lastChange
    }
  }

  private struct Log {
    private(set) var entries: [Entry] = []
    /// The number of entries before the last change of the odds format.
    private var formatStart = 0
    private(set) var format = OddsFormat.decimal

    mutating func append(_ match: Match, now: Duration) { entries.append(Entry(match, time: now)) }

    mutating func change(to format: OddsFormat) {
      self.format = format
      formatStart = entries.count
    }

    /// Returns the direction of the last visible move in a column. Nil if it is a second ago, or if since then the main
    /// market or the odds format has changed or the price could not be bet on.
    func isUp(_ column: Int, now: Duration) -> Bool? {
      for index in entries.indices.dropFirst().reversed() {
        let new = entries[index].prices[column]
        let old = entries[index - 1].prices[column]
        guard index >= formatStart, entries[index].market == entries[index - 1].market, new.state == .live,
          let price = new.odds, let before = old.odds
        else { return nil }
        if "\(ShortText(price, format))" != "\(ShortText(before, format))" {
          return now - entries[index].time < .seconds(1) ? price > before : nil
        }
      }
      return nil
    }

    /// Returns the scores before and after the last change in play; nil if it is a second ago.
    func scores(now: Duration) -> (old: Score, new: Score)? {
      for index in entries.indices.dropFirst().reversed() {
        let new = entries[index].match
        let old = entries[index - 1].match
        guard new.status == .inProgress, old.status == .inProgress, let score = new.score, let before = old.score,
          score != before
        else { continue }
        return now - entries[index].time < .seconds(1) ? (old: before, new: score) : nil
      }
      return nil
    }

    /// The uptime of the last change of a price of the main market. If there was none since it became the main market,
    /// the time of change that the feed first stated.
    var changedAt: Duration? {
      let start = (entries.lastIndex { $0.market != entries.last?.market } ?? -1) + 1
      for index in (start..<entries.count).dropFirst().reversed() {
        let new = entries[index].prices
        let old = entries[index - 1].prices
        if PriceTriple.indices.contains(where: { new[$0].odds != old[$0].odds || new[$0].state != old[$0].state }) {
          return entries[index].time
        }
      }
      guard let first = entries[start...].firstIndex(where: { $0.lastChange != nil }),
        let change = entries[first].lastChange
      else { return nil }
      let newest = entries[...first].compactMap(\.lastChange).max() ?? change
      return entries[first].time - .milliseconds(newest - change)
    }
  }

  /// A match with at most two markets, whose prices, status and score change at random.
  private struct Feed {
    private struct Price {
      var odds: Int64 = 24_500_000
      var isSuspended = false
      var isThere = true
      var changed: Int64?
    }

    private var markets = [[Price]](repeating: [Price](repeating: Price(), count: 3), count: 2)
    private var areThere = [true, true]
    private var status = MatchStatus.inProgress
    private var score: Score? = Score(home: 0, away: 0)
    /// True if the feed states the times of changes.
    let hasTimes: Bool

    init(hasTimes: Bool) { self.hasTimes = hasTimes }

    mutating func change(using random: inout SeededRandom, now: Duration) {
      let market = Int.random(in: 0...1, using: &random)
      let column = Int.random(in: 0...2, using: &random)
      switch Int.random(in: 0..<20, using: &random) {
      case 0...1: areThere[0].toggle()
      case 2: areThere[1].toggle()
      case 3...4: markets[market][column].isSuspended.toggle()
      case 5: markets[market][column].isThere.toggle()
      case 6: status = [.inProgress, .inProgress, .pending, .ended].randomElement(using: &random)!
      case 7...8: score = Score(home: .random(in: 0...2, using: &random), away: .random(in: 0...2, using: &random))
      case 9: score = nil
      case 10: break
      default:
        // The first two prices have the same text.
        markets[market][column].odds = [24_500_000, 24_500_400, 24_600_000, 31_000_000].randomElement(using: &random)!
        if hasTimes { markets[market][column].changed = Int64(now / .milliseconds(1)) }
      }
    }

    var match: Match {
      let there = markets.indices.filter { areThere[$0] }
      return Match(
        id: 100, labels: Match.Names(name: "Ajax - Porto"), status: status, score: score,
        markets: there.map { Self.market(markets[$0], UInt64($0 + 1)) })
    }

    private static func market(_ prices: [Price], _ id: UInt64) -> Market {
      let outcomes = prices.enumerated().map { index, price in
        let number = id * 10 + UInt64(index)
        let offer = BettingOffer(
          id: OfferID(raw: number), odds: DecimalOdds(units: price.odds),
          status: price.isSuspended ? .suspended : .standard, lastChanged: price.changed)
        return Outcome(
          id: OutcomeID(raw: number), name: "o\(number)", key: ["home", "draw", "away"][index],
          offer: price.isThere ? offer : nil, isBettable: price.isThere && !price.isSuspended)
      }
      return Market(id: MarketID(raw: id), name: "m\(id)", outcomes: outcomes)
    }
  }

  @Test("Arrows, highlighted score and age equal those of a log, across main markets and odds formats")
  func law() {
    var arrows = 0
    var goals = 0
    var ages = 0
    for seed in Laws.seeds(25) {
      var random = SeededRandom(seed: seed)
      var feed = Feed(hasTimes: seed % 2 == 0)
      var rows = RowList()
      var log = Log()
      var now = Duration.seconds(1000)

      func check(_ step: Int) {
        _ = rows.expire(0..<1, now: now)
        let row = rows[0]
        for column in PriceTriple.indices {
          let isUp = log.isUp(column, now: now)
          #expect(row.prices[column].flash?.isUp == isUp, "seed \(seed), step \(step), column \(column)")
          if isUp != nil { arrows += 1 }
        }
        let scores = log.scores(now: now)
        let marks = scores.map { old, new in
          [old.home != new.home, old.away != new.away, new.home >= old.home && new.away >= old.away]
        }
        #expect(row.scoreFlash.map { [$0.home, $0.away, $0.isUp] } == marks, "seed \(seed), step \(step)")
        if scores != nil { goals += 1 }
        let changedAt = log.changedAt
        #expect(row.changedAt == changedAt, "seed \(seed), step \(step)")
        #expect(row.age == changedAt.flatMap { Age(now - $0) }, "seed \(seed), step \(step)")
        if row.age != nil { ages += 1 }
      }

      for step in 0..<150 {
        if step > 0, Int.random(in: 0..<20, using: &random) == 0 {
          log.change(to: OddsFormat.allCases.randomElement(using: &random)!)
          rows.write(log.format, now: now)
        } else {
          if Int.random(in: 0..<3, using: &random) > 0 { feed.change(using: &random, now: now) }
          feed.change(using: &random, now: now)
          let match = feed.match
          log.append(match, now: now)
          rows.update([match], now: now)
        }
        check(step)
        let pause = [0, 100, 300, 600, 999, 1000, 1500, 15_000, 70_000].randomElement(using: &random)!
        now += .milliseconds(pause)
        check(step)
      }
    }
    #expect(arrows > 100 && goals > 50 && ages > 50)
  }
}
