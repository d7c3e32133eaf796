import OddsModel

/// The statements of a writer, compiled once for a connection.
struct HistoryStatements {
  let database: Database
  private let match, olderMatch, event, lastEvent, market: Statement
  private let outcome, outcomes, opening, openingTime, span, endSpan: Statement
  private let last, insert, restore, run, beat, seen, others: Statement

  init(_ database: Database) throws(HistoryError) {
    self.database = database
    match = try database.prepare(
      """
      INSERT INTO match(feed, feed_id, name, home, away, tournament, country, part, sport, sport_id, start, status,
        home_score, away_score, kept_from, last_seen)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)
      ON CONFLICT(feed, feed_id) DO UPDATE SET name = ?3, home = ?4, away = ?5, tournament = ?6, country = ?7,
        part = ?8, sport = ?9, sport_id = ?10, start = ?11, status = ?12, home_score = ?13, away_score = ?14,
        kept_from = min(kept_from, ?15), last_seen = max(last_seen, ?15)
      WHERE ?16 OR ?15 >= last_seen RETURNING id, last_seen
      """)
    olderMatch = try database.prepare(
      """
      UPDATE match SET kept_from = min(kept_from, ?3) WHERE feed = ?1 AND feed_id = ?2 RETURNING id, last_seen
      """)
    event = try database.prepare("INSERT OR REPLACE INTO match_event VALUES(?1, ?2, ?3, ?4, ?5)")
    lastEvent = try database.prepare(
      "SELECT status, home_score, away_score FROM match_event WHERE match = ?1 AND time <= ?2 ORDER BY time DESC LIMIT 1"
    )
    market = try database.prepare(
      """
      INSERT INTO market(match, feed_id, name, handicap, main_rank, is_main_line) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT(match, feed_id) DO UPDATE SET name = iif(?7, ?3, name), handicap = iif(?7, ?4, handicap),
        main_rank = iif(?7, ?5, main_rank), is_main_line = iif(?7, ?6, is_main_line) RETURNING id
      """)
    outcome = try database.prepare(
      """
      INSERT INTO outcome(market, feed_id, name, key, begin) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(market, feed_id) DO UPDATE SET name = iif(?6, ?3, name), key = iif(?6, ?4, key)
      RETURNING id, begin, opening
      """)
    outcomes = try database.prepare("SELECT id, begin, feed_id FROM outcome WHERE market = ?1")
    // The change with the opening price may have been removed. Then it was not before the begin.
    let timeOfOpening = """
      coalesce((SELECT time FROM change WHERE outcome = ?1 AND price = opening ORDER BY time LIMIT 1), 0)
      """
    opening = try database.prepare(
      "UPDATE outcome SET opening = ?2 WHERE id = ?1 AND (opening IS NULL OR ?3 < \(timeOfOpening))")
    openingTime = try database.prepare("SELECT \(timeOfOpening) FROM outcome WHERE id = ?1")
    span = try database.prepare("INSERT OR REPLACE INTO span(market, begin, run) VALUES(?1, ?2, ?3)")
    endSpan = try database.prepare("UPDATE span SET end = ?4 WHERE market = ?1 AND begin = ?2 AND run = ?3")
    last = try database.prepare(
      "SELECT price, bettable FROM change WHERE outcome = ?1 AND time <= ?2 ORDER BY time DESC LIMIT 1")
    insert = try database.prepare("INSERT OR REPLACE INTO change VALUES(?1, ?2, ?3, ?4)")
    restore = try database.prepare(
      """
      INSERT INTO change SELECT ?1, later.begin - ?2, ?3, ?4
      FROM (SELECT min(begin) AS begin FROM span WHERE market = ?5 AND run != ?6 AND begin > ?2 + ?7) AS later
      WHERE later.begin IS NOT NULL AND NOT EXISTS (
        SELECT 1 FROM change WHERE outcome = ?1 AND time > ?7 AND time <= later.begin - ?2)
      """)
    run = try database.prepare("INSERT INTO run(begin, last) VALUES(?1, ?1) RETURNING id")
    beat = try database.prepare("UPDATE run SET last = max(last, ?2) WHERE id = ?1")
    seen = try database.prepare("UPDATE match SET last_seen = max(last_seen, ?2) WHERE id = ?1")
    others = try database.prepare("SELECT count(*) FROM run WHERE id != ?1 AND last > ?2")
  }

  /// Writes the state of a match.
  ///
  /// - Parameter isImport: True to keep a later state that the file has.
  /// - Returns: The id, and the time at which the match was seen last.
  func match(
    _ value: Match, feed: String, time: Int64, isImport: Bool
  ) throws(HistoryError) -> (id: Int64, lastSeen: Int64) {
    let names = value.labels
    match.bind(1, feed).bind(2, value.id.description).bind(3, names.name).bind(4, names.home).bind(5, names.away)
    match.bind(6, names.tournament).bind(7, names.category).bind(8, names.part).bind(9, names.sport)
    if let sport = value.sportID { match.bind(10, sport.description) } else { match.bind(10, optional: nil) }
    match.bind(11, optional: value.startTime).bind(12, Int64(value.status.rawValue))
    match.bind(13, optional: value.score.map { Int64($0.home) })
    match.bind(14, optional: value.score.map { Int64($0.away) }).bind(15, time).bind(16, isImport ? 0 : 1)
    if try match.step() {
      defer { match.reset() }
      return (match.number(0), match.number(1))
    }
    olderMatch.bind(1, feed).bind(2, value.id.description).bind(3, time)
    guard try olderMatch.step() else { return (0, time) }
    defer { olderMatch.reset() }
    return (olderMatch.number(0), olderMatch.number(1))
  }

