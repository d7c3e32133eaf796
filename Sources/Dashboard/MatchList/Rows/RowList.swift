import OddsHistory
import OddsModel

/// The rows of a channel: all loaded rows, and the order of those shown.
///
/// A row is changed in its slot, at a cost independent of the number of rows. A change of its rank or visibility is
/// pending until `applyMoves()`; until then the order is based on the old keys.
struct RowList: Sendable {
  var order: RowOrder
  /// The method of the fair prices, which an order by them uses.
  var marginMethod: MarginMethod
  var pinned: Set<MatchID>
  /// The predicate of the rows to show; nil if all are shown.
  var predicate: (@Sendable (MatchRow) -> Bool)?

  private(set) var rows: [MatchRow] = []
  /// The versions of the rows, parallel to `rows`. Each change of a row gives it a number that no row has had before.
  private var versions: [UInt64] = []
  var lastVersion: UInt64 = 0
  /// The uptimes at which the rows change by themselves, in nanoseconds, parallel to `rows`: scanned for each frame.
  private var expiries: [Int64] = []
  /// The sort entries, parallel to `rows`.
  var entries: [SortEntry] = []
  /// The slot of each match, by raw id.
  var slots: [UInt64: Int] = [:]
  /// The indices of unused slots in `rows`.
  private var free: [Int] = []
  /// The shown rows, as indices of `rows`, ordered by their keys.
  var shown: [Int32] = []
  /// The slots that may have to move. An entry whose slot is not marked dirty is out of date: its row was removed, or
  /// its slot reused.
  var dirty: [Int] = []
  /// The number of rows of each sport.
  private var sports: [SportID: Int] = [:]
  /// True if a row has had prices to lay.
  var hasSides = false
  /// The latest change that the feed has reported, in milliseconds since 1970 by its clock.
  var newestChange: Int64?
  /// The odds format.
  private(set) var format: OddsFormat
  /// The recent prices of the favourites; nil while neither a column nor the order shows their changes.
  var favouriteMoves: FavouriteMoves?
  /// The recorded opening prices of the matches that a channel carries.
  var openings: [MatchID: RecordedOpenings] = [:]
  /// The groups; nil without grouping.
  var groups: RowGroups?
  var folds = GroupFolds()

