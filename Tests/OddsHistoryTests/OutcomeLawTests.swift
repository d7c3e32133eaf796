import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The record of one outcome, compared with a search of all its changes.
struct OutcomeLawTests {
  private static let start: Int64 = 1_750_000_000_000

  /// Writes a random book with gaps, and returns the end time.
  private static func write(_ file: HistoryFile, seed: UInt64) throws -> Int64 {
    var book = RandomBook(seed: seed)
    var detector = ChangeDetector()
    var time = start
    for _ in 0..<3 {
      let writer = try HistoryWriter(file, feed: "f")
      var entries: [HistoryEntry] = []
      for step in 0..<150 {
        // A price is valid for a millisecond at least.
        time += Int64.random(in: 1...900, using: &book.random)
        let ids = step == 0 ? book.matches.keys.sorted() : [book.change()]
        for id in ids {
          entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
        }
      }
      try writer.write(entries, completeUpTo: time)
      try writer.finish(at: time + 50)
      detector = ChangeDetector()
      time += Int64.random(in: 100...20_000, using: &book.random)
    }
    return time
  }

  @Test(
    "A range of an outcome's history equals that part of the whole, and has the same summary prices",
    arguments: Laws.seeds(8))
  func parts(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let end = try Self.write(file, seed: seed)
    var random = SeededRandom(seed: seed)
    let reader = try HistoryReader(file)
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let begin = Int64.random(in: Self.start - 1000..<end, using: &random)
          let range = begin..<Int64.random(in: begin + 1...end + 1, using: &random)
          let whole = try reader.series(of: place, in: row, 0..<range.upperBound)
          let part = try #require(
            try reader.record(of: outcome.id, in: market.id, of: recorded.match.id, feed: "f", range: range))
          let step = part.series.steps.first.map(\.time) ?? begin
          for time in Set(whole.steps.map(\.time) + [begin, step]) where range.contains(time) {
            let (one, other) = (part.series.step(at: time), whole.step(at: time))
            #expect((one?.state ?? .unknown) == (other?.state ?? .unknown), "\(time - begin)")
            if one?.state == .live { #expect(one?.odds == other?.odds) }
          }
          let changes = try reader.changes(of: place, in: range).count { range.contains($0.time) }
          #expect(part.series.changes == changes)
          let summary = PriceSummary(
            whole, opening: place.opening,
            kickOff: try reader.kickOff(of: recorded).flatMap { $0 < range.upperBound ? $0 : nil })
          #expect(part.opening == place.opening)
          #expect(part.last == summary?.last && part.closing == summary?.closing)
        }
      }
    }
  }

  /// Returns the price of the favourite: the lowest last price, if each outcome has had one and all outcomes at the
  /// lowest can be bet on.
  private static func favourite(of outcomes: [OutcomeReference], at time: Int64) -> DecimalOdds? {
    let last = outcomes.map { $0.lastPrice(at: time) }
    guard !last.contains(nil), let low = last.compactMap({ $0 }).min() else { return nil }
    return zip(outcomes, last).allSatisfy { $1 != low || $0.live(at: time) == low } ? low : nil
  }

  @Test(
    "Past prices are the opening price, and the lowest and highest live price of each period", arguments: Laws.seeds(8)
  )
  func past(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let end = try Self.write(file, seed: seed)
    var random = SeededRandom(seed: seed)
    let reader = try HistoryReader(file)
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        let begin = Int64.random(in: Self.start - 1000..<end - 100, using: &random)
        let range = begin..<Int64.random(in: begin + 64...end, using: &random)
        let references = try row.outcomes.map { try OutcomeReference(reader, $0, in: row) }
        let times = Set(references.flatMap { $0.times(in: range) })
        let subjects: [Outcome?] = market.outcomes + [nil]
        for (index, outcome) in subjects.enumerated() {
          let past = try #require(
            try reader.past(of: outcome?.id, in: market.id, of: recorded.match.id, feed: "f", range: range))
          let openings = row.outcomes.map(\.opening)
          #expect(
            past.opening
              == (outcome == nil ? openings.contains(nil) ? nil : openings.compactMap { $0 }.min() : openings[index]))
          let live = times.compactMap { time in
            outcome == nil ? Self.favourite(of: references, at: time) : references[index].live(at: time)
          }
          #expect(past.prices.map(\.odds).min() == live.min())
          #expect(past.prices.map(\.odds).max() == live.max())
          #expect(past.prices.count <= 2 * (PastPrices.parts + 1))
          #expect(zip(past.prices, past.prices.dropFirst()).allSatisfy { $0.until <= $1.until })
        }
      }
    }
  }
}