  /// Writes the status and the score of a match, if they differ from those before.
  func event(_ value: Match, _ id: Int64, time: Int64) throws(HistoryError) {
    let score = value.score
    let new: [Int64?] = [Int64(value.status.rawValue), score.map { Int64($0.home) }, score.map { Int64($0.away) }]
    lastEvent.bind(1, id).bind(2, time)
    if try lastEvent.step() {
      let old = [lastEvent.integer(0), lastEvent.integer(1), lastEvent.integer(2)]
      lastEvent.reset()
      if old == new { return }
    }
    try event.bind(1, id).bind(2, time).bind(3, optional: new[0]).bind(4, optional: new[1]).bind(5, optional: new[2])
      .run()
  }

  /// Writes a market and returns its id.
  ///
  /// - Parameter isNewest: False to keep the state that the file has.
  func market(_ value: Market, ofMatch id: Int64, isNewest: Bool) throws(HistoryError) -> Int64 {
    market.bind(1, id).bind(2, value.id.description).bind(3, value.name).bind(4, optional: value.handicap)
    market.bind(5, optional: value.mainMarketRank.map { Int64($0) }).bind(6, value.isMainLine ? 1 : 0)
    return try market.bind(7, isNewest ? 1 : 0).single() ?? 0
  }

  /// Returns the id, the begin and the first price in thousandths; nil if there was none yet.
  ///
  /// - Parameter isNewest: False to keep the names that the file has.
  func outcome(
    _ value: Outcome, ofMarket id: Int64, time: Int64, isNewest: Bool
  ) throws(HistoryError) -> (id: Int64, begin: Int64, opening: Int64?) {
    outcome.bind(1, id).bind(2, value.id.description).bind(3, value.name).bind(4, value.key).bind(5, time)
    guard try outcome.bind(6, isNewest ? 1 : 0).step() else { return (0, time, nil) }
    defer { outcome.reset() }
    return (outcome.number(0), outcome.number(1), outcome.integer(2))
  }

  /// Returns the rows and begins of the outcomes that the file has of a market.
  func outcomes(ofMarket id: Int64) throws(HistoryError) -> [(id: Int64, begin: Int64, outcome: OutcomeID)] {
    outcomes.bind(1, id)
    var rows: [(id: Int64, begin: Int64, outcome: OutcomeID)] = []
    while try outcomes.step() {
      guard let outcome = OutcomeID(outcomes.text(2)) else { continue }
      rows.append((outcomes.number(0), outcomes.number(1), outcome))
    }
    return rows
  }

  /// Sets the opening price of an outcome, unless the file has an earlier one. Times are in milliseconds since the
  /// outcome's begin.
  func opening(_ price: Int64, of outcome: Int64, at time: Int64) throws(HistoryError) {
    try opening.bind(1, outcome).bind(2, price).bind(3, time).run()
  }

  /// Returns the time of the opening price that an outcome has.
  func openingTime(of outcome: Int64) throws(HistoryError) -> Int64 {
    try openingTime.bind(1, outcome).single() ?? 0
  }

  func begin(_ market: Int64, run: Int64, at time: Int64) throws(HistoryError) {
    try span.bind(1, market).bind(2, time).bind(3, run).run()
  }

  func end(_ market: Int64, begunAt begin: Int64, run: Int64, at time: Int64) throws(HistoryError) {
    try endSpan.bind(1, market).bind(2, begin).bind(3, run).bind(4, max(begin, time)).run()
  }

  /// Returns the price of an outcome at a time in milliseconds since the outcome's begin; nil if there is none.
  func last(of outcome: Int64, at time: Int64) throws(HistoryError) -> RecordedPrice? {
    last.bind(1, outcome).bind(2, time)
    guard try last.step() else { return nil }
    defer { last.reset() }
    return RecordedPrice(thousandths: last.integer(0), isBettable: last.number(1) != 0)
  }

  func insert(_ price: RecordedPrice, of outcome: Int64, at time: Int64) throws(HistoryError) {
    try insert.bind(1, outcome).bind(2, time).bind(3, optional: price.thousandths).bind(4, price.isBettable ? 1 : 0)
      .run()
  }

  /// Repeats the price before an imported change where the next span of the market begins, so that the imported price
  /// does not count there. Does nothing if the outcome has another change between the two.
  ///
  /// - Parameters:
  ///   - price: The price before the change.
  ///   - time: The time of the change in milliseconds since `begin`.
  ///   - run: The run of the import.
  func restore(
    _ price: RecordedPrice, of outcome: Int64, begin: Int64, after time: Int64, in market: Int64, besides run: Int64
  ) throws(HistoryError) {
    restore.bind(1, outcome).bind(2, begin).bind(3, optional: price.thousandths).bind(4, price.isBettable ? 1 : 0)
    try restore.bind(5, market).bind(6, run).bind(7, time).run()
  }

  func newRun(at time: Int64) throws(HistoryError) -> Int64 { try run.bind(1, time).single() ?? 0 }

  func beat(_ run: Int64, at time: Int64) throws(HistoryError) { try beat.bind(1, run).bind(2, time).run() }

  func seen(_ match: Int64, at time: Int64) throws(HistoryError) { try seen.bind(1, match).bind(2, time).run() }

  /// Returns true if another writer has written since a time.
  func hasOthers(than run: Int64, since time: Int64) throws(HistoryError) -> Bool {
    try others.bind(1, run).bind(2, time).single() ?? 0 > 0
  }
}
