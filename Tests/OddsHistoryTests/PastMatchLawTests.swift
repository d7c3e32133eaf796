import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The search for past matches and their last state, compared with a search of the whole file.
struct PastMatchLawTests {
  private static let start: Int64 = 1_750_000_000_000
  private static let names = ["Girona", "Sevilla", "Ajax", "上海海港", "北京国安"]

  /// Writes matches of two feeds, with starts in the past and in the future or without a start. Returns the last time.
  private static func write(_ file: HistoryFile, _ random: inout SeededRandom) throws -> Int64 {
    var time = start
    for feed in ["f", "g"] {
      let writer = try HistoryWriter(file, feed: feed)
      var detector = ChangeDetector()
      var entries: [HistoryEntry] = []
      for id: UInt64 in 1...40 {
        time += Int64.random(in: 1...100_000, using: &random)
        let sides = (0..<2).map { _ in names.randomElement(using: &random)! }
        let status = [MatchStatus.unknown, .pending, .inProgress, .ended].randomElement(using: &random)!
        let begin = start + Int64.random(in: -5_000_000...10_000_000, using: &random)
        var match = Match(
          id: MatchID(raw: id), labels: Match.Names(name: "\(sides[0]) - \(sides[1])", tournament: "\(feed) \(id)"),
          startTime: Int.random(in: 0..<4, using: &random) == 0 ? nil : begin, status: status)
        match.score = Bool.random(using: &random) ? Score(home: Int(id), away: 0) : nil
        entries += detector.apply(MatchObservation(channel: 1, time: time, .match(match)))
        guard Bool.random(using: &random) else { continue }
        entries += detector.apply(MatchObservation(channel: 1, time: time + 1, .removed(match.id)))
      }
      try writer.write(entries, completeUpTo: time + 1)
      try writer.finish(at: time + 2)
    }
    return time + 2
  }

  @Test(
    "A search finds the matches of the feed that have begun and have the name, the newest first",
    arguments: Laws.seeds(20))
  func search(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var random = SeededRandom(seed: seed)
    let end = try Self.write(file, &random)
    let reader = try HistoryReader(file)
    for now in [Self.start, end, end + 20_000_000] {
      for limit in [1, 5, 100] {
        let word = Self.names.randomElement(using: &random)!
        let all = try reader.matches(since: 0).filter { recorded in
          let match = recorded.match
          let hasBegun = match.status == .inProgress || match.status == .ended
          return recorded.feed == "f" && match.name.contains(word)
            && (hasBegun || match.startTime ?? recorded.lastSeen <= now)
        }
        let expected = all.sorted { left, right in
          let (a, b) = (left.match.startTime ?? left.lastSeen, right.match.startTime ?? right.lastSeen)
          return a != b ? a > b : left.row > right.row
        }.prefix(limit)
        let found = try reader.pastMatches(feed: "f", at: now, limit: limit) { $0.name.contains(word) }
        #expect(found == expected.map(\.match), "\(word) at \(now - Self.start)")
      }
    }
    #expect(try reader.pastMatches(feed: "none", at: end, limit: 100) { _ in true }.isEmpty)
  }

  @Test(
    "The last state of a match has the last price of each outcome that could be bet on, and none can be bet on now",
    arguments: Laws.seeds(12), [false, true])
  func lastKnown(seed: UInt64, isFinished: Bool) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var (book, detector) = (RandomBook(seed: seed), ChangeDetector())
    let writer = try HistoryWriter(file, feed: "f")
    var entries: [HistoryEntry] = []
    var time = Self.start
    for step in 0..<300 {
      time += Int64.random(in: 1...900, using: &book.random)
      for id in step == 0 ? book.matches.keys.sorted() : [book.change()] {
        entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
      }
    }
    try writer.write(entries, completeUpTo: time)
    if isFinished { try writer.finish(at: time + 50) }
    let reader = try HistoryReader(file)
    for recorded in try reader.matches(since: 0) {
      let match = recorded.match
      let known = try #require(try reader.lastKnown(match.id, feed: "f"))
      #expect(known.match.id == match.id && known.match.labels == match.labels && known.match.score == match.score)
      #expect(known.match.startTime == match.startTime && known.match.status == match.status)
      #expect(known.match.markets.map(\.id) == match.markets.map(\.id))
      var ends = [recorded.lastSeen]
      for (market, row) in zip(known.match.markets, recorded.markets) {
        #expect(!market.takesBets && market.outcomes.count == row.outcomes.count)
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let reference = try OutcomeReference(reader, place, in: row)
          #expect(!outcome.isBettable && outcome.offer?.odds == reference.lastLive(before: .max))
          ends += reference.spans.map(\.upperBound)
        }
      }
      #expect(known.end == ends.max())
    }
    #expect(try reader.lastKnown(1, feed: "g") == nil)
  }
}
