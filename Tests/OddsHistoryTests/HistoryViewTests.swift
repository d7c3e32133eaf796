import Foundation
import OddsModel
import TestSupport
import Testing

@testable import OddsHistory

/// The views for SQL, compared with the reader and with the page that documents them.
struct HistoryViewTests {
  private static let start: Int64 = 1_750_000_000_000
  /// A range with all times of the tests.
  private static let always: Range<Int64> = 0..<Int64.max / 4

  /// The columns of a market, which both views have.
  private struct MarketColumns: Hashable {
    let feed: String
    let matchID: String
    let match: String
    let marketID: String
    let market: String

    init(_ statement: Statement) {
      feed = statement.text(0)
      matchID = statement.text(1)
      match = statement.text(2)
      marketID = statement.text(3)
      market = statement.text(4)
    }

    init(_ recorded: RecordedMatch, _ value: Market) {
      feed = recorded.feed
      matchID = recorded.match.id.description
      match = recorded.match.labels.name
      marketID = value.id.description
      market = value.name
    }
  }

  private struct PriceRow: Hashable {
    let market: MarketColumns
    let outcomeID: String
    let outcome: String
    let time: Int64
    let price: Double?
    let bettable: Int64
  }

  private struct CoverageRow: Hashable {
    let market: MarketColumns
    let begin: Int64
    let end: Int64
  }

  private static func prices(_ database: Database) throws -> [PriceRow] {
    let statement = try database.prepare(
      """
      SELECT feed, match_id, match, market_id, market, outcome_id, outcome, time, price, bettable FROM price
      ORDER BY time
      """)
    var rows: [PriceRow] = []
    while try statement.step() {
      // The text of NULL is empty.
      rows.append(
        PriceRow(
          market: MarketColumns(statement), outcomeID: statement.text(5), outcome: statement.text(6),
          time: statement.number(7), price: Double(statement.text(8)), bettable: statement.number(9)))
    }
    return rows
  }

  private static func coverage(_ database: Database) throws -> [CoverageRow] {
    let statement = try database.prepare(
      "SELECT feed, match_id, match, market_id, market, begin, end FROM coverage")
    var rows: [CoverageRow] = []
    while try statement.step() {
      rows.append(
        CoverageRow(market: MarketColumns(statement), begin: statement.number(5), end: statement.number(6)))
    }
    return rows
  }

  /// Writes random books of two feeds with the same ids and with gaps, each by two writers at once. One of them ends
  /// without marking its prices as unknown. Returns the end time.
  private static func write(_ file: HistoryFile, seed: UInt64) throws -> Int64 {
    var end = start
    for (number, feed) in ["f", "wss://g"].enumerated() {
      var book = RandomBook(seed: seed + UInt64(number) * 1000)
      var time = start
      for _ in 0..<2 {
        let writers = [try HistoryWriter(file, feed: feed), try HistoryWriter(file, feed: feed)]
        var detectors = [ChangeDetector(), ChangeDetector()]
        var entries: [[HistoryEntry]] = [[], []]
        for step in 0..<100 {
          time += Int64.random(in: 0...900, using: &book.random)
          let ids = step == 0 ? book.matches.keys.sorted() : [book.change()]
          for index in 0..<2 {
            for id in ids {
              let observation = MatchObservation(channel: 1, time: time, book.matches[id], of: id)
              entries[index] += detectors[index].apply(observation)
            }
            if Int.random(in: 0..<8, using: &book.random) == 0 {
              try writers[index].write(entries[index], completeUpTo: time)
              entries[index] = []
            }
          }
        }
        for index in 0..<2 { try writers[index].write(entries[index], completeUpTo: time) }
        try writers[0].finish(at: time + 50)
        time += Int64.random(in: 100...20_000, using: &book.random)
      }
      end = max(end, time)
    }
    return end
  }

  /// Returns the price of a recorded change as the view has it.
  private static func number(_ odds: DecimalOdds?) -> Double? {
    odds.map { Double($0.units) / Double(DecimalOdds.unitsPerOne) }
  }

