import OddsFeed

/// The rows of a channel in the board's order.
struct RowList: Sendable {
  private var rows: [MatchID: MatchRow] = [:]
  private var order: [Place] = []
  /// The latest change that the feed has told of, in milliseconds since 1970 by its clock.
  private var newestChange: Int64?

  private struct Place: Comparable, Sendable {
    let startTime: Int64
    let id: MatchID

    static func < (left: Place, right: Place) -> Bool { (left.startTime, left.id) < (right.startTime, right.id) }
  }

  var count: Int { order.count }

  subscript(_ position: Int) -> MatchRow { rows[order[position].id]! }

  subscript(_ id: MatchID) -> MatchRow? { rows[id] }

  func line(_ position: Int, isSelected: Bool) -> MatchLine {
    let row = self[position]
    let odds = MatchLine.Odds(
      first: row.prices.first.odds, middle: row.prices.middle.odds, last: row.prices.last.odds)
    return MatchLine(id: row.id, revision: row.revision, isSelected: isSelected, odds: odds)
  }

  /// Lets the rows at those positions change that change by themselves; returns when the next one will.
  mutating func expire(_ positions: Range<Int>, at now: Duration) -> Duration? {
    var next: Duration?
    for place in order[positions] {
      guard var expiry = rows[place.id]!.expiry else { continue }
      if expiry <= now {
        rows[place.id]!.expire(at: now)
        guard let later = rows[place.id]!.expiry else { continue }
        expiry = later
      }
      next = min(next ?? expiry, expiry)
    }
    return next
  }

  func position(of id: MatchID) -> Int? {
    guard let row = rows[id] else { return nil }
    let at = lowerBound(Self.place(row))
    return at < order.count && order[at].id == id ? at : nil
  }

  /// Takes matches as they are now: new rows in their place, known ones with highlights where prices moved.
  mutating func update(_ matches: [Match], at now: Duration) {
    var fresh: [Place] = []
    for match in matches {
      if let change = match.lastChange { newestChange = max(newestChange ?? change, change) }
    }
    for match in matches {
      let old = rows[match.id]
      let row = MatchRow(match, replacing: old, at: now, newest: newestChange)
      rows[match.id] = row
      if let old, old.startTime == row.startTime { continue }
      if let old { order.remove(at: lowerBound(Self.place(old))) }
      fresh.append(Self.place(row))
    }
    if fresh.count > 8 {
      order.append(contentsOf: fresh)
      order.sort()
    } else {
      for place in fresh { order.insert(place, at: lowerBound(place)) }
    }
  }

  mutating func remove(_ id: MatchID) {
    guard let row = rows.removeValue(forKey: id) else { return }
    order.remove(at: lowerBound(Self.place(row)))
  }

  private static func place(_ row: MatchRow) -> Place { Place(startTime: row.startTime ?? .max, id: row.id) }

  private func lowerBound(_ place: Place) -> Int {
    var (low, high) = (0, order.count)
    while low < high {
      let middle = (low + high) / 2
      if order[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
