import Algorithms
import OddsModel

// The order of the rows: sorting, filtering, pinning, and the moves of changed rows.
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
    // Many rows are removed in one pass, because each removal by `lift` moves all rows after it.
    if moving.count > 8 {
      for slot in moving where entries[slot].isShown {
        count(slot, by: -1)
        entries[slot].isShown = false
      }
      shown.removeAll { !entries[Int($0)].isShown }
    }
    for slot in moving {
      lift(slot)
      entries[slot].move()
    }
    place(moving)
    updateLines()
  }

  /// Sorts all rows.
  mutating func sort(by order: RowOrder) {
    self.order = order
    shown.removeAll(keepingCapacity: true)
    for slot in dirty { entries[slot].isDirty = false }
    dirty.removeAll(keepingCapacity: true)
    groups?.rank()
    groups?.resetCounts()
    for slot in slots.values {
      entries[slot].isLive = read(slot) { $0.status == .inProgress }
      entries[slot].newName = read(slot) { order.name(of: $0) }
      entries[slot].newKey = currentKey(slot)
      entries[slot].move()
      entries[slot].isShown = false
    }
    place(Array(slots.values))
    updateLines()
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
    entries[slot].key.isPinned = isPinned
    entries[slot].newKey.isPinned = isPinned
    place([slot])
    updateLines()
  }

  /// An empty list with the same order, format, pins, predicate, grouping, folds and recorded opening prices.
  var emptied: RowList {
    var list = RowList(order: order, marginMethod, odds: format, pinned: pinned, predicate: predicate)
    list.lastVersion = lastVersion
    list.openings = openings
    list.groups = groups.map { RowGroups($0.grouping) }
    list.folds = folds
    list.favouriteMoves = favouriteMoves.map { FavouriteMoves(knownSince: $0.knownSince) }
    return list
  }

  mutating func markDirty(_ slot: Int) {
    if entries[slot].isDirty { return }
    entries[slot].isDirty = true
    dirty.append(slot)
  }

  /// Removes a row from the order.
  mutating func lift(_ slot: Int) {
    guard entries[slot].isShown else { return }
    shown.remove(at: lowerBound(slot))
    count(slot, by: -1)
    entries[slot].isShown = false
  }

  /// Inserts rows that are not in the order, as far as they fit the predicate.
  mutating func place(_ news: [Int]) {
    if news.isEmpty { return }
    var sorted: [(key: SortKey, slot: Int32)] = []
    sorted.reserveCapacity(news.count)
    for slot in news where entries[slot].isMatch {
      entries[slot].isShown = true
      count(slot, by: 1)
      sorted.append((entries[slot].key, Int32(slot)))
    }
    sorted.sort { left, right in
      precedes(left.key, right.key) { (entries[Int(left.slot)].name, entries[Int(right.slot)].name) }
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
  func lowerBound(_ slot: Int, from first: Int = 0) -> Int {
    partition(first) { other in
      precedes(entries[other].key, entries[slot].key) { (entries[other].name, entries[slot].name) }
    }
  }

  /// Returns true if a row comes before another: pinned rows first, then by group, then in the list's order.
  @inline(__always)
  private func precedes(_ left: SortKey, _ right: SortKey, names: () -> (String, String)) -> Bool {
    // Without groups all rows have the same one.
    if left.group != right.group, !left.isPinned, !right.isPinned, let groups {
      return groups.ranks[Int(left.group)] < groups.ranks[Int(right.group)]
    }
    return order.precedes(left, right, names: names)
  }

  /// Returns the first position for which `holds` is false. `holds` must be true for all positions before it and false
  /// for all after it.
  func partition(_ first: Int, where holds: (Int) -> Bool) -> Int {
    shown[first...].partitioningIndex { !holds(Int($0)) }
  }
}
