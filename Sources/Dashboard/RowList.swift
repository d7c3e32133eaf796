import OddsFeed

/// The rows of a channel in the board's order.
struct RowList: Sendable {
  private var rows: [MatchRow] = []
  /// By what each row is sorted: with it a row is found by its id.
  private var starts: [MatchID: Int64] = [:]
  /// The latest change that the feed has told of, in milliseconds since 1970 by its clock.
  private var newestChange: Int64?
  /// How prices are written.
  private(set) var format: OddsFormat

  init(odds format: OddsFormat) { self.format = format }

  var count: Int { rows.count }

  subscript(_ position: Int) -> MatchRow {
    _read { yield rows[position] }
  }

  func position(of id: MatchID) -> Int? { starts[id].map { lowerBound($0, id) } }

  /// Lets the rows at those positions change that change by themselves; returns when the next one will.
  mutating func expire(_ positions: Range<Int>, at now: Duration) -> Duration? {
    var next: Duration?
    for position in positions {
      if let expiry = rows[position].expiry, expiry <= now { rows[position].expire(at: now) }
      if let expiry = rows[position].expiry { next = min(next ?? expiry, expiry) }
    }
    return next
  }

  /// Has prices written otherwise.
  mutating func write(_ format: OddsFormat, at now: Duration) {
    self.format = format
    for position in rows.indices { rows[position].darken(at: now) }
  }

  /// Takes matches as they are now: new rows in their place, known ones with highlights where prices moved.
  mutating func update(_ matches: [Match], at now: Duration) {
    for match in matches {
      if let change = match.lastChange { newestChange = max(newestChange ?? change, change) }
    }
    var fresh: [MatchRow] = []
    for match in matches {
      let start = match.startTime ?? .max
      guard let known = starts.updateValue(start, forKey: match.id) else {
        fresh.append(MatchRow(match, replacing: nil, at: now, newest: newestChange, odds: format))
        continue
      }
      let position = lowerBound(known, match.id)
      let row = MatchRow(match, replacing: rows[position], at: now, newest: newestChange, odds: format)
      if known == start {
        rows[position] = row
      } else {
        rows.remove(at: position)
        fresh.append(row)
      }
    }
    insert(fresh)
  }

  mutating func remove(_ id: MatchID) {
    guard let start = starts.removeValue(forKey: id) else { return }
    rows.remove(at: lowerBound(start, id))
  }

  /// One by one where there are few; a dump is sorted once.
  private mutating func insert(_ fresh: [MatchRow]) {
    guard fresh.count > 8 else {
      for row in fresh { rows.insert(row, at: lowerBound(row.start, row.id)) }
      return
    }
    rows.append(contentsOf: fresh)
    rows.sort { ($0.start, $0.id) < ($1.start, $1.id) }
  }

  private func lowerBound(_ start: Int64, _ id: MatchID) -> Int {
    var (low, high) = (0, rows.count)
    while low < high {
      let middle = (low + high) / 2
      if (rows[middle].start, rows[middle].id) < (start, id) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}

extension MatchRow {
  /// Matches without a start time come last.
  fileprivate var start: Int64 { startTime ?? .max }

  /// What the row says in a channel whose prices can be trusted so far.
  func line(isSelected: Bool, in channel: Staleness.Grade) -> MatchLine {
    let odds = MatchLine.Odds(first: prices.first.odds, middle: prices.middle.odds, last: prices.last.odds)
    return MatchLine(
      id: id, revision: revision, isSelected: isSelected, isTrusted: channel.isTrusted && own.isTrusted, odds: odds)
  }
}
