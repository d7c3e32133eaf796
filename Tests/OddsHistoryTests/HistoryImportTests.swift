import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// Changes that are added to a file later, from a recording.
struct HistoryImportTests {
  private static let day: Int64 = 86_400_000
  private static let now: Int64 = 1_750_000_000_000

  private let directory = TemporaryDirectory()
  private var file: HistoryFile { HistoryFile("\(directory.path)/history.db") }

  private func entries(
    _ detector: inout ChangeDetector, _ match: Match, at time: Int64, ends: Bool = false
  ) -> [HistoryEntry] {
    let entries = detector.apply(MatchObservation(channel: 1, time: time, .match(match)))
    return ends ? entries + detector.apply(MatchObservation(channel: 1, time: time + 1000, .unknown)) : entries
  }

  /// Writes one state of a match.
  private func write(_ match: Match, at time: Int64, isImport: Bool = false) throws {
    var detector = ChangeDetector()
    let writer = try HistoryWriter(file, feed: "f", isImport: isImport)
    try writer.write(entries(&detector, match, at: time, ends: true), completeUpTo: time + 1000)
  }

  @Test("During an import no old change is removed, and no price is assigned to another match")
  func pruning() throws {
    let begin = Self.now - 40 * Self.day
    var pruner = HistoryPruner(HistoryLimits(days: 30))
    let board = try HistoryWriter(file, feed: "f", now: Self.now)
    var importer: HistoryWriter? = try HistoryWriter(
      file, feed: "import", now: Self.now, isImport: true, oldTime: Self.now - 30 * Self.day)
    var (old, new) = (ChangeDetector(), ChangeDetector())
    try importer!.write(entries(&old, .football(odds: ["2.00", "3.1", "2.9"]), at: begin), completeUpTo: begin)
    let removes = try pruner.step(board.database, now: Self.now, uptime: .zero)
    #expect(!removes)
    try board.write(
      entries(&new, .football(200, odds: ["5.00", "6.00", "7.00"]), at: Self.now), completeUpTo: Self.now)
    try importer!.write(
      entries(&old, .football(odds: ["2.10", "3.1", "2.9"]), at: begin + 1000), completeUpTo: begin + 1000)
    #expect(importer!.oldChanges == 4)
    let orphans = "SELECT count(*) FROM change WHERE outcome NOT IN (SELECT id FROM outcome)"
    #expect(try board.database.integer(orphans) == 0)
    #expect(try prices(of: 200) == ["5.00", "6.00", "7.00"])
    #expect(try prices(of: 100) == ["2.00", "2.10", "2.90", "3.10"])
    importer = nil
    #expect(importer == nil)
    while try pruner.step(board.database, now: Self.now, uptime: .seconds(60)) {}
    #expect(try prices(of: 100) == [])
    try board.write(
      entries(&new, .football(300, odds: ["8.00", "8.10", "8.20"]), at: Self.now + 1), completeUpTo: Self.now + 1)
    #expect(try prices(of: 300) == ["8.00", "8.10", "8.20"])
  }

  @Test("After a run that ended with an error, an outcome that is missing in the next run has no live price")
  func afterError() throws {
    var (before, after) = (ChangeDetector(), ChangeDetector())
    let failed = try HistoryWriter(file, feed: "f", now: Self.now)
    try failed.write(
      entries(&before, .football(odds: ["2.00", "3.1", "2.9"]), at: Self.now), completeUpTo: Self.now)
    let next = try HistoryWriter(file, feed: "f", now: Self.now)
    let time = Self.now + 10_000
    try next.write(
      entries(&after, .football(odds: ["2.00", "3.1"]), at: time, ends: true), completeUpTo: time + 1000)
    let reader = try HistoryReader(file)
    let market = try #require(try reader.matches(since: 0).first).markets[0]
    let states = try market.outcomes.map {
      try reader.series(of: $0, in: market, 0..<Self.now * 2).step(at: time + 500)?.state == .live
    }
    #expect(states == [true, true, false])
  }

  @Test("The ids of removed rows are not used again")
  func ids() throws {
    try write(.football(odds: ["2.00", "3.1", "2.9"]), at: Self.now - 40 * Self.day)
    let board = try HistoryWriter(file, feed: "f", now: Self.now)
    let tables = ["match", "market", "outcome"]
    let before = try tables.map { try board.database.integer("SELECT max(id) FROM \($0)") ?? 0 }
    var pruner = HistoryPruner(HistoryLimits(days: 30))
    while try pruner.step(board.database, now: Self.now, uptime: .zero) {}
    #expect(try board.database.integer("SELECT count(*) FROM match") == 0)
    try write(.football(200), at: Self.now)
    for (table, id) in zip(tables, before) {
      #expect(try board.database.integer("SELECT min(id) FROM \(table)") ?? 0 > id)
    }
  }

