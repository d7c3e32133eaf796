import OddsModel

/// The sort order of the rows.
package struct RowOrder: Hashable, Sendable {
  /// A column: rows are sorted by its values.
  package typealias Key = BoardColumn

  package var key = Key.time
  /// True if the order is reversed.
  package var isReversed = false

  /// Creates the order by a key, by default by time.
  package init(_ key: Key = .time, isReversed: Bool = false) {
    self.key = key
    self.isReversed = isReversed
  }
}

/// A row's sort key, as it was when the row was inserted. The copy allows binary search, and keeps the order stable,
/// while rows change. NB: It has no string, because a sort compares and copies thousands of keys.
struct SortKey: Hashable, Sendable {
  /// The figure and the start time, or the highest number if the row has none. NB: Optional numbers would make the key
  /// half as large again.
  fileprivate let rank, start: Int64
  let id: MatchID
  /// The number of the row's group; 0 without groups. NB: Not a rank, because a new group can come between others.
  var group: Int32 = 0
  var isPinned: Bool

  fileprivate static let none = Int64.max

  init(figure: Int64?, start: Int64?, id: MatchID, isPinned: Bool) {
    rank = figure ?? Self.none
    self.start = start ?? Self.none
    self.id = id
    self.isPinned = isPinned
  }

  /// The value to sort by; for a text, its first bytes. Nil if the row has none.
  var figure: Int64? { rank == Self.none ? nil : rank }
}

extension RowOrder {
  /// True if the rows are sorted by a text.
  var isByText: Bool { if case .text = key.entry.sortValue { true } else { false } }

  /// True if the rows are sorted by a fair price, which depends on the method.
  var isByFairPrice: Bool { if case .fairPrice = key.entry.sortValue { true } else { false } }

  /// Returns a row's key. In an order by a text, `name` is that text in lower case. `method` makes the fair prices.
  func key(of row: borrowing MatchRow, _ name: String, _ method: MarginMethod, isPinned: Bool) -> SortKey {
    SortKey(
      figure: figure(of: row, name, method), start: row.startTime, id: row.id, isPinned: isPinned)
  }

  /// Returns the row's text for sorting, in lower case; empty unless the order is by a text.
  func name(of row: borrowing MatchRow) -> String {
    if case .text(let text) = key.entry.sortValue { text(row.labels).lowercased() } else { "" }
  }

  /// Returns true if a row comes before another: pinned rows first, rows without a figure last, equal figures by start
  /// time and id. `isReversed` reverses only the figures and names.
  @inline(__always)
  func precedes(_ left: SortKey, _ right: SortKey, names: () -> (String, String)) -> Bool {
    if left.isPinned != right.isPinned { return left.isPinned }
    if left.rank != right.rank {
      if left.rank == SortKey.none || right.rank == SortKey.none { return right.rank == SortKey.none }
      return (left.rank < right.rank) != isReversed
    }
    // Of texts that begin alike, the rest is compared. Rows without one are equal.
    if left.rank != SortKey.none, isByText {
      let (name, other) = names()
      if let isFirst = Self.precedes(name, other) { return isFirst != isReversed }
    }
    return left.start != right.start ? left.start < right.start : left.id < right.id
  }

  /// Returns true if a name comes before another, nil if both are equal. Compares bytes, that is code points: the
  /// result is the same in every language and agrees with `beginning(of:)`.
  private static func precedes(_ name: String, _ other: String) -> Bool? {
    var others = other.utf8.makeIterator()
    for byte in name.utf8 {
      guard let next = others.next() else { return false }
      if byte != next { return byte < next }
    }
    return others.next() == nil ? nil : true
  }

  /// Returns the first seven bytes as a number.
  private static func beginning(of name: String) -> Int64 {
    var (number, count) = (Int64(0), 0)
    for byte in name.utf8.prefix(7) {
      number = number << 8 | Int64(byte)
      count += 1
    }
    return number << Int64(8 * (7 - count))
  }

  private func figure(of row: borrowing MatchRow, _ text: String, _ method: MarginMethod) -> Int64? {
    // A fast path: the usual order, whose keys are made for each changed row.
    if key == .time { return row.time.rank(startTime: row.startTime) }
    return switch key.entry.sortValue {
    case .figure(let figure): figure(row)
    case .fairPrice(let price): price(row, method)
    case .text: text.isEmpty ? nil : Self.beginning(of: text)
    }
  }
}

extension Optional where Wrapped: Comparable {
  /// Returns true if the value comes before another one. Nil comes last.
  func precedes(_ other: Wrapped?) -> Bool {
    guard let value = self, let other else { return self != nil }
    return value < other
  }
}

/// The sort state of a row: its current rank and the rank it should have.
struct SortEntry: Sendable {
  /// The key by which the row is ranked.
  var key: SortKey
  /// The key of the row's current state.
  var newKey: SortKey
  /// The row's name for sorting, at its rank and in its current state.
  var name, newName: String
  /// True if the row's current state is to be shown.
  var isMatch: Bool
  var isShown = false
  /// True if the row's match is in play, as far as its group counts it.
  var isLive = false
  /// True if the row is in the list's `dirty` slots.
  var isDirty = false

  /// Creates the entry of a row that is about to be inserted.
  init(_ key: SortKey, _ name: String, isMatch: Bool) {
    self.key = key
    newKey = key
    self.name = name
    newName = name
    self.isMatch = isMatch
  }

  /// Takes over the rank of the row's current state.
  mutating func move() {
    key = newKey
    name = newName
  }

  /// True if nothing but the match clock differs, in the order by time.
  var isSettledButForClock: Bool {
    isMatch == isShown && MatchTime.isClock(key.figure) && MatchTime.isClock(newKey.figure)
      && key.isPinned == newKey.isPinned
  }

  var isSettled: Bool { key == newKey && name == newName && isMatch == isShown }
}
