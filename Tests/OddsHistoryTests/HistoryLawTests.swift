import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The recorded changes equal the observed ones, for random books.
struct HistoryLawTests {
  private static let start: Int64 = 1_750_000_000_000

  @Test("The file has exactly the changes that a channel carried", arguments: Laws.seeds(12))
  func everyChange(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/a/history.db")
    var book = RandomBook(seed: seed)
    var reference = PriceHistoryReference()
    var detector = ChangeDetector()
    let writer = try HistoryWriter(file, feed: "wss://a")
    var entries: [HistoryEntry] = []
    var time = Self.start
    func see(_ id: MatchID) {
      reference.record(id, book.matches[id], at: time)
      entries += detector.apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
    }
    for id in book.matches.keys.sorted() { see(id) }
    for _ in 0..<400 {
      time += Int64.random(in: 0...2000, using: &book.random)
      see(book.change())
      if Int.random(in: 0..<20, using: &book.random) == 0 {
        try writer.write(entries, completeUpTo: time)
        entries = []
      }
    }
    try writer.write(entries, completeUpTo: time)
    let written = try PriceHistoryReference.read(file)
    #expect(Set(written.keys) == Set(reference.entries.keys))
    for (key, list) in reference.entries {
      #expect(PriceHistoryReference.steps(written[key] ?? []) == PriceHistoryReference.steps(list), "\(key)")
    }
    let reader = try HistoryReader(file)
    for (id, match) in book.matches where !match.markets.isEmpty {
      let recorded = try #require(try reader.match(id, feed: "wss://a"))
      #expect(recorded.match.mainMarket?.id == match.mainMarket?.id, "\(id)")
    }
  }

  @Test("Two channels with the same matches, one of them delayed, write one history", arguments: Laws.seeds(8))
  func twoChannels(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var book = RandomBook(seed: seed)
    var reference = PriceHistoryReference()
    var detector = ChangeDetector()
    var entries: [HistoryEntry] = []
    var late: [(MatchID, Match?)] = []
    for step in 0..<300 {
      let time = Self.start + Int64(step) * 10
      let id = step < 3 ? MatchID(raw: UInt64(step + 1)) : book.change()
      reference.record(id, book.matches[id], at: time)
      late.append((id, book.matches[id]))
      func observe(_ channel: Int, _ id: MatchID, _ match: Match?) {
        entries += detector.apply(MatchObservation(channel: channel, time: time, match, of: id))
      }
      // The second channel is one to four changes behind; in the end both are closed.
      observe(1, id, book.matches[id])
      while late.count > Int.random(in: 0...4, using: &book.random) {
        let (id, match) = late.removeFirst()
        observe(2, id, match)
      }
    }
    for (id, match) in late {
      entries += detector.apply(MatchObservation(channel: 2, time: Self.start + 3000, match, of: id))
    }
    entries += detector.apply(MatchObservation(channel: 1, time: Self.start + 4000, .unknown))
    let writer = try HistoryWriter(file, feed: "f")
    try writer.write(entries, completeUpTo: Self.start + 5000)
    let written = try PriceHistoryReference.read(file)
    for (key, list) in reference.entries {
      let market = book.matches[key.match]?.markets.first { $0.id == key.market }
      guard market?.outcomes.contains(where: { $0.id == key.outcome }) ?? false else { continue }
      #expect(written[key]?.last?.price == list.last?.price, "\(key)")
      #expect(written[key]?.last?.isBettable == list.last?.isBettable, "\(key)")
    }
    // The second channel still carries everything, so its prices are known to the end.
    let reader = try HistoryReader(file)
    for match in try reader.matches(since: 0) where book.matches[match.match.id] != nil {
      for (market, row) in zip(match.match.markets, match.markets) {
        guard book.matches[match.match.id]!.markets.contains(where: { $0.id == market.id }) else { continue }
        for place in row.outcomes where try !reader.changes(of: place, in: 0..<Self.start * 2).isEmpty {
          let series = try reader.series(of: place, in: row, 0..<Self.start + 5000)
          #expect(series.step(at: Self.start + 4500)?.state != .unknown)
        }
      }
    }
  }

  @Test("Two writers of one file keep all changes of both", arguments: Laws.seeds(6))
  func twoWriters(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    var book = RandomBook(seed: seed)
    var reference = PriceHistoryReference()
    var detectors = [ChangeDetector(), ChangeDetector()]
    let writers = [try HistoryWriter(file, feed: "f"), try HistoryWriter(file, feed: "f")]
    var entries: [[HistoryEntry]] = [[], []]
    var time = Self.start
    for step in 0..<300 {
      time += 1000
      let id = step < 3 ? MatchID(raw: UInt64(step + 1)) : book.change()
      reference.record(id, book.matches[id], at: time)
      for index in 0..<2 {
        entries[index] += detectors[index].apply(MatchObservation(channel: 1, time: time, book.matches[id], of: id))
      }
      for index in 0..<2 where Int.random(in: 0..<8, using: &book.random) == 0 {
        try writers[index].write(entries[index], completeUpTo: time)
        entries[index] = []
      }
    }
    for index in 0..<2 { try writers[index].write(entries[index], completeUpTo: time) }
    let written = try PriceHistoryReference.read(file)
    #expect(Set(written.keys) == Set(reference.entries.keys))
    for (key, list) in reference.entries {
      #expect(PriceHistoryReference.steps(written[key] ?? []) == PriceHistoryReference.steps(list), "\(key)")
    }
  }