  private func prices(of id: MatchID) throws -> [String] {
    let reader = try HistoryReader(file)
    let match = try reader.matches(since: 0).first { $0.match.id == id }
    let outcomes = match?.markets.flatMap(\.outcomes) ?? []
    return try outcomes.flatMap { try reader.changes(of: $0, in: 0..<Self.now * 2) }.map { "\($0.odds!)" }.sorted()
  }

  @Test("The opening price is the earliest one, in any order of imports")
  func opening() throws {
    func opening() throws -> String? {
      try HistoryReader(file).matches(since: 0).first?.markets[0].outcomes[0].opening?.description
    }
    try write(.football(odds: ["2.10", "3.1", "2.9"]), at: Self.now)
    try write(.football(odds: ["2.60", "3.1", "2.9"]), at: Self.now - Self.day, isImport: true)
    #expect(try opening() == "2.60")
    try write(.football(odds: ["2.70", "3.1", "2.9"]), at: Self.now - Self.day / 2, isImport: true)
    #expect(try opening() == "2.60")
    try write(.football(odds: ["2.80", "3.1", "2.9"]), at: Self.now - 2 * Self.day, isImport: true)
    #expect(try opening() == "2.80")
    try write(.football(odds: ["2.90", "3.1", "2.9"]), at: Self.now + Self.day)
    #expect(try opening() == "2.80")
  }

  @Test("Importing an earlier recording keeps the state of match, market and outcome; a later one updates it")
  func state() throws {
    func match(_ name: String, _ status: MatchStatus, _ goals: Int) -> Match {
      let match = Match.football()
      let outcomes = match.markets[0].outcomes.map { outcome in
        Outcome(id: outcome.id, name: name, key: outcome.key, offer: outcome.offer, isBettable: true)
      }
      var new = Match(
        id: match.id, labels: Match.Names(name: name), status: status,
        markets: [Market(id: match.markets[0].id, name: name, outcomes: outcomes)])
      new.score = Score(home: goals, away: 0)
      return new
    }
    func state() throws -> [String] {
      let match = try #require(try HistoryReader(file).matches(since: 0).first).match
      let market = match.markets[0]
      return [match.name, market.name, market.outcomes[0].name, "\(match.status)", "\(match.score!.home)"]
    }
    try write(match("new", .inProgress, 2), at: Self.now)
    try write(match("old", .pending, 0), at: Self.now - Self.day, isImport: true)
    #expect(try state() == ["new", "new", "new", "inProgress", "2"])
    try write(match("end", .ended, 3), at: Self.now + Self.day, isImport: true)
    #expect(try state() == ["end", "end", "end", "ended", "3"])
    let database = try file.openForReading()
    #expect(try database.integer("SELECT kept_from FROM match") == Self.now - Self.day)
  }

  @Test("An import adds prices of its own time range, and changes none outside it", arguments: Laws.seeds(16))
  func otherTimes(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    var parts = (0..<8).map { number in (time: Self.now + Int64(number) * 10_000, seed: seed &* 100 + UInt64(number)) }
    // The first half is recorded in the order of the times, the rest imported in any order.
    parts.shuffle(using: &random)
    parts[..<4].sort { $0.time < $1.time }
    var references: [[PriceHistoryReference.Key: [PriceHistoryReference.Entry]]] = []
    for (number, part) in parts.enumerated() {
      var (book, reference, detector) = (
        RandomBook(seed: part.seed, matches: 1), PriceHistoryReference(), ChangeDetector()
      )
      var entries: [HistoryEntry] = []
      for step in 0..<20 {
        let time = part.time + Int64(step) * 100
        let id = step == 0 ? MatchID(raw: 1) : book.change()
        reference.record(id, book.matches[id], at: time)
        entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
      }
      entries += detector.apply(MatchObservation(channel: 1, time: part.time + 2000, .unknown))
      let writer = try HistoryWriter(file, feed: "f", isImport: number >= 4)
      try writer.write(entries, completeUpTo: part.time + 2000)
      references.append(reference.entries)
    }
    let reader = try HistoryReader(file)
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let series = try reader.series(of: place, in: row, 0..<Self.now * 2)
          let key = PriceHistoryReference.Key(match: recorded.match.id, market: market.id, outcome: outcome.id)
          for (part, reference) in zip(parts, references) {
            for time in stride(from: part.time, to: part.time + 2000, by: 50) {
              guard let step = series.step(at: time), step.state != .unknown else { continue }
              let expected = reference[key]?.last { $0.time <= time }
              #expect(step.odds.map { $0.units / 10_000 } == expected?.price, "\(key) \(time - Self.now)")
              #expect((step.state == .live) == (expected.map { $0.isBettable && $0.price != nil } ?? false))
            }
          }
        }
      }
    }
  }
}
