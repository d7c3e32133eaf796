import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The record of one outcome, compared with a search of all its changes.
struct OutcomeLawTests {
  private static let start: Int64 = 1_750_000_000_000

  /// Writes a random book with gaps. Returns the end time, and the times at which the matches have begun.
  private static func write(_ file: HistoryFile, seed: UInt64) throws -> (end: Int64, kickOffs: [MatchID: Int64]) {
    var book = RandomBook(seed: seed)
    var detector = ChangeDetector()
    var time = start
    var begins: [MatchID: Int64] = [:]
    for id in book.matches.keys.sorted() { begins[id] = start + Int64.random(in: 1000...100_000, using: &book.random) }
    var kickOffs: [MatchID: Int64] = [:]
    for _ in 0..<3 {
      let writer = try HistoryWriter(file, feed: "f")
      var entries: [HistoryEntry] = []
      for step in 0..<150 {
        // A price is valid for a millisecond at least.
        time += Int64.random(in: 1...900, using: &book.random)
        let ids = step == 0 ? book.matches.keys.sorted() : [book.change()]
        for id in ids {
          let match = book.matches[id].map { match in
            Match(
              id: id, labels: match.labels, startTime: match.startTime,
              status: time < begins[id]! ? .pending : .inProgress, score: match.score, markets: match.markets)
          }
          if match?.status == .inProgress, kickOffs[id] == nil { kickOffs[id] = time }
          entries += detector.apply(MatchObservation(channel: 1, time: time, match, of: id))
        }
      }
      try writer.write(entries, completeUpTo: time)
      try writer.finish(at: time + 50)
      detector = ChangeDetector()
      time += Int64.random(in: 100...20_000, using: &book.random)
    }
    return (time, kickOffs)
  }

  @Test(
    "A range of an outcome's history equals that part of the whole; the opening and the closing price can be earlier",
    arguments: Laws.seeds(8))
  func parts(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let (end, kickOffs) = try Self.write(file, seed: seed)
    var random = SeededRandom(seed: seed)
    let reader = try HistoryReader(file)
    var earlierClosings = 0
    for recorded in try reader.matches(since: 0) {
      let kickOff = try reader.kickOff(of: recorded)
      #expect(kickOff == kickOffs[recorded.match.id])
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let begin = Int64.random(in: Self.start - 1000..<end, using: &random)
          let range = begin..<Int64.random(in: begin + 1...end + 1, using: &random)
          let reference = try OutcomeReference(reader, place, in: row)
          let times = reference.times(in: range)
          let record = try #require(
            try reader.record(of: outcome.id, in: market.id, of: recorded.match.id, feed: "f", range: range))
          for time in times {
            let step = record.series.step(at: time)
            #expect((step?.state ?? .unknown) == reference.state(at: time), "\(time - begin)")
            if step?.state == .live { #expect(step?.odds == reference.live(at: time)) }
          }
          let opening = reference.changes.first { $0.odds != nil }?.odds
          var closing: DecimalOdds?
          if let kickOff, kickOff < range.upperBound { closing = reference.lastLive(before: kickOff) }
          #expect(record.series.changes == reference.changes.count { range.contains($0.time) })
          #expect(record.opening == opening && record.closing == closing)
          #expect(record.last == reference.lastLive(before: range.upperBound))
          let summary = try reader.summary(of: place, record.series, in: range, kickOff: kickOff)
          let live = times.compactMap { reference.live(at: $0) }
          #expect(summary?.low == live.min() && summary?.high == live.max() && summary?.last == live.last)
          guard let summary else { continue }
          #expect(summary.opening == opening && summary.closing == closing)
          #expect(summary.changes == record.series.changes)
          if closing != nil, let kickOff, kickOff < begin { earlierClosings += 1 }
        }
      }
    }
    #expect(earlierClosings > 0)
  }

  /// Returns the price of the favourite: the lowest last price, if each outcome has had one and all outcomes at the
  /// lowest can be bet on. An outcome that is not present counts only while it has a price.
  private static func favourite(
    of outcomes: [(reference: OutcomeReference, isPresent: Bool)], at time: Int64
  ) -> DecimalOdds? {
    let counted = outcomes.filter { $0.isPresent || $0.reference.price(at: time) != nil }.map(\.reference)
    let last = counted.map { $0.lastPrice(at: time) }
    guard !last.contains(nil), let low = last.compactMap({ $0 }).min() else { return nil }
    return zip(counted, last).allSatisfy { $1 != low || $0.live(at: time) == low } ? low : nil
  }

  @Test(
    "Past prices are the opening price, and the lowest and highest live price of each period", arguments: Laws.seeds(8)
  )
  func past(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let end = try Self.write(file, seed: seed).end
    var random = SeededRandom(seed: seed)
    let reader = try HistoryReader(file)
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        let begin = Int64.random(in: Self.start - 1000..<end - 100, using: &random)
        let range = begin..<Int64.random(in: begin + 64...end, using: &random)
        let references = try row.outcomes.map { try OutcomeReference(reader, $0, in: row) }
        let times = Set(references.flatMap { $0.times(in: range) })
        let isPresent = references.map { _ in Int.random(in: 0..<4, using: &random) > 0 }
        let present = zip(market.outcomes, isPresent).filter { $1 }.map(\.0.id)
        let candidates = zip(references, isPresent).map { (reference: $0, isPresent: $1) }
        let openings = row.outcomes.map(\.opening)
        let counted = zip(openings, isPresent).filter { $1 || $0 != nil }.map(\.0)
        let lowestOpening = counted.contains(nil) ? nil : counted.compactMap { $0 }.min()
        let subjects: [Outcome?] = market.outcomes + [nil]
        for (index, outcome) in subjects.enumerated() {
          let past = try #require(
            try reader.past(
              of: outcome?.id, present: present, in: market.id, of: recorded.match.id, feed: "f", range: range))
          #expect(past.opening == (outcome == nil ? lowestOpening : openings[index]))
          let live = times.compactMap { time in
            outcome == nil ? Self.favourite(of: candidates, at: time) : references[index].live(at: time)
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
