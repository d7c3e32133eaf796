import Algorithms
import OddsModel

/// The rows of a channel: all loaded rows, and the order of those shown.
///
/// A row is changed in its slot, at a cost independent of the number of rows. A change of its rank or visibility is
/// pending until `applyMoves()`; until then the order is based on the old keys.
struct RowList: Sendable {
  private(set) var order: RowOrder
  private(set) var pinned: Set<MatchID>
  /// The predicate of the rows to show; nil if all are shown.
  private(set) var predicate: (@Sendable (MatchRow) -> Bool)?

  private var rows: [MatchRow] = []
  /// The versions of the rows, parallel to `rows`. Each change of a row gives it a number that no row has had before.
  private var versions: [UInt64] = []
  private var lastVersion: UInt64 = 0
  /// The sort entries, parallel to `rows`.
  private var entries: [SortEntry] = []
  /// The slot of each match, by raw id.
  private var slots: [UInt64: Int] = [:]
  /// The indices of unused slots in `rows`.
  private var free: [Int] = []
  /// The shown rows, as indices of `rows`, ordered by their keys.
  private var shown: [Int32] = []
  /// The slots that may have to move. An entry whose slot is not marked dirty is out of date: its row was removed, or
  /// its slot reused.
  private var dirty: [Int] = []
  /// The number of rows of each sport.
  private var sports: [SportID: Int] = [:]
  /// True if a row has had prices to lay.
  private(set) var hasSides = false
  /// The latest change that the feed has reported, in milliseconds since 1970 by its clock.
  private var newestChange: Int64?
  /// The odds format.
  private(set) var format: OddsFormat

  init(
    order: RowOrder = RowOrder(), odds format: OddsFormat = .decimal, pinned: Set<MatchID> = [],
    predicate: (@Sendable (MatchRow) -> Bool)? = nil
  ) {
    (self.order, self.format, self.pinned, self.predicate) = (order, format, pinned, predicate)
  }

  /// The number of shown rows.
  var count: Int { shown.count }

  /// The number of rows, shown or not.
  var total: Int { slots.count }

  /// True if the rows, shown or not, are of different sports.
  var mixesSports: Bool { sports.count > 1 }

  /// The shown row at a position.
  subscript(_ position: Int) -> MatchRow {
    _read { yield rows[Int(shown[position])] }
  }

  /// Calls `body` with the shown row at a position.
  @inline(__always)
  func withRow<Result>(at position: Int, _ body: (borrowing MatchRow) -> Result) -> Result {
    read(Int(shown[position]), body)
  }

  /// Returns the version of the shown row at a position. Rows with equal versions are equal.
  func version(at position: Int) -> UInt64 { versions[Int(shown[position])] }

  /// Changes a row.
  private mutating func change(_ slot: Int, _ body: (inout MatchRow) -> Void) {
    lastVersion += 1
    versions[slot] = lastVersion
    body(&rows[slot])
  }

