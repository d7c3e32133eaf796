import OddsModel
import Platform

/// A writer of a history file. Each batch is one transaction, and the time up to which the history is complete is part
/// of it. Not thread-safe. All calls block on the disk.
package final class HistoryWriter {
  private struct OutcomeRow {
    let id: Int64
    let market: Int64
    /// The time from which the times of the outcome's changes count.
    let begin: Int64
    /// The time from which on a price is no opening price, in milliseconds since `begin`. Nil without one.
    var openingTime: Int64?
  }

  private struct MatchRow {
    let id: Int64
    /// The time at which the match was seen last, in milliseconds since 1970.
    let lastSeen: Int64
  }

  private struct MarketRow {
    let id: Int64
    /// False if the file has a later state of the match.
    let isNewest: Bool
    /// The begin of the open span.
    let begin: Int64
    var outcomes: [OutcomeID: OutcomeRow] = [:]
  }

  /// The time after its last batch for which another writer counts as at work, in milliseconds.
  static let neighbourTimeout: Int64 = 30_000
  /// The interval at which the matches that are carried are marked as seen, in milliseconds. Less than the time that
  /// `HistoryPruner` keeps in any case.
  private static let seenInterval: Int64 = 300_000

  /// A price that is not written yet.
  private struct PendingPrice {
    let key: OutcomeKey
    let row: OutcomeRow
    let price: RecordedPrice
    let time: Int64
    let isFirst: Bool
  }

  let database: Database
  private let feed: String
  private let statements: HistoryStatements
  /// The row of the run; nil before the first batch.
  private(set) var run: Int64?
  private var matches: [MatchID: MatchRow] = [:]
  private var markets: [MarketKey: MarketRow] = [:]
  /// The prices of the batch, in the order of the entries.
  private var pending: [PendingPrice] = []
  /// True if another writer has written within `neighbourTimeout`, so that a change may be in the file already.
  private var isShared = false
  /// True if the changes may be earlier than those of the file. Changes that the file has are left out, as while
  /// another writer is at work, and a later state of the file stays.
  private let isImport: Bool
  private let importLock: ImportLock?
  /// The time before which changes are counted as old, in milliseconds since 1970.
  private let oldTime: Int64
  /// The time at which the matches were last marked as seen, in milliseconds since 1970.
  private var lastSeen: Int64 = 0
  /// True to keep the opening prices that the file has until `drainOpenings()`.
  var keepsOpenings = false
  private var openings = OpeningBatch()
  /// The number of changes of prices that were written.
  package private(set) var changes = 0
  /// The number of those that are old.
  private(set) var oldChanges = 0

  /// Opens a file for the changes of one feed. Reads the whole file first if it may be damaged.
  ///
  /// - Parameters:
  ///   - feed: The name of the feed. Ids of matches are unique within a feed.
  ///   - now: The time in milliseconds since 1970.
  ///   - defersCheck: True if a check that is due because of the time can follow later: see `Database.isCheckDue`.
  ///   - isImport: True if the changes may be earlier than those of the file. No process removes old changes meanwhile.
  ///   - oldTime: The time before which changes are counted as old.
  package init(
    _ file: HistoryFile, feed: String, now: Int64 = ClientClock.wallTime(), defersCheck: Bool = false,
    isImport: Bool = false, oldTime: Int64 = .min
  ) throws(HistoryError) {
    self.feed = feed
    self.isImport = isImport
    self.oldTime = oldTime
    database = try file.openForWriting(now: now, defersCheck: defersCheck)
    importLock = isImport ? try ImportLock.shared(file.path) : nil
    statements = try HistoryStatements(database)
  }

  /// Writes a batch. The history is complete up to `time`, in milliseconds since 1970.
  ///
  /// - Throws: `HistoryError`. Nothing of the batch is written then, and the writer must not be used any more.
  package func write(_ entries: [HistoryEntry], completeUpTo time: Int64) throws(HistoryError) {
    try database.transaction { () throws(HistoryError) in
      let run: Int64
      if let known = self.run { run = known } else { run = try statements.newRun(at: time) }
      self.run = run
      isShared = try statements.hasOthers(than: run, since: time - Self.neighbourTimeout)
      pending.removeAll(keepingCapacity: true)
      for entry in entries { try write(entry, run) }
      try writePending(run)
      if time - lastSeen >= Self.seenInterval {
        for row in matches.values { try statements.seen(row.id, at: time) }
        lastSeen = time
      }
      try statements.beat(run, at: time)
    }
  }

  private func write(_ entry: HistoryEntry, _ run: Int64) throws(HistoryError) {
    switch entry {
    case .match(let match, let time):
      let row = try statements.match(match, feed: feed, time: time, isImport: isImport)
      matches[match.id] = MatchRow(id: row.id, lastSeen: row.lastSeen)
      try statements.event(match, row.id, time: time)
    case .begin(let key, let market, let time): try begin(key, market, run, at: time)
    case .end(let key, let time):
      guard let row = markets.removeValue(forKey: key) else { return }
      try statements.end(row.id, begunAt: row.begin, run: run, at: time)
    case .gone(let id, let time):
      if keepsOpenings { openings.gone.append(id) }
      guard let row = matches.removeValue(forKey: id) else { return }
      try statements.seen(row.id, at: time)
    case .outcome(let key, let outcome, let time):
      guard let market = markets[key.market] else { return }
      // The row has the opening price only when the earlier prices are written.
      try writePending(run)
      let row = try statements.outcome(outcome, ofMarket: market.id, time: time, isNewest: market.isNewest)
      var openingTime: Int64?
      if row.opening != nil { openingTime = isImport ? try statements.openingTime(of: row.id) : .min }
      markets[key.market]?.outcomes[key.outcome] = OutcomeRow(
        id: row.id, market: market.id, begin: row.begin, openingTime: openingTime)
      if keepsOpenings, let opening = row.opening {
        openings.prices.append(
          OpeningBatch.Price(
            match: key.market.match, market: key.market.market, outcome: key.outcome,
            odds: DecimalOdds(thousandths: opening)))
      }
    case .price(let key, let price, let time, let isFirst):
      guard let row = markets[key.market]?.outcomes[key.outcome] else { return }
      pending.append(PendingPrice(key: key, row: row, price: price, time: time, isFirst: isFirst))
    }
  }

  /// Writes the prices of one outcome after those of another, so that each page of the file is looked up once.
  private func writePending(_ run: Int64) throws(HistoryError) {
    if pending.isEmpty { return }
    // NB: The order of the prices of an outcome stays: of two at the same time, the last counts.
    for index in pending.indices.sorted(by: { (pending[$0].row.id, $0) < (pending[$1].row.id, $1) }) {
      try write(pending[index], run)
    }
    pending.removeAll(keepingCapacity: true)
  }

  private func begin(_ key: MarketKey, _ market: Market, _ run: Int64, at time: Int64) throws(HistoryError) {
    guard let match = matches[key.match] else { return }
    let isNewest = !isImport || time >= match.lastSeen
    let id = try statements.market(market, ofMatch: match.id, isNewest: isNewest)
    if markets[key] != nil { return }
    markets[key] = MarketRow(id: id, isNewest: isNewest, begin: time)
    try statements.begin(id, run: run, at: time)
    // The price that an outcome had in an earlier span does not count if the market does not have the outcome any more.
    for row in try statements.outcomes(ofMarket: id) where !market.outcomes.contains(where: { $0.id == row.outcome }) {
      pending.append(
        PendingPrice(
          key: OutcomeKey(market: key, outcome: row.outcome),
          row: OutcomeRow(id: row.id, market: id, begin: row.begin, openingTime: .min), price: .none, time: time,
          isFirst: true))
    }
  }

  private func write(_ one: PendingPrice, _ run: Int64) throws(HistoryError) {
    let (row, price) = (one.row, one.price)
    let time = one.time - row.begin
    if one.isFirst || isShared || isImport {
      // An outcome that never had a price needs no row.
      let last = try statements.last(of: row.id, at: time) ?? .none
      if last.thousandths == price.thousandths, last.isBettable == price.isBettable { return }
      if isImport {
        try statements.restore(last, of: row.id, begin: row.begin, after: time, in: row.market, besides: run)
      }
    }
    try statements.insert(price, of: row.id, at: time)
    changes += 1
    if one.time < oldTime { oldChanges += 1 }
    if price.isTraded { return }
    guard let opening = price.thousandths else { return }
    if let openingTime = row.openingTime, time >= openingTime { return }
    try statements.opening(opening, of: row.id, at: time)
    markets[one.key.market]?.outcomes[one.key.outcome]?.openingTime = isImport ? time : .min
  }

  /// Returns the opening prices that the last batches have found in the file, and the matches that they have ended.
  func drainOpenings() -> OpeningBatch {
    defer { openings = OpeningBatch() }
    return openings
  }

  /// Returns the latest time up to which the history is complete for any feed, in milliseconds since 1970. Nil for an
  /// empty file.
  func end() throws(HistoryError) -> Int64? { try database.integer("SELECT max(last) FROM run") }

  /// Returns the size of the file in bytes, without its log and without free pages.
  func size() throws(HistoryError) -> Int64 { try database.usedSize() }

  /// Marks the prices of all markets as unknown from a time on.
  func finish(at time: Int64) throws(HistoryError) {
    let entries = markets.keys.map { HistoryEntry.end($0, time: time) } + matches.keys.map { .gone($0, time: time) }
    try write(entries, completeUpTo: time)
  }
}