  @Test("A file with another page size keeps that size", arguments: [nil, 4096] as [Int64?])
  func pageSize(size: Int64?) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    if let size {
      let database = try Database(file.path, .write, timeout: 100)
      try database.run("PRAGMA page_size = \(size); PRAGMA journal_mode = WAL; \(HistorySchema.sql)")
      try database.run("PRAGMA user_version = \(HistorySchema.version)")
    }
    var (book, detector) = (RandomBook(seed: 1), ChangeDetector())
    var entries: [HistoryEntry] = []
    for step in 0..<200 {
      let id = book.change()
      entries += detector.apply(
        MatchObservation(channel: 1, time: Self.start + Int64(step), book.matches[id], of: id))
    }
    let writer = try HistoryWriter(file, feed: "f")
    try writer.write(entries, completeUpTo: Self.start + 200)
    #expect(try writer.database.integer("PRAGMA page_size") == size ?? 1024)
    #expect(try writer.database.integer("SELECT count(*) FROM change") == Int64(writer.changes) && writer.changes > 50)
  }

  @Test("A price series equals a full search of all changes and spans", arguments: Laws.seeds(20))
  func series(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var time: Int64 = 1000
    let changes = (0..<Int.random(in: 0...40, using: &random)).map { _ in
      time += Int64.random(in: 1...20, using: &random)
      let units = Int64.random(in: 101...104, using: &random) * 100_000
      return RecordedChange(
        time: time, odds: Bool.random(using: &random) ? DecimalOdds(units: units) : nil,
        isBettable: Bool.random(using: &random))
    }
    var spans: [Range<Int64>] = []
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let begin = (spans.last?.upperBound ?? 980) + Int64.random(in: 1...100, using: &random)
      spans.append(begin..<begin + Int64.random(in: 1...120, using: &random))
    }
    var next = changes.makeIterator()
    let series = PriceSeries(spans: spans) { next.next() }
    for now in Int64(970)...1700 {
      let change = changes.last { $0.time <= now }
      let state: PriceSeries.State =
        change == nil || !spans.contains { $0.contains(now) }
        ? .unknown : change!.isBettable && change!.odds != nil ? .live : .suspended
      #expect(series.step(at: now)?.state ?? .unknown == state, "\(now)")
      if state != .unknown { #expect(series.step(at: now)?.odds == change?.odds, "\(now)") }
    }
    #expect(zip(series.steps, series.steps.dropFirst()).allSatisfy { $0.time < $1.time })
  }

  @Test("Candles equal a calculation over every millisecond", arguments: Laws.seeds(40))
  func candles(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var steps: [PriceSeries.Step] = []
    var time: Int64 = 1000
    for _ in 0..<Int.random(in: 0...30, using: &random) {
      time += Int64.random(in: 0...25, using: &random)
      let state = [PriceSeries.State.live, .live, .live, .suspended, .unknown].randomElement(using: &random)!
      let odds = DecimalOdds(units: Int64.random(in: 101...110, using: &random) * 100_000)
      steps.append(PriceSeries.Step(time: time, state: state, odds: odds))
    }
    let series = PriceSeries(steps: steps)
    let range = 990..<990 + Int64.random(in: 1...400, using: &random)
    let count = Int.random(in: 1...60, using: &random)
    let columns = series.columns(count, of: range)
    #expect(columns.count == count)
    for (number, column) in columns.enumerated() {
      let length = range.upperBound - range.lowerBound
      let begin = range.lowerBound + length * Int64(number) / Int64(count)
      let end = range.lowerBound + length * Int64(number + 1) / Int64(count)
      // The state at each millisecond of the column, by a search from the start.
      let states = (begin..<max(begin, end)).map { now in series.steps.last { $0.time <= now } }
      let live = states.compactMap { $0?.state == .live ? $0?.odds : nil }
      #expect(column.begin == begin)
      #expect(column.candle?.open == live.first)
      #expect(column.candle?.close == live.last)
      #expect(column.candle?.high == live.max())
      #expect(column.candle?.low == live.min())
      #expect(column.isSuspended == states.contains { $0?.state == .suspended })
      #expect(column.isUnknown == states.contains { $0 == nil || $0?.state == .unknown })
      if live.isEmpty { continue }
      #expect(column.candle?.changes == series.steps.count { $0.time >= begin && $0.time < end && $0.state == .live })
    }
  }
}