  // NB: The row is read in place. The compiler copies a row that it passes to a call, which costs more than most reads,
  // so `body` and what it calls for each row are inlined.
  @inline(__always)
  private func read<Result>(_ slot: Int, _ body: (borrowing MatchRow) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body($0[slot]) }
  }

  private func currentKey(_ slot: Int) -> SortKey {
    read(slot) { order.key(of: $0, entries[slot].newName, isPinned: entries[slot].newKey.isPinned) }
  }

  /// The rows, shown or not, in no particular order.
  var all: some Sequence<MatchRow> { slots.values.lazy.map { rows[$0] } }

  /// Returns the position of a match's row; nil if it is not shown.
  func position(of id: MatchID) -> Int? {
    guard let slot = slots[id.raw], entries[slot].isShown else { return nil }
    return lowerBound(slot)
  }

  /// The number of shown rows that are pinned. They come first.
  var pinnedCount: Int {
    if pinned.isEmpty { return 0 }
    return partition(0) { entries[$0].key.isPinned }
  }

  /// Applies the timed changes of the rows at a range of positions. Returns the uptime of the next one.
  mutating func expire(_ positions: Range<Int>, now: Duration) -> Duration? {
    var next: Duration?
    for position in positions {
      let slot = Int(shown[position])
      if let expiry = rows[slot].expiry, expiry <= now { change(slot) { $0.expire(now: now) } }
      if let expiry = rows[slot].expiry { next = min(next ?? expiry, expiry) }
    }
    return next
  }

  /// Changes the odds format and ends all highlights.
  mutating func write(_ format: OddsFormat, now: Duration) {
    self.format = format
    for slot in slots.values { change(slot) { $0.clearFlashes(now: now) } }
  }

  /// Applies the current state of matches: inserts new rows, and highlights moved prices in known ones. Prices are
  /// recorded for `second`, by default the second of uptime.
  mutating func update(_ matches: [Match], now: Duration, second: Int? = nil) {
    for match in matches {
      if let change = match.lastChange { newestChange = max(newestChange ?? change, change) }
    }
    var fresh: [Int] = []
    var movesAtOnce = false
    for match in matches {
      if match.mainMarket?.exchange != nil { hasSides = true }
      if let slot = slots[match.id.raw] {
        let sport = read(slot) { $0.sportID }
        if sport != match.sportID { count(match.sportID, replacing: sport) }
        let isRenamed = order.key == .name && match.labels !== rows[slot].labels
        let (newest, format) = (newestChange, format)
        change(slot) { $0.apply(match, now: now, newest: newest, odds: format, second: second) }
        if isRenamed { entries[slot].newName = read(slot) { order.name(of: $0) } }
        entries[slot].newKey = currentKey(slot)
        entries[slot].isMatch = predicate?(rows[slot]) ?? true
        if !entries[slot].isSettled {
          markDirty(slot)
          if !entries[slot].isSettledButForClock { movesAtOnce = true }
        }
      } else {
        count(match.sportID, replacing: nil)
        fresh.append(add(MatchRow(match, now: now, newest: newestChange, second: second)))
      }
    }
    place(fresh)
    // Applied at once in time order: start times seldom change, and a row that begins to fit has a fixed rank there.
    // Match clocks change each minute, one after the other, so their moves wait as in any other order.
    if order.key == .time, movesAtOnce { applyMoves() }
  }

  /// Removes the prices recorded after a second, and all trends: trends do not contain the time of a price.
  mutating func rewind(to second: Int) {
    for slot in slots.values {
      change(slot) { row in
        row.recent.rewind(to: second)
        row.trend = PriceTrend()
      }
    }
  }

  mutating func remove(_ id: MatchID) {
    guard let slot = slots.removeValue(forKey: id.raw) else { return }
    count(nil, replacing: rows[slot].sportID)
    lift(slot)
    entries[slot].isDirty = false
    free.append(slot)
  }

  /// Counts a row of a sport instead of one of another.
  private mutating func count(_ sport: SportID?, replacing old: SportID?) {
    if let sport { sports[sport, default: 0] += 1 }
    guard let old, let count = sports[old] else { return }
    sports[old] = count > 1 ? count - 1 : nil
  }

  private mutating func add(_ row: MatchRow) -> Int {
    let name = order.name(of: row)
    let key = order.key(of: row, name, isPinned: pinned.contains(row.id))
    let entry = SortEntry(key, name, isMatch: predicate?(row) ?? true)
    let slot = free.popLast() ?? rows.count
    slots[row.id.raw] = slot
    lastVersion += 1
    if slot < rows.count {
      (rows[slot], versions[slot], entries[slot]) = (row, lastVersion, entry)
    } else {
      rows.append(row)
      versions.append(lastVersion)
      entries.append(entry)
    }
    return slot
  }
}

extension RowList {
  /// True if changed rows may have to move, appear or disappear.
  var isUnsettled: Bool { !dirty.isEmpty }

