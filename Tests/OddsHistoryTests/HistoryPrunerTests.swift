import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// Old changes are removed, and current prices are kept.
struct HistoryPrunerTests {
  private static let day: Int64 = 86_400_000
  private static let now: Int64 = 1_750_000_000_000

  /// Writes a match with a changing price, all changes in one batch.
  private static func fill(
    _ writer: HistoryWriter, match: Int, changes: Int, from begin: Int64, every step: Int64, ends: Bool
  ) throws {
    var detector = ChangeDetector()
    var entries: [HistoryEntry] = []
    var time = begin
    for change in 0..<changes {
      let odds = ["\(2 + change % 50).\(10 + change % 89)", "3.1", "2.9"]
      entries += detector.apply(
        MatchObservation(channel: match, time: time, .match(.football(match, start: begin, odds: odds))))
      time += step
    }
    if ends { entries += detector.apply(MatchObservation(channel: match, time: time, .unknown)) }
    try writer.write(entries, completeUpTo: time)
  }

  private static func count(_ file: HistoryFile, _ sql: String) throws -> Int64 {
    try file.openForReading().integer("SELECT count(*) FROM \(sql)") ?? -1
  }

  @Test("Changes older than the limit are removed in small steps; the price in force at the limit is kept")
  func days() throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let writer = try HistoryWriter(file, feed: "f")
    // One match ended 40 days ago, and one has been carried for 40 days.
    try Self.fill(writer, match: 100, changes: 12_000, from: Self.now - 40 * Self.day, every: 1000, ends: true)
    try Self.fill(writer, match: 200, changes: 4000, from: Self.now - 40 * Self.day, every: Self.day / 100, ends: false)
    var pruner = HistoryPruner(HistoryLimits(days: 30))
    var steps = 0
    var before = try Self.count(file, "change")
    while try pruner.step(writer.database, now: Self.now, uptime: .zero) {
      let after = try Self.count(file, "change")
      #expect(before - after <= 5000)
      before = after
      steps += 1
    }
    #expect(steps > 2)
    #expect(try Self.count(file, "match") == 1)
    #expect(try Self.count(file, "market") == 1)
    let reader = try HistoryReader(file)
    let match = try #require(try reader.matches(since: 0).first)
    #expect(match.match.id == 200)
    let first = match.markets[0].outcomes[0]
    let changes = try reader.changes(of: first, in: 0..<Self.now * 2)
    #expect(changes.count { $0.time >= Self.now - 30 * Self.day } == 3000)
    #expect(changes.count { $0.time < Self.now - 30 * Self.day } <= 1)
    // The other prices have not changed since the start.
    #expect(try reader.changes(of: match.markets[0].outcomes[1], in: 0..<Self.now * 2).count == 1)
    #expect(first.opening?.description == "2.10")
    let cutoff = Self.now - 30 * Self.day
    #expect(try reader.series(of: first, in: match.markets[0], cutoff..<Self.now).step(at: cutoff)?.state == .live)
  }

  @Test("One step removes the changes of many matches")
  func manyMatches() throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let writer = try HistoryWriter(file, feed: "f")
    for match in 1...1000 {
      try Self.fill(writer, match: match * 10, changes: 2, from: Self.now - 40 * Self.day, every: 1000, ends: true)
    }
    var pruner = HistoryPruner(HistoryLimits(days: 30))
    var steps = 0
    while try pruner.step(writer.database, now: Self.now, uptime: .zero) { steps += 1 }
    #expect(try Self.count(file, "match") == 0 && Self.count(file, "change") == 0)
    #expect(steps <= 10, "\(steps)")
  }

  @Test("Pruning a too large file removes its oldest changes and shrinks it")
  func size() throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let writer = try HistoryWriter(file, feed: "f")
    for match in 1...10 {
      let begin = Self.now - Int64(11 - match) * Self.day
      try Self.fill(writer, match: match * 100, changes: 10_000, from: begin, every: 1000, ends: true)
    }
    let limit: Int64 = 1_000_000
    func size() throws -> Int64? {
      try writer.database.integer("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size")
    }
    #expect(try #require(try size()) > limit)
    var pruner = HistoryPruner(HistoryLimits(days: 30, bytes: limit))
    while try pruner.step(writer.database, now: Self.now, uptime: .zero) {}
    #expect(try #require(try size()) <= limit)
    let reader = try HistoryReader(file)
    let matches = try reader.matches(since: 0)
    #expect(matches.contains { $0.match.id == 1000 })
    #expect(!matches.contains { $0.match.id == 100 })
    try file.check()
  }
}
