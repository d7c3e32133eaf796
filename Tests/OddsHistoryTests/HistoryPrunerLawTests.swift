import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// What is left after old changes are removed, compared with all changes and spans from before.
struct HistoryPrunerLawTests {
  private static let start: Int64 = 1_750_000_000_000
  private static let day: Int64 = 86_400_000
  /// The age up to which changes are kept whatever the size of the file, in milliseconds.
  private static let minAge: Int64 = 900_000

  private struct Key: Hashable {
    let feed: String
    let match: MatchID
    let market: MarketID
    let outcome: OutcomeID
  }

  private struct Recorded {
    let lastSeen: Int64
    let market: RecordedMarket
    let outcome: RecordedOutcome
    let reference: OutcomeReference
  }

  private typealias Content = [Key: Recorded]

  /// Writes the changes of three matches for some hours, and returns the time after the last one.
  private static func write(
    _ file: HistoryFile, feed: String, from begin: Int64, isImport: Bool, _ random: inout SeededRandom
  ) throws -> Int64 {
    let writer = try HistoryWriter(file, feed: feed, isImport: isImport)
    var book = RandomBook(seed: random.next())
    var detector = ChangeDetector()
    var entries: [HistoryEntry] = []
    var time = begin
    for step in 0..<60 {
      for id in step == 0 ? book.matches.keys.sorted() : [book.change()] {
        entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
      }
      if step % 6 == 5 {
        try writer.write(entries, completeUpTo: time)
        entries = []
      }
      time += Int64.random(in: 1...600_000, using: &random)
    }
    // After a crash, the spans have no end.
    if isImport || Bool.random(using: &random) { try writer.finish(at: time) }
    return time
  }

  /// Writes periods of several feeds with gaps, and imports earlier ones. Returns the time after the last period.
  private static func write(_ file: HistoryFile, from begin: Int64, _ random: inout SeededRandom) throws -> Int64 {
    var time = begin
    for _ in 0..<5 {
      let feed = ["a", "b", "c"].randomElement(using: &random)!
      if Int.random(in: 0..<4, using: &random) == 0 {
        let earlier = Int64.random(in: start - 2 * day...time - day, using: &random)
        _ = try write(file, feed: feed, from: earlier, isImport: true, &random)
      }
      let gap = Int64.random(in: day / 24...day / 4, using: &random)
      time = try write(file, feed: feed, from: time + gap, isImport: false, &random)
    }
    return time
  }

  private static func read(_ reader: HistoryReader) throws -> Content {
    var content: Content = [:]
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let key = Key(feed: recorded.feed, match: recorded.match.id, market: market.id, outcome: outcome.id)
          content[key] = Recorded(
            lastSeen: recorded.lastSeen, market: row, outcome: place,
            reference: try OutcomeReference(reader, place, in: row))
        }
      }
    }
    return content
  }

  /// Compares the file with its content before the removal. Returns the number of changes that were removed.
  private static func check(
    _ file: HistoryFile, _ before: Content, cutoff: Int64, now: Int64
  ) throws -> Int {
    let reader = try HistoryReader(file)
    let after = try read(reader)
    let kept = before.filter { $0.value.lastSeen >= cutoff }
    #expect(Set(after.keys) == Set(kept.keys))
    let range = cutoff..<now + 1
    for (key, old) in kept {
      guard let new = after[key] else { continue }
      #expect(new.outcome.opening == old.outcome.opening)
      let inForce = old.reference.changes.last { $0.time <= cutoff }?.time ?? cutoff
      #expect(new.reference.changes == old.reference.changes.filter { $0.time >= inForce }, "\(key)")
      let series = try reader.series(of: new.outcome, in: new.market, range)
      let wrong = old.reference.times(in: range).first { time in
        let step = series.step(at: time)
        return (step?.state ?? .unknown) != old.reference.state(at: time)
          || step?.state == .live && step?.odds != old.reference.live(at: time)
      }
      #expect(wrong == nil, "\(key)")
    }
    for (table, column) in [
      ("market", "match"), ("match_event", "match"), ("outcome", "market"), ("span", "market"), ("change", "outcome"),
    ] {
      let lost = "SELECT count(*) FROM \(table) WHERE \(column) NOT IN (SELECT id FROM \(column))"
      #expect(try reader.database.integer(lost) == 0, "\(table)")
    }
    return count(before) - count(after)
  }

  private static func count(_ content: Content) -> Int { content.values.reduce(0) { $0 + $1.reference.changes.count } }

  @Test(
    "The removal by age keeps the changes since the limit and those in force at it",
    arguments: Laws.seeds(6))
  func days(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var random = SeededRandom(seed: seed)
    var now = Self.start
    var removed = 0
    for _ in 0..<2 {
      let end = try Self.write(file, from: now, &random)
      now = end + Int64.random(in: 0...Self.day, using: &random)
      let before = try Self.read(HistoryReader(file))
      let days = Int.random(in: 1...2, using: &random)
      let writer = try HistoryWriter(file, feed: "a")
      var pruner = HistoryPruner(HistoryLimits(days: days))
      while try pruner.step(writer.database, now: now, uptime: .zero) {}
      removed += try Self.check(file, before, cutoff: now - Int64(days) * Self.day, now: now)
    }
    #expect(removed > 0)
  }

  @Test(
    "The removal by size keeps the changes since some time, those in force at it, and all of the last 15 minutes",
    arguments: Laws.seeds(4))
  func size(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var random = SeededRandom(seed: seed)
    var now = Self.start
    var removed = 0
    for _ in 0..<2 {
      let end = try Self.write(file, from: now, &random)
      now = end + Int64.random(in: 0...Self.minAge, using: &random)
      let before = try Self.read(HistoryReader(file))
      let writer = try HistoryWriter(file, feed: "a")
      let bytes = try writer.size() * Int64.random(in: 20...90, using: &random) / 100
      var pruner = HistoryPruner(HistoryLimits(bytes: bytes))
      while try pruner.step(writer.database, now: now, uptime: .zero) {}
      let oldest = try writer.database.integer("SELECT min(kept_from) FROM match") ?? .max
      removed += try Self.check(file, before, cutoff: min(oldest, now - Self.minAge), now: now)
      let size = try writer.size()
      #expect(size <= bytes || oldest >= now - Self.minAge)
    }
    #expect(removed > 0)
  }
}