  /// Moves the rows whose keys have changed, and shows or removes those whose visibility has changed.
  mutating func applyMoves() {
    if dirty.isEmpty { return }
    var moving: [Int] = []
    // NB: A slot that was freed and reused can be in `dirty` twice.
    for slot in dirty where entries[slot].isDirty {
      entries[slot].isDirty = false
      moving.append(slot)
    }
    dirty.removeAll(keepingCapacity: true)
    if moving.count > 8 {
      for slot in moving { entries[slot].isShown = false }
      shown.removeAll { !entries[Int($0)].isShown }
    }
    for slot in moving {
      lift(slot)
      entries[slot].move()
    }
    place(moving)
  }

  /// Sorts all rows.
  mutating func sort(by order: RowOrder) {
    self.order = order
    shown.removeAll(keepingCapacity: true)
    for slot in dirty { entries[slot].isDirty = false }
    dirty.removeAll(keepingCapacity: true)
    for slot in slots.values {
      entries[slot].newName = read(slot) { order.name(of: $0) }
      entries[slot].newKey = currentKey(slot)
      entries[slot].move()
      entries[slot].isShown = false
    }
    place(Array(slots.values))
  }

  /// Shows only the rows that match a predicate, or all rows.
  mutating func show(only predicate: (@Sendable (MatchRow) -> Bool)?) {
    self.predicate = predicate
    for slot in slots.values {
      entries[slot].isMatch = predicate?(rows[slot]) ?? true
      if !entries[slot].isSettled { markDirty(slot) }
    }
    applyMoves()
  }

  /// Pins or releases a match. Only its own row moves.
  mutating func pin(_ id: MatchID, _ isPinned: Bool) {
    if isPinned { pinned.insert(id) } else { pinned.remove(id) }
    guard let slot = slots[id.raw] else { return }
    lift(slot)
    (entries[slot].key.isPinned, entries[slot].newKey.isPinned) = (isPinned, isPinned)
    place([slot])
  }

  /// An empty list with the same order, format, pins and predicate.
  var emptied: RowList {
    var list = RowList(order: order, odds: format, pinned: pinned, predicate: predicate)
    list.lastVersion = lastVersion
    return list
  }

  private mutating func markDirty(_ slot: Int) {
    if entries[slot].isDirty { return }
    entries[slot].isDirty = true
    dirty.append(slot)
  }

  /// Removes a row from the order.
  private mutating func lift(_ slot: Int) {
    guard entries[slot].isShown else { return }
    shown.remove(at: lowerBound(slot))
    entries[slot].isShown = false
  }

  /// Inserts rows that are not in the order, as far as they fit the predicate.
  private mutating func place(_ news: [Int]) {
    if news.isEmpty { return }
    var sorted: [(key: SortKey, slot: Int32)] = []
    sorted.reserveCapacity(news.count)
    for slot in news where entries[slot].isMatch {
      entries[slot].isShown = true
      sorted.append((entries[slot].key, Int32(slot)))
    }
    sorted.sort { left, right in
      order.precedes(left.key, right.key) { (entries[Int(left.slot)].name, entries[Int(right.slot)].name) }
    }
    if shown.isEmpty {
      shown = sorted.map { $0.slot }
      return
    }
    var merged: [Int32] = []
    merged.reserveCapacity(shown.count + sorted.count)
    var from = 0
    for (_, slot) in sorted {
      let end = lowerBound(Int(slot), from: from)
      merged += shown[from..<end]
      merged.append(slot)
      from = end
    }
    merged += shown[from...]
    shown = merged
  }

  /// Returns the position at which a row is, or would be inserted.
  private func lowerBound(_ slot: Int, from first: Int = 0) -> Int {
    partition(first) { other in
      order.precedes(entries[other].key, entries[slot].key) { (entries[other].name, entries[slot].name) }
    }
  }

  /// Returns the first position for which `holds` is false. `holds` must be true for all positions before it and false
  /// for all after it.
  private func partition(_ first: Int, where holds: (Int) -> Bool) -> Int {
    shown[first...].partitioningIndex { !holds(Int($0)) }
  }
}
