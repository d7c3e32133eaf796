import OddsFeed

/// The rows of a channel: all that are loaded, and in order those that are shown.
///
/// A row changes where it lies, which costs nothing in the number of rows. Where it is to stand elsewhere, or not to be
/// shown any more, that waits for `applyMoves()`: until then the order is that of the rows as they were.
struct RowList: Sendable {
  private(set) var order: RowOrder
  private(set) var pinned: Set<MatchID>
  /// Which rows are shown; nil where all are.
  private(set) var fits: (@Sendable (MatchRow) -> Bool)?

  private var rows: [MatchRow] = []
  /// Beside each of `rows`.
  private var places: [SortEntry] = []
  private var slots: [MatchID: Int] = [:]
  /// Places of `rows` that a row has left.
  private var free: [Int] = []
  /// The rows that are shown, as places of `rows`, in the order of their keys.
  private var shown: [Int32] = []
  /// Rows that may have to stand elsewhere; one that has gone, or come back, is not so marked.
  private var dirty: [Int] = []
  /// The latest change that the feed has told of, in milliseconds since 1970 by its clock.
  private var newestChange: Int64?
  /// How prices are written.
  private(set) var format: OddsFormat

  init(
    order: RowOrder = RowOrder(), odds format: OddsFormat = .decimal, pinned: Set<MatchID> = [],
    fits: (@Sendable (MatchRow) -> Bool)? = nil
  ) {
    (self.order, self.format, self.pinned, self.fits) = (order, format, pinned, fits)
  }

  /// How many rows are shown.
  var count: Int { shown.count }

  /// How many rows there are, shown or not.
  var total: Int { slots.count }

  /// The row shown at a position.
  subscript(_ position: Int) -> MatchRow {
    _read { yield rows[Int(shown[position])] }
  }

  /// The row of a match, shown or not.
  subscript(id id: MatchID) -> MatchRow? { slots[id].map { rows[$0] } }

  /// Every row, shown or not, in no order.
  var all: some Sequence<MatchRow> { slots.values.lazy.map { rows[$0] } }

  /// Where a match's row is shown.
  func position(of id: MatchID) -> Int? {
    guard let slot = slots[id], places[slot].isShown else { return nil }
    return lowerBound(slot)
  }

  /// How many of the rows shown are pinned: they come first.
  var pinnedCount: Int {
    if pinned.isEmpty { return 0 }
    return partition(0) { places[$0].key.isPinned }
  }

  /// Lets the rows at those positions change that change by themselves; returns when the next one will.
  mutating func expire(_ positions: Range<Int>, at now: Duration) -> Duration? {
    var next: Duration?
    for position in positions {
      let slot = Int(shown[position])
      if let expiry = rows[slot].expiry, expiry <= now { rows[slot].expire(at: now) }
      if let expiry = rows[slot].expiry { next = min(next ?? expiry, expiry) }
    }
    return next
  }

  /// Has prices written otherwise.
  mutating func write(_ format: OddsFormat, at now: Duration) {
    self.format = format
    for slot in slots.values { rows[slot].clearFlashes(at: now) }
  }

  /// Takes matches as they are now: new rows in their place, known ones with highlights where prices moved. Their prices
  /// are remembered by the second, by default that of uptime.
  mutating func update(_ matches: [Match], at now: Duration, second: Int? = nil) {
    for match in matches {
      if let change = match.lastChange { newestChange = max(newestChange ?? change, change) }
    }
    var fresh: [Int] = []
    for match in matches {
      if let slot = slots[match.id] {
        let isRenamed = order.key == .name && match.labels !== rows[slot].labels
        rows[slot].take(match, at: now, newest: newestChange, odds: format, second: second)
        if isRenamed { places[slot].newName = order.name(of: rows[slot]) }
        places[slot].newKey = order.key(of: rows[slot], places[slot].newName, isPinned: places[slot].newKey.isPinned)
        places[slot].fits = fits?(rows[slot]) ?? true
        if !places[slot].isSettled { markDirty(slot) }
      } else {
        fresh.append(add(MatchRow(match, at: now, newest: newestChange, second: second)))
      }
    }
    place(fresh)
    // A start time seldom changes, and nothing else does in this order; a row that begins to fit has a place there.
    if order.key == .time { applyMoves() }
  }

  /// Forgets what prices were after a second, and the trends: they do not tell when a price moved.
  mutating func rewind(to second: Int) {
    for slot in slots.values {
      rows[slot].recent.rewind(to: second)
      rows[slot].trend = PriceTrend()
    }
  }