  init(
    order: RowOrder = RowOrder(), _ method: MarginMethod = .proportional, odds format: OddsFormat = .decimal,
    pinned: Set<MatchID> = [], predicate: (@Sendable (MatchRow) -> Bool)? = nil
  ) {
    self.order = order
    marginMethod = method
    self.format = format
    self.pinned = pinned
    self.predicate = predicate
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
  mutating func change(_ slot: Int, _ body: (inout MatchRow) -> Void) {
    lastVersion += 1
    versions[slot] = lastVersion
    body(&rows[slot])
    expiries[slot] = read(slot) { $0.expiry?.nanosecondsRoundedUp ?? .max }
  }

  // NB: The row is read in place. The compiler copies a row that it passes to a call, which costs more than most reads,
  // so `body` and what it calls for each row are inlined.
  @inline(__always)
  func read<Result>(_ slot: Int, _ body: (borrowing MatchRow) -> Result) -> Result {
    rows.withUnsafeBufferPointer { body($0[slot]) }
  }

  func currentKey(_ slot: Int) -> SortKey {
    let old = entries[slot].newKey
    var key = read(slot) { order.key(of: $0, entries[slot].newName, marginMethod, isPinned: old.isPinned) }
    key.group = old.group
    return key
  }

  /// The rows, shown or not, in no particular order.
  var all: some Sequence<MatchRow> { slots.values.lazy.map { rows[$0] } }

  /// Returns a match's row, shown or not.
  func row(of id: MatchID) -> MatchRow? { slots[id.raw].map { rows[$0] } }

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

  /// Applies the timed changes of the rows at a range of lines. Returns the uptime of the next one.
  mutating func expire(_ lines: Range<Int>, now: Duration) -> Duration? {
    var next = Int64.max
    let now = (exact: now, rounded: now.nanoseconds)
    for line in lines {
      guard let position = position(atLine: line) else { continue }
      let slot = Int(shown[position])
      if expiries[slot] <= now.rounded { change(slot) { $0.expire(now: now.exact) } }
      next = min(next, expiries[slot])
    }
    return next == .max ? nil : .nanoseconds(next)
  }

  /// Changes the odds format and ends the highlights of all prices.
  mutating func write(_ format: OddsFormat, now: Duration) {
    self.format = format
    for slot in slots.values { change(slot) { $0.clearFlashes(now: now) } }
  }

  /// Removes the prices recorded after a second, and all trends: trends do not contain the time of a price.
  ///
  /// - Parameter isKnown: False if there is a gap in the prices after that second. Then those before it are removed,
  ///   too, and the prices of the rows count from that second on: a match that is equal there gets no update.
  mutating func rewind(to second: Int, isKnown: Bool) {
    for slot in slots.values {
      change(slot) { row in
        if isKnown { row.recent.rewind(to: second) } else { row.recent.restart(with: row.prices, at: second) }
        row.trend = PriceTrend()
      }
      entries[slot].newKey = currentKey(slot)
      if !entries[slot].isSettled { markDirty(slot) }
    }
    favouriteMoves?.rewind(to: second)
  }

  mutating func remove(_ id: MatchID) {
    guard let slot = slots.removeValue(forKey: id.raw) else { return }
    count(nil, replacing: rows[slot].sportID)
    lift(slot)
    updateLines()
    entries[slot].isDirty = false
    free.append(slot)
  }

  /// Records the favourite's price of a row if it is tracked.
  mutating func recordMoves(_ slot: Int, second: Int) {
    if favouriteMoves == nil { return }
    let (favourite, market, isKnown) = read(slot) { ($0.favourite, $0.trend.market, $0.tradingStatus.isTrusted) }
    let moves = favouriteMoves?.record(favourite, of: market, isKnown: isKnown, in: slot, at: second)
    // NB: The row gets no new version here: the callers have just changed or added it.
    rows[slot].moves = moves ?? RecentMoves()
  }

  /// Returns true if a slot has the row of a match.
  func isUsed(_ slot: Int) -> Bool { slot < rows.count && slots[rows[slot].id.raw] == slot }

  /// Counts a row of a sport instead of one of another.
  mutating func count(_ sport: SportID?, replacing old: SportID?) {
    if let sport { sports[sport, default: 0] += 1 }
    guard let old, let count = sports[old] else { return }
    sports[old] = count > 1 ? count - 1 : nil
  }

  mutating func add(_ row: MatchRow) -> Int {
    let name = order.name(of: row)
    let key = order.key(of: row, name, marginMethod, isPinned: pinned.contains(row.id))
    let entry = SortEntry(key, name, isMatch: predicate?(row) ?? true)
    let slot = free.popLast() ?? rows.count
    let expiry = row.expiry?.nanosecondsRoundedUp ?? .max
    slots[row.id.raw] = slot
    let isLive = row.status == .inProgress
    favouriteMoves?.reset(slot)
    lastVersion += 1
    if slot < rows.count {
      rows[slot] = row
      versions[slot] = lastVersion
      expiries[slot] = expiry
      entries[slot] = entry
    } else {
      rows.append(row)
      versions.append(lastVersion)
      expiries.append(expiry)
      entries.append(entry)
    }
    if groups != nil {
      entries[slot].isLive = isLive
      entries[slot].newKey.group = groupNumber(slot)
      entries[slot].key.group = entries[slot].newKey.group
    }
    return slot
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000 }

  /// The first whole nanosecond at or after this time, at which what is due then is due.
  fileprivate var nanosecondsRoundedUp: Int64 { nanoseconds + (components.attoseconds % 1_000_000_000 > 0 ? 1 : 0) }
}