  @Test("The view of prices has exactly the changes that the reader gives", arguments: Laws.seeds(6))
  func prices(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    _ = try Self.write(file, seed: seed)
    let reader = try HistoryReader(file)
    var expected: [PriceRow] = []
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        let columns = MarketColumns(recorded, market)
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          for change in try reader.changes(of: place, in: Self.always) {
            expected.append(
              PriceRow(
                market: columns, outcomeID: outcome.id.description, outcome: outcome.name, time: change.time,
                price: Self.number(change.odds), bettable: change.isBettable ? 1 : 0))
          }
        }
      }
    }
    let rows = try Self.prices(reader.database)
    #expect(rows.count == expected.count && rows.count > 100)
    #expect(Set(rows).symmetricDifference(expected).isEmpty)
    #expect(Set(rows.map(\.market.feed)) == ["f", "wss://g"])
  }

  @Test("The view of the coverage has the times in which the reader knows the prices", arguments: Laws.seeds(6))
  func coverage(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    _ = try Self.write(file, seed: seed)
    let reader = try HistoryReader(file)
    let rows = Dictionary(grouping: try Self.coverage(reader.database)) { $0.market }
    var markets: Set<MarketColumns> = []
    for recorded in try reader.matches(since: 0) {
      for (market, place) in zip(recorded.match.markets, recorded.markets) {
        let columns = MarketColumns(recorded, market)
        markets.insert(columns)
        let covered = rows[columns] ?? []
        let known = try reader.known(place.row, Self.always)
        var times: Set<Int64> = []
        for row in covered { times.formUnion([row.begin - 1, row.begin, row.end - 1, row.end]) }
        for span in known {
          times.formUnion([span.lowerBound - 1, span.lowerBound, span.upperBound - 1, span.upperBound])
        }
        for time in times {
          let isCovered = covered.contains { $0.begin <= time && time < $0.end }
          let isKnown = known.contains { $0.contains(time) }
          #expect(isCovered == isKnown, "\(columns.marketID) \(time - Self.start)")
        }
      }
    }
    #expect(markets.isSuperset(of: rows.keys))
    #expect(rows.values.contains { $0.count > 2 })
  }

  @Test(
    "A row of the view of prices is valid until the next one of its outcome, within the coverage",
    arguments: Laws.seeds(6))
  func validity(seed: UInt64) throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    let end = try Self.write(file, seed: seed)
    var random = SeededRandom(seed: seed)
    let reader = try HistoryReader(file)
    let prices = Dictionary(grouping: try Self.prices(reader.database)) { $0.market }
    let coverage = Dictionary(grouping: try Self.coverage(reader.database)) { $0.market }
    var states: Set<PriceSeries.State> = []
    for recorded in try reader.matches(since: 0) {
      for (market, row) in zip(recorded.match.markets, recorded.markets) {
        let columns = MarketColumns(recorded, market)
        let covered = coverage[columns] ?? []
        for (outcome, place) in zip(market.outcomes, row.outcomes) {
          let id = outcome.id.description
          let list = (prices[columns] ?? []).filter { $0.outcomeID == id }
          let series = try reader.series(of: place, in: row, Self.always)
          for _ in 0..<20 {
            let time = Int64.random(in: Self.start - 100...end + 100, using: &random)
            let isCovered = covered.contains { $0.begin <= time && time < $0.end }
            let price = isCovered ? list.last { $0.time <= time } : nil
            let state = Self.state(price)
            let step = series.step(at: time)
            #expect((step?.state ?? .unknown) == state, "\(id) \(time - Self.start)")
            if state == .live { #expect(Self.number(step?.odds) == price?.price) }
            states.insert(state)
          }
        }
      }
    }
    #expect(states == [.live, .suspended, .unknown])
  }

  private static func state(_ row: PriceRow?) -> PriceSeries.State {
    guard let row else { return .unknown }
    return row.bettable != 0 && row.price != nil ? .live : .suspended
  }

  @Test("The page History has the columns of the views, the tables and the version of the file")
  func page() throws {
    let directory = TemporaryDirectory()
    let file = HistoryFile("\(directory.path)/history.db")
    _ = try HistoryWriter(file, feed: "f")
    let database = try file.openForReading()
    let views = try Self.section("Views for SQL")
    for view in ["price", "coverage"] {
      let row = try #require(Self.rows(of: views).first { $0.first == [view] })
      let columns = try Self.names("SELECT name FROM pragma_table_info('\(view)') ORDER BY cid", database)
      #expect(row[1] == columns)
    }
    let section = try Self.section("The tables")
    let tables = try Self.names(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name", database)
    let documented = Self.rows(of: section).flatMap { $0[0] }
    #expect(documented.sorted() == tables)
    let text = section.replacing("\n", with: " ")
    #expect(text.contains("`user_version` of the file is \(HistorySchema.version)."))
  }

  private static func names(_ sql: String, _ database: Database) throws -> [String] {
    let statement = try database.prepare(sql)
    var names: [String] = []
    while try statement.step() { names.append(statement.text(0)) }
    return names
  }

  /// Returns a section of the page with its title.
  private static func section(_ title: String) throws -> String {
    let page = try RepositoryFile.text("Sources/Dashboard/Dashboard.docc/History.md")
    return try #require(page.components(separatedBy: "\n## ").first { $0.hasPrefix("\(title)\n") })
  }

  /// Returns the words in code voice of each cell of the tables' rows.
  private static func rows(of section: String) -> [[[String]]] {
    section.split(separator: "\n").filter { $0.hasPrefix("| `") }.map { row in
      row.split(separator: "|").map { cell in
        let parts = cell.split(separator: "`", omittingEmptySubsequences: false)
        return parts.indices.filter { $0 % 2 == 1 }.map { String(parts[$0]) }
      }
    }
  }
}
