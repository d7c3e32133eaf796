import OddsModel

/// The statements of a writer, compiled once for a connection.
struct HistoryStatements {
  let database: Database
  private let match, event, lastEvent, market, outcome, opening, span, endSpan, last, insert, run, beat, seen,
    others: Statement

  init(_ database: Database) throws(HistoryError) {
    self.database = database
    match = try database.prepare(
      """
      INSERT INTO match(feed, feed_id, name, home, away, tournament, country, part, sport, sport_id, start, status,
        home_score, away_score, kept_from, last_seen)
      VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?15)
      ON CONFLICT(feed, feed_id) DO UPDATE SET name = ?3, home = ?4, away = ?5, tournament = ?6, country = ?7,
        part = ?8, sport = ?9, sport_id = ?10, start = ?11, status = ?12, home_score = ?13, away_score = ?14,
        last_seen = max(last_seen, ?15)
      RETURNING id
      """)
    event = try database.prepare("INSERT OR REPLACE INTO match_event VALUES(?1, ?2, ?3, ?4, ?5)")
    lastEvent = try database.prepare(
      "SELECT status, home_score, away_score FROM match_event WHERE match = ?1 AND time <= ?2 ORDER BY time DESC LIMIT 1"
    )
    market = try database.prepare(
      """
      INSERT INTO market(match, feed_id, name, handicap, main_rank, is_main_line) VALUES(?1, ?2, ?3, ?4, ?5, ?6)
      ON CONFLICT(match, feed_id) DO UPDATE SET name = ?3, handicap = ?4, main_rank = ?5, is_main_line = ?6 RETURNING id
      """)
    outcome = try database.prepare(
      """
      INSERT INTO outcome(market, feed_id, name, key, begin) VALUES(?1, ?2, ?3, ?4, ?5)
      ON CONFLICT(market, feed_id) DO UPDATE SET name = ?3, key = ?4 RETURNING id, begin, opening
      """)
    opening = try database.prepare("UPDATE outcome SET opening = ?2 WHERE id = ?1 AND opening IS NULL")
    span = try database.prepare("INSERT OR REPLACE INTO span(market, begin, run) VALUES(?1, ?2, ?3)")
    endSpan = try database.prepare("UPDATE span SET end = ?4 WHERE market = ?1 AND begin = ?2 AND run = ?3")
    last = try database.prepare(
      "SELECT price, bettable FROM change WHERE outcome = ?1 AND time <= ?2 ORDER BY time DESC LIMIT 1")
    insert = try database.prepare("INSERT OR REPLACE INTO change VALUES(?1, ?2, ?3, ?4)")
    run = try database.prepare("INSERT INTO run(begin, last) VALUES(?1, ?1) RETURNING id")
    beat = try database.prepare("UPDATE run SET last = max(last, ?2) WHERE id = ?1")
    seen = try database.prepare("UPDATE match SET last_seen = max(last_seen, ?2) WHERE id = ?1")
    others = try database.prepare("SELECT count(*) FROM run WHERE id != ?1 AND last > ?2")
  }

  func match(_ value: Match, feed: String, time: Int64) throws(HistoryError) -> Int64 {
    let names = value.labels
    match.bind(1, feed).bind(2, value.id.description).bind(3, names.name).bind(4, names.home).bind(5, names.away)
    match.bind(6, names.tournament).bind(7, names.category).bind(8, names.part).bind(9, names.sport)
    if let sport = value.sportID { match.bind(10, sport.description) } else { match.bind(10, optional: nil) }
    match.bind(11, optional: value.startTime).bind(12, Int64(value.status.rawValue))
    match.bind(13, optional: value.score.map { Int64($0.home) })
    match.bind(14, optional: value.score.map { Int64($0.away) }).bind(15, time)
    return try match.single() ?? 0
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

  func market(_ value: Market, ofMatch id: Int64) throws(HistoryError) -> Int64 {
    market.bind(1, id).bind(2, value.id.description).bind(3, value.name).bind(4, optional: value.handicap)
    market.bind(5, optional: value.mainMarketRank.map { Int64($0) }).bind(6, value.isMainLine ? 1 : 0)
    return try market.single() ?? 0
  }

  /// Returns the id, the begin and the first price in thousandths; nil if there was none yet.
  func outcome(
    _ value: Outcome, ofMarket id: Int64, time: Int64
  ) throws(HistoryError) -> (id: Int64, begin: Int64, opening: Int64?) {
    outcome.bind(1, id).bind(2, value.id.description).bind(3, value.name).bind(4, value.key).bind(5, time)
    guard try outcome.step() else { return (0, time, nil) }
    defer { outcome.reset() }
    return (outcome.number(0), outcome.number(1), outcome.integer(2))
  }

  func opening(_ price: Int64, of outcome: Int64) throws(HistoryError) {
    try opening.bind(1, outcome).bind(2, price).run()
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

  func newRun(at time: Int64) throws(HistoryError) -> Int64 { try run.bind(1, time).single() ?? 0 }

  func beat(_ run: Int64, at time: Int64) throws(HistoryError) { try beat.bind(1, run).bind(2, time).run() }

  func seen(_ match: Int64, at time: Int64) throws(HistoryError) { try seen.bind(1, match).bind(2, time).run() }

  /// Returns true if another writer has written since a time.
  func hasOthers(than run: Int64, since time: Int64) throws(HistoryError) -> Bool {
    try others.bind(1, run).bind(2, time).single() ?? 0 > 0
  }
}
