/// The tables of a history file. Times are in milliseconds since 1970 unless stated otherwise, prices in thousandths,
/// and handicaps in ten-millionths.
///
/// A change takes the least space in a table without row ids whose key is the outcome and the time since the outcome
/// was first recorded: about 17 bytes. The rows of an outcome are adjacent, so a chart reads few pages.
///
/// The ids of removed matches, markets and outcomes are not used again, because a writer keeps ids between two batches.
/// Files of earlier programs lack that: in them only `ImportLock` and `HistoryPruner.minAge` protect a writer.
enum HistorySchema {
  /// The version, stored as `user_version`. A file with a higher one is not opened.
  static let version: Int64 = 1

  static let sql = """
    CREATE TABLE IF NOT EXISTS match(
      id INTEGER PRIMARY KEY AUTOINCREMENT, feed TEXT NOT NULL, feed_id TEXT NOT NULL, name TEXT NOT NULL,
      home TEXT NOT NULL, away TEXT NOT NULL, tournament TEXT NOT NULL, country TEXT NOT NULL, part TEXT NOT NULL,
      sport TEXT NOT NULL, sport_id TEXT, start INTEGER, status INTEGER NOT NULL, home_score INTEGER, away_score INTEGER,
      kept_from INTEGER NOT NULL, last_seen INTEGER NOT NULL, UNIQUE(feed, feed_id));
    CREATE TABLE IF NOT EXISTS market(
      id INTEGER PRIMARY KEY AUTOINCREMENT, match INTEGER NOT NULL, feed_id TEXT NOT NULL, name TEXT NOT NULL,
      handicap INTEGER, main_rank INTEGER, is_main_line INTEGER NOT NULL, UNIQUE(match, feed_id));
    CREATE TABLE IF NOT EXISTS outcome(
      id INTEGER PRIMARY KEY AUTOINCREMENT, market INTEGER NOT NULL, feed_id TEXT NOT NULL, name TEXT NOT NULL,
      key TEXT NOT NULL, begin INTEGER NOT NULL, opening INTEGER, UNIQUE(market, feed_id));
    CREATE TABLE IF NOT EXISTS change(
      outcome INTEGER NOT NULL, time INTEGER NOT NULL, price INTEGER, bettable INTEGER NOT NULL,
      PRIMARY KEY(outcome, time)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS match_event(
      match INTEGER NOT NULL, time INTEGER NOT NULL, status INTEGER NOT NULL, home_score INTEGER, away_score INTEGER,
      PRIMARY KEY(match, time)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS run(id INTEGER PRIMARY KEY, begin INTEGER NOT NULL, last INTEGER NOT NULL);
    CREATE TABLE IF NOT EXISTS span(
      market INTEGER NOT NULL, begin INTEGER NOT NULL, run INTEGER NOT NULL, end INTEGER,
      PRIMARY KEY(market, begin, run)) WITHOUT ROWID;
    CREATE VIEW IF NOT EXISTS price AS
      SELECT match.feed AS feed, match.feed_id AS match_id, match.name AS match, market.feed_id AS market_id,
        market.name AS market, outcome.feed_id AS outcome_id, outcome.name AS outcome,
        outcome.begin + change.time AS time, change.price / 1000.0 AS price, change.bettable AS bettable
      FROM change JOIN outcome ON outcome.id = change.outcome JOIN market ON market.id = outcome.market
        JOIN match ON match.id = market.match;
    CREATE VIEW IF NOT EXISTS coverage AS
      SELECT match.feed AS feed, match.feed_id AS match_id, match.name AS match, market.feed_id AS market_id,
        market.name AS market, span.begin AS begin, coalesce(span.end, run.last) AS end
      FROM span JOIN run ON run.id = span.run JOIN market ON market.id = span.market
        JOIN match ON match.id = market.match;
    """
}
