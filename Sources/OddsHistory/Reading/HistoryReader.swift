package import OddsModel

/// A reader of a history file, which another process may write at the same time. Not thread-safe. All calls block on
/// the disk.
package final class HistoryReader {
  let database: Database
  private let markets: Statement
  private let outcomes: Statement
  private let last: Statement
  private let changes: Statement
  private let spans: Statement
  private let events: Statement
  let outcomeRows: Statement
  let lastPrice: Statement

  /// - Throws: `HistoryError` of kind `missing` if there is no history.
  package init(_ file: HistoryFile) throws(HistoryError) {
    database = try file.openForReading()
    markets = try database.prepare(
      """
      SELECT id, feed_id, name, handicap, main_rank, is_main_line, (
        SELECT max(coalesce(span.end, iif(
          run.last > (SELECT max(last) FROM run) - \(HistoryWriter.neighbourTimeout), \(Int64.max), run.last)))
        FROM span JOIN run ON run.id = span.run WHERE span.market = market.id)
      FROM market WHERE match = ?1
      """)
    outcomes = try database.prepare(
      "SELECT id, feed_id, name, key, begin, opening FROM outcome WHERE market = ?1")
    last = try database.prepare(
      "SELECT price, bettable FROM change WHERE outcome = ?1 ORDER BY time DESC LIMIT 1")
    changes = try database.prepare(
      """
      SELECT time, price, bettable FROM change WHERE outcome = ?1 AND time < ?3 AND time >= coalesce(
        (SELECT max(time) FROM change WHERE outcome = ?1 AND time <= ?2), ?2) ORDER BY time
      """)
    spans = try database.prepare(
      """
      SELECT begin, coalesce(end, (SELECT last FROM run WHERE run.id = span.run)) FROM span WHERE market = ?1
      ORDER BY begin
      """)
    events = try database.prepare(
      "SELECT time, status, home_score, away_score FROM match_event WHERE match = ?1 ORDER BY time")
    outcomeRows = try database.prepare(
      """
      SELECT outcome.id, outcome.begin, outcome.opening, market.id, match.id, match.start, outcome.feed_id FROM match
      JOIN market ON market.match = match.id JOIN outcome ON outcome.market = market.id
      WHERE match.feed = ?1 AND match.feed_id = ?2 AND market.feed_id = ?3
      """)
    lastPrice = try database.prepare(
      """
      SELECT price FROM change WHERE outcome = ?1 AND time < ?2 AND bettable >= ?3 AND price IS NOT NULL
      ORDER BY time DESC LIMIT 1
      """)
  }

  /// Returns the latest time up to which the history is complete, in milliseconds since 1970. It can be later than now,
  /// if the clock was set back. Nil for an empty file.
  package func end() throws(HistoryError) -> Int64? { try database.integer("SELECT max(last) FROM run") }

  /// Returns the matches that a channel carried since a time, in the order of the dashboard.
  ///
  /// - Parameter time: The time in milliseconds since 1970.
  package func matches(since time: Int64) throws(HistoryError) -> [RecordedMatch] {
    // NB: a match in progress is marked as seen at intervals only.
    try matches(
      "last_seen >= ?1 OR EXISTS (SELECT 1 FROM market JOIN span ON span.market = market.id"
        + " WHERE market.match = match.id AND span.end IS NULL)"
    ) { $0.bind(1, time) }.sorted { Match.boardOrder($0.match, $1.match) }
  }

  /// Returns a match of a feed; nil if the history does not have it.
  package func match(_ id: MatchID, feed: String) throws(HistoryError) -> RecordedMatch? {
    try matches("feed = ?1 AND feed_id = ?2") { $0.bind(1, feed).bind(2, id.description) }.first
  }

  private func matches(
    _ condition: String, _ bind: (Statement) -> Void
  ) throws(HistoryError) -> [RecordedMatch] {
    let statement = try database.prepare("SELECT \(Self.matchColumns) FROM match WHERE \(condition)")
    bind(statement)
    var matches: [RecordedMatch] = []
    while try statement.step() {
      // An id that is not one was not written by this program.
      guard let id = MatchID(statement.text(2)) else { continue }
      let (values, rows) = try recordedMarkets(of: statement.number(0))
      var match = Self.match(statement, id: id, markets: values)
      Self.chooseMainMarket(of: &match, rows)
      matches.append(
        RecordedMatch(
          row: statement.number(0), feed: statement.text(1), match: match, markets: rows,
          lastSeen: statement.number(15)))
    }
    return matches
  }

  /// The columns of a match: its row, its feed, its id and those that `match(_:id:markets:)` reads.
  static let matchColumns = """
    id, feed, feed_id, name, home, away, tournament, country, part, sport, sport_id, start, status, home_score, \
    away_score, last_seen
    """

  /// Returns the match in the current row of a query with `matchColumns`.
  static func match(_ statement: Statement, id: MatchID, markets: [Market]) -> Match {
    var match = Match(
      id: id,
      labels: Match.Names(
        name: statement.text(3), home: statement.text(4), away: statement.text(5), tournament: statement.text(6),
        category: statement.text(7), part: statement.text(8), sport: statement.text(9)),
      sportID: SportID(statement.text(10)), startTime: statement.integer(11),
      status: MatchStatus(rawValue: UInt8(clamping: statement.number(12))) ?? .unknown, markets: markets)
    match.score = score(statement, 13)
    return match
  }

  private static func score(_ statement: Statement, _ column: Int32) -> Score? {
    guard let home = statement.integer(column), let away = statement.integer(column + 1) else { return nil }
    return Score(home: Int(home), away: Int(away))
  }

  /// Chooses the main market among those that a match has, while a channel carries it. Later, a market does not count
  /// if the match had another one with the same rank afterwards.
  private static func chooseMainMarket(of match: inout Match, _ rows: [RecordedMarket]) {
    let markets = match.markets
    let isCarried = rows.contains { $0.end == .max }
    var ends: [Int: Int64] = [:]
    for (market, row) in zip(markets, rows) {
      if let rank = market.mainMarketRank { ends[rank] = max(ends[rank] ?? row.end, row.end) }
    }
    match.chooseMainMarket { index in
      if isCarried { return rows[index].end == .max }
      return markets[index].mainMarketRank.map { ends[$0] == rows[index].end } ?? true
    }
  }

  private func recordedMarkets(of match: Int64) throws(HistoryError) -> ([Market], [RecordedMarket]) {
    markets.bind(1, match)
    var pairs: [(Market, RecordedMarket)] = []
    while try markets.step() {
      guard let id = MarketID(markets.text(1)) else { continue }
      let row = markets.number(0)
      let (values, rows) = try recordedOutcomes(of: row)
      let market = Market(
        id: id, name: markets.text(2), handicap: markets.integer(3), isMainLine: markets.number(5) != 0,
        mainMarketRank: markets.integer(4).map { Int(clamping: $0) }, outcomes: values)
      pairs.append((market, RecordedMarket(row: row, end: markets.number(6), outcomes: rows)))
    }
    pairs.sort { $0.0.id < $1.0.id }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  private func recordedOutcomes(of market: Int64) throws(HistoryError) -> ([Outcome], [RecordedOutcome]) {
    outcomes.bind(1, market)
    var pairs: [(Outcome, RecordedOutcome)] = []
    while try outcomes.step() {
      guard let id = OutcomeID(outcomes.text(1)) else { continue }
      let row = outcomes.number(0)
      var price = RecordedPrice.none
      last.bind(1, row)
      if try last.step() {
        price = RecordedPrice(thousandths: last.integer(0), isBettable: last.number(1) != 0)
        last.reset()
      }
      let odds = price.thousandths.map { DecimalOdds(thousandths: $0) }
      let outcome = Outcome(
        id: id, name: outcomes.text(2), key: outcomes.text(3),
        offer: odds.map { BettingOffer(id: OfferID(raw: 0), odds: $0) }, isBettable: price.isBettable)
      let opening = outcomes.integer(5).map { DecimalOdds(thousandths: $0) }
      pairs.append((outcome, RecordedOutcome(row: row, begin: outcomes.number(4), opening: opening)))
    }
    pairs.sort { $0.0.id < $1.0.id }
    return (pairs.map(\.0), pairs.map(\.1))
  }

  /// Returns the change of an outcome in force at the begin of a time range, if any, and those within the range.
  ///
  /// - Parameter range: The time range in milliseconds since 1970.
  package func changes(of outcome: RecordedOutcome, in range: Range<Int64>) throws(HistoryError) -> [RecordedChange] {
    begin(outcome, in: range)
    var list: [RecordedChange] = []
    while let change = try nextChange(of: outcome) { list.append(change) }
    return list
  }

  /// Returns the price of an outcome within a time range, which begins with the price at its begin.
  ///
  /// - Parameter range: The time range in milliseconds since 1970.
  package func series(
    of outcome: RecordedOutcome, in market: RecordedMarket, _ range: Range<Int64>
  ) throws(HistoryError) -> PriceSeries {
    try series(of: outcome, in: range, known: try known(market.row, range))
  }

  /// - Parameter spans: The times in which the price was known, ascending and disjoint.
  func series(
    of outcome: RecordedOutcome, in range: Range<Int64>, known spans: [Range<Int64>]
  ) throws(HistoryError) -> PriceSeries {
    begin(outcome, in: range)
    // Changes after the last span are not read.
    defer { self.changes.reset() }
    var changes = 0
    var series = try PriceSeries(spans: spans) { () throws(HistoryError) in
      let change = try nextChange(of: outcome)
      if let change, change.time >= range.lowerBound { changes += 1 }
      return change
    }
    series.changes = changes
    return series
  }

  private func begin(_ outcome: RecordedOutcome, in range: Range<Int64>) {
    changes.bind(1, outcome.row).bind(2, range.lowerBound - outcome.begin).bind(3, range.upperBound - outcome.begin)
  }

  /// Returns the next change of the query that was begun.
  private func nextChange(of outcome: RecordedOutcome) throws(HistoryError) -> RecordedChange? {
    guard try changes.step() else { return nil }
    return RecordedChange(
      time: outcome.begin + changes.number(0),
      odds: changes.integer(1).map { DecimalOdds(thousandths: $0) }, isBettable: changes.number(2) != 0)
  }

  /// Returns the times in which the prices of a market were known to any writer, ascending and disjoint.
  func known(_ market: Int64, _ range: Range<Int64>) throws(HistoryError) -> [Range<Int64>] {
    spans.bind(1, market)
    var known: [Range<Int64>] = []
    while try spans.step() {
      let (begin, end) = (max(range.lowerBound, spans.number(0)), min(range.upperBound, spans.number(1)))
      if begin >= end { continue }
      if let last = known.last, begin <= last.upperBound {
        known[known.count - 1] = last.lowerBound..<max(last.upperBound, end)
      } else {
        known.append(begin..<end)
      }
    }
    return known
  }

  /// Returns the changes of a match's status and score, in ascending order of time.
  package func events(of match: RecordedMatch) throws(HistoryError) -> [MatchEvent] { try events(ofRow: match.row) }

  func events(ofRow row: Int64) throws(HistoryError) -> [MatchEvent] {
    events.bind(1, row)
    var list: [MatchEvent] = []
    while try events.step() {
      list.append(
        MatchEvent(
          time: events.number(0), status: MatchStatus(rawValue: UInt8(clamping: events.number(1))) ?? .unknown,
          score: Self.score(events, 2)))
    }
    return list
  }
}
