import JSONText
import OddsHistory
import OddsModel
import TerminalCore

/// The output of `toteboard history`. Lines are written as they come; those of a table in blocks, in which the columns
/// are aligned. The columns of a block are at least as wide as those of the blocks before.
struct HistoryOutput {
  private static let head = ["feed", "matchId", "match", "marketId", "market", "outcomeId", "outcome"]
  private static let changeFields = ["time", "odds", "bettable"]
  private static let summaryFields = ["opening", "low", "high", "closing", "last", "changes"]
  /// The number of bytes from which lines are written.
  private static let bufferSize = 1 << 16
  /// The number of rows of a block.
  private static let blockSize = 1000

  private let format: History.Format
  private let isSummary: Bool
  private let hasSeveralFeeds: Bool
  private var table = AlignedTable()
  private var rows: [[String]] = []
  private var bytes: [UInt8] = []

  /// - Parameter hasSeveralFeeds: True if the matches are from several feeds, so that a table has a column for the
  ///   feed.
  init(_ format: History.Format, isSummary: Bool, hasSeveralFeeds: Bool) {
    self.format = format
    self.isSummary = isSummary
    self.hasSeveralFeeds = hasSeveralFeeds
  }

  mutating func begin() throws {
    switch format {
    case .table:
      try row(
        isSummary
          ? ["FEED", "MATCH", "MARKET", "OUTCOME", "OPENING", "LOW", "HIGH", "CLOSING", "LAST", "CHANGES"]
          : ["FEED", "TIME", "MATCH", "MARKET", "OUTCOME", "PRICE"])
    case .csv: try append(CSV.line(Self.head + (isSummary ? Self.summaryFields : Self.changeFields)).utf8)
    case .json: break
    }
  }

  mutating func add(_ match: RecordedMatch, _ market: Market, _ outcome: Outcome, _ change: RecordedChange) throws {
    let time = ISOTime.text(change.time)
    switch format {
    case .table:
      let price = change.odds.map { change.isBettable ? "\($0)" : "(\($0))" } ?? "-"
      try row([match.feed, time, match.match.name, market.name, outcome.name, price])
    case .csv:
      let fields = [time, change.odds.map { "\($0)" } ?? "", "\(change.isBettable)"]
      try append(CSV.line(Self.ids(match, market, outcome) + fields).utf8)
    case .json:
      try line(match, market, outcome) { writer in
        writer.field("time", time)
        writer.field("odds", number: change.odds?.description)
        writer.field("bettable", change.isBettable)
      }
    }
  }

  mutating func add(_ match: RecordedMatch, _ market: Market, _ outcome: Outcome, _ summary: PriceSummary) throws {
    let prices = [summary.opening, summary.low, summary.high, summary.closing, summary.last].map {
      $0.map { "\($0)" }
    }
    let fields = prices.map { $0 ?? "" } + ["\(summary.changes)"]
    switch format {
    case .table: try row([match.feed, match.match.name, market.name, outcome.name] + fields)
    case .csv: try append(CSV.line(Self.ids(match, market, outcome) + fields).utf8)
    case .json:
      try line(match, market, outcome) { writer in
        writer.field("opening", number: prices[0])
        writer.field("low", number: prices[1])
        writer.field("high", number: prices[2])
        writer.field("closing", number: prices[3])
        writer.field("last", number: prices[4])
        writer.field("changes", Int64(summary.changes))
      }
    }
  }

  mutating func end() throws {
    bytes += table.append(rows).utf8
    try Output.send(bytes)
    bytes = []
  }

  /// Adds a row of the table, whose first column is the feed.
  private mutating func row(_ fields: [String]) throws {
    rows.append(fields.dropFirst(hasSeveralFeeds ? 0 : 1).map(\.cleaned))
    if rows.count < Self.blockSize { return }
    try append(table.append(rows).utf8)
    rows.removeAll(keepingCapacity: true)
  }

  private static func ids(_ match: RecordedMatch, _ market: Market, _ outcome: Outcome) -> [String] {
    [
      match.feed, "\(match.match.id)", match.match.name, "\(market.id)", market.name, "\(outcome.id)", outcome.name,
    ]
  }

  private mutating func line(
    _ match: RecordedMatch, _ market: Market, _ outcome: Outcome, _ rest: (inout JSONWriter) -> Void
  ) throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.field("feed", match.feed)
      writer.field("matchId", match.match.id.description)
      writer.field("match", match.match.name)
      writer.field("marketId", market.id.description)
      writer.field("market", market.name)
      writer.field("outcomeId", outcome.id.description)
      writer.field("outcome", outcome.name)
      rest(&writer)
    }
    writer.newline()
    try append(writer.bytes)
  }

  private mutating func append(_ line: some Sequence<UInt8>) throws {
    bytes += line
    if bytes.count < Self.bufferSize { return }
    try Output.send(bytes)
    bytes = []
  }
}