  mutating func remove(_ id: MatchID) {
    guard let slot = slots.removeValue(forKey: id) else { return }
    lift(slot)
    places[slot].isDirty = false
    free.append(slot)
  }

  private mutating func add(_ row: MatchRow) -> Int {
    let name = order.name(of: row)
    let key = order.key(of: row, name, isPinned: pinned.contains(row.id))
    let place = SortEntry(key, name, fits: fits?(row) ?? true)
    let slot = free.popLast() ?? rows.count
    slots[row.id] = slot
    if slot < rows.count {
      (rows[slot], places[slot]) = (row, place)
    } else {
      rows.append(row)
      places.append(place)
    }
    return slot
  }
}

// MARK: The order

extension RowList {
  /// True where rows have changed so that they would stand elsewhere, or not be shown.
  var isUnsettled: Bool { !dirty.isEmpty }

  /// Puts rows that have changed in their places.
  mutating func applyMoves() {
    if dirty.isEmpty { return }
    var moving: [Int] = []
    // NB: a place that was left and taken again may be there twice.
    for slot in dirty where places[slot].isDirty {
      places[slot].isDirty = false
      moving.append(slot)
    }
    dirty.removeAll(keepingCapacity: true)
    if moving.count > 8 {
      for slot in moving { places[slot].isShown = false }
      shown.removeAll { !places[Int($0)].isShown }
    }
    for slot in moving {
      lift(slot)
      (places[slot].key, places[slot].name) = (places[slot].newKey, places[slot].newName)
    }
    place(moving)
  }

  /// Sorts all rows.
  mutating func sort(by order: RowOrder) {
    self.order = order
    shown.removeAll(keepingCapacity: true)
    for slot in slots.values {
      places[slot].newName = order.name(of: rows[slot])
      places[slot].newKey = order.key(of: rows[slot], places[slot].newName, isPinned: places[slot].newKey.isPinned)
      places[slot].isShown = false
      markDirty(slot)
    }
    applyMoves()
  }

  /// Shows only rows that fit, or all.
  mutating func show(only fits: (@Sendable (MatchRow) -> Bool)?) {
    self.fits = fits
    for slot in slots.values {
      places[slot].fits = fits?(rows[slot]) ?? true
      if !places[slot].isSettled { markDirty(slot) }
    }
    applyMoves()
  }

  /// Pins a match, or no longer; its row alone goes to its place.
  mutating func pin(_ id: MatchID, _ isPinned: Bool) {
    if isPinned { pinned.insert(id) } else { pinned.remove(id) }
    guard let slot = slots[id] else { return }
    lift(slot)
    (places[slot].key.isPinned, places[slot].newKey.isPinned) = (isPinned, isPinned)
    place([slot])
  }

  /// No rows, in the same order and of the same kind.
  var emptied: RowList { RowList(order: order, odds: format, pinned: pinned, fits: fits) }

  private mutating func markDirty(_ slot: Int) {
    if places[slot].isDirty { return }
    places[slot].isDirty = true
    dirty.append(slot)
  }

  /// Takes a row out of the order.
  private mutating func lift(_ slot: Int) {
    guard places[slot].isShown else { return }
    shown.remove(at: lowerBound(slot))
    places[slot].isShown = false
  }

  /// Puts rows that are not in the order there, those that fit.
  private mutating func place(_ news: [Int]) {
    if news.isEmpty { return }
    var sorted: [(key: SortKey, slot: Int)] = []
    sorted.reserveCapacity(news.count)
    for slot in news where places[slot].fits { sorted.append((places[slot].key, slot)) }
    sorted.sort { left, right in
      order.precedes(left.key, right.key) { (places[left.slot].name, places[right.slot].name) }
    }
    var merged: [Int32] = []
    merged.reserveCapacity(shown.count + sorted.count)
    var from = 0
    for (_, slot) in sorted {
      places[slot].isShown = true
      let end = lowerBound(slot, from: from)
      merged += shown[from..<end]
      merged.append(Int32(slot))
      from = end
    }
    merged += shown[from...]
    shown = merged
  }

  /// Where a row stands, or would stand.
  private func lowerBound(_ slot: Int, from first: Int = 0) -> Int {
    partition(first) { other in
      order.precedes(places[other].key, places[slot].key) { (places[other].name, places[slot].name) }
    }
  }

  /// The first position of which that does not hold; it holds for all before and none after.
  private func partition(_ first: Int, where holds: (Int) -> Bool) -> Int {
    var (low, high) = (first, shown.count)
    while low < high {
      let middle = (low + high) / 2
      if holds(Int(shown[middle])) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
