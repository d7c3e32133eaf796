/// Removes old changes in small steps, so that no batch waits long for one.
struct HistoryPruner {
  /// The number of rows that one step removes or looks at, after which it goes on to no further match. A feed adds
  /// fewer rows from one step to the next.
  private static let maxRows = 5000
  /// The number of pages that one step returns to the file system at most.
  private static let maxPages = 200
  /// The changes of this time are kept at any size, in milliseconds.
  private static let minAge: Int64 = 900_000
  /// The interval between two checks.
  private static let interval = Duration.seconds(60)

  private let limits: HistoryLimits
  /// The uptime of the next check; nil for at once.
  private var nextCheck: Duration?
  /// The time before which changes are removed; nil while there is nothing to remove.
  private var cutoff: Int64?

  init(_ limits: HistoryLimits) { self.limits = limits }

  /// Makes one step if there is something to remove and no import is in progress. Returns true if there may be more.
  ///
  /// - Parameters:
  ///   - now: The time in milliseconds since 1970.
  ///   - uptime: The time that the interval between two checks counts from.
  mutating func step(_ database: Database, now: Int64, uptime: Duration) throws(HistoryError) -> Bool {
    if cutoff == nil {
      if let nextCheck, uptime < nextCheck { return false }
      nextCheck = uptime + Self.interval
      cutoff = try cutoff(database, now: now)
    }
    guard let cutoff else {
      let hasShrunk = try shrink(database)
      if hasShrunk { nextCheck = nil }
      return hasShrunk
    }
    let isDone = try ImportLock.unlessImporting(database.path) { () throws(HistoryError) in
      try database.transaction { () throws(HistoryError) in try Self.prune(database, before: cutoff) }
    }
    guard let isDone else {
      self.cutoff = nil
      nextCheck = uptime + Self.interval
      return false
    }
    if isDone {
      self.cutoff = nil
      // The size is checked again at once: the cutoff is an estimate.
      nextCheck = nil
    }
    return true
  }

  /// Returns the time before which changes are removed; nil if nothing is too old and the file is not too large.
  private func cutoff(_ database: Database, now: Int64) throws(HistoryError) -> Int64? {
    guard let oldest = try database.integer("SELECT min(kept_from) FROM match") else { return nil }
    let aged = now - Int64(limits.days) * 86_400_000
    if oldest < aged { return aged }
    guard try database.usedSize() > limits.bytes else { return nil }
    let newest = now - Self.minAge
    return oldest < newest ? min(newest, oldest + max(60_000, (now - oldest) / 20)) : nil
  }

  /// Returns true if no change from before the cutoff is left that is not in force at the cutoff.
  private static func prune(_ database: Database, before cutoff: Int64) throws(HistoryError) -> Bool {
    let next = try database.prepare(
      "SELECT id, last_seen FROM match WHERE kept_from < ?1 ORDER BY kept_from, id LIMIT 1")
    let removal = try Removal(database)
    var left = maxRows
    while left > 0 {
      next.bind(1, cutoff)
      guard try next.step() else { return true }
      let match = next.number(0)
      let isWhole = next.number(1) < cutoff
      next.reset()
      guard try removal.run(match, before: isWhole ? nil : cutoff, &left) else { return false }
      try isWhole ? remove(match, database) : keep(match, from: cutoff, database)
    }
    return false
  }

  private static func remove(_ match: Int64, _ database: Database) throws(HistoryError) {
    let markets = "(SELECT id FROM market WHERE match = ?1)"
    for sql in [
      "DELETE FROM change WHERE outcome IN (SELECT id FROM outcome WHERE market IN \(markets))",
      "DELETE FROM span WHERE market IN \(markets)", "DELETE FROM outcome WHERE market IN \(markets)",
      "DELETE FROM market WHERE match = ?1", "DELETE FROM match_event WHERE match = ?1",
      "DELETE FROM match WHERE id = ?1",
    ] { try database.prepare(sql).bind(1, match).run() }
  }

  private static func keep(_ match: Int64, from cutoff: Int64, _ database: Database) throws(HistoryError) {
    try database.prepare(
      """
      DELETE FROM span WHERE market IN (SELECT id FROM market WHERE match = ?1)
        AND coalesce(end, (SELECT last FROM run WHERE run.id = span.run)) < ?2
      """
    ).bind(1, match).bind(2, cutoff).run()
    try database.prepare("UPDATE match SET kept_from = ?2 WHERE id = ?1").bind(1, match).bind(2, cutoff).run()
  }

  /// Returns free pages to the file system if they are more than a quarter of the file, or the file is too large.
  private func shrink(_ database: Database) throws(HistoryError) -> Bool {
    let free = try database.integer("PRAGMA freelist_count") ?? 0
    let pages = try database.integer("PRAGMA page_count") ?? 0
    let isTooLarge = pages * (try database.integer("PRAGMA page_size") ?? 0) > limits.bytes
    guard free > (isTooLarge ? 0 : max(Int64(Self.maxPages), pages / 4)) else { return false }
    let statement = try database.prepare("PRAGMA incremental_vacuum(\(Self.maxPages))")
    while try statement.step() {}
    return true
  }
}

/// The removal of changes of matches.
private struct Removal {
  private let outcomes: Statement
  private let inForce: Statement
  private let delete: Statement
  private let database: Database

  init(_ database: Database) throws(HistoryError) {
    self.database = database
    outcomes = try database.prepare(
      "SELECT id, begin FROM outcome WHERE market IN (SELECT id FROM market WHERE match = ?1)")
    inForce = try database.prepare("SELECT max(time) FROM change WHERE outcome = ?1 AND time <= ?2")
    // NB: the row at the largest time is deleted with the match only.
    delete = try database.prepare(
      """
      DELETE FROM change WHERE outcome = ?1 AND time < min(?2, coalesce(
        (SELECT time FROM change WHERE outcome = ?1 ORDER BY time LIMIT 1 OFFSET ?3), ?2))
      """)
  }

  /// Removes the changes of a match that are not in force at the cutoff, or all changes without a cutoff, but at most
  /// `left`. Subtracts the rows that it has removed or looked at. Returns false if some may be left.
  func run(_ match: Int64, before cutoff: Int64?, _ left: inout Int) throws(HistoryError) -> Bool {
    var rows: [(id: Int64, begin: Int64)] = []
    outcomes.bind(1, match)
    while try outcomes.step() { rows.append((outcomes.number(0), outcomes.number(1))) }
    outcomes.reset()
    for row in rows {
      guard let end = try end(of: row.id, before: cutoff.map { $0 - row.begin }) else { continue }
      try delete.bind(1, row.id).bind(2, end).bind(3, Int64(left)).run()
      left -= database.changes
      if left <= 0 { return false }
    }
    left -= rows.count + 1
    return true
  }

  /// Returns the time of the change that is in force at a cutoff; nil if there is none.
  private func end(of outcome: Int64, before cutoff: Int64?) throws(HistoryError) -> Int64? {
    guard let cutoff else { return .max }
    return try inForce.bind(1, outcome).bind(2, cutoff).single()
  }
}
