import OddsFeed

/// What the rows are sorted by.
package struct RowOrder: Hashable, Sendable {
  package enum Key: String, Hashable, Sendable, CaseIterable {
    /// Start time.
    case time
    case name
    /// When a price of the row last changed, the latest first.
    case change
    /// How far the favourite's price has moved, the farthest first.
    case mover
    case overround
    /// The price of the favourite.
    case favourite
    /// The price in that column.
    case home, draw, away

    /// Those of the price columns 1, X and 2.
    static let columns = [home, draw, away]
  }

  package var key = Key.time
  /// The other way round.
  package var isReversed = false

  /// By start time.
  package init() {}

  /// By that.
  package init(_ key: Key, isReversed: Bool = false) { (self.key, self.isReversed) = (key, isReversed) }
}

/// What a row has its place by. It is kept as it was when the row was put there, so that places can be found, and the
/// order hold still, while rows change. NB: no text is in it: thousands are compared and copied in a sort.
struct SortKey: Hashable, Sendable {
  /// In place of a figure that a row does not have.
  static let none = Int64.max

  var isPinned: Bool
  /// What the order goes by; of a name its beginning.
  var figure: Int64
  var start: Int64
  var id: MatchID
}

extension RowOrder {
  /// A row's key. Where the order goes by names, `name` is the row's in small letters.
  func key(of row: borrowing MatchRow, _ name: String, isPinned: Bool) -> SortKey {
    SortKey(
      isPinned: isPinned, figure: key == .name ? Self.beginning(of: name) : figure(of: row),
      start: row.startTime ?? SortKey.none, id: row.id)
  }

  /// What of a row's name its place depends on: nothing, unless the order goes by names.
  func name(of row: borrowing MatchRow) -> String { key == .name ? row.labels.name.lowercased() : "" }

  /// The order of the board: pinned rows first, those that lack what it goes by last, then by start time and id. What is
  /// reversed is only what it goes by.
  @inline(__always)
  func precedes(_ left: SortKey, _ right: SortKey, names: () -> (String, String)) -> Bool {
    if left.isPinned != right.isPinned { return left.isPinned }
    if left.figure != right.figure {
      if left.figure == SortKey.none || right.figure == SortKey.none { return right.figure == SortKey.none }
      return (left.figure < right.figure) != isReversed
    }
    if key == .name {
      let (name, other) = names()
      // By bytes, which is by code points: the same in every language, and as their beginnings are compared.
      if name.utf8.lexicographicallyPrecedes(other.utf8) { return !isReversed }
      if other.utf8.lexicographicallyPrecedes(name.utf8) { return isReversed }
    }
    return left.start != right.start ? left.start < right.start : left.id < right.id
  }

  /// The first seven bytes as a number.
  private static func beginning(of name: String) -> Int64 {
    var (number, count) = (Int64(0), 0)
    for byte in name.utf8.prefix(7) { (number, count) = (number << 8 | Int64(byte), count + 1) }
    return number << Int64(8 * (7 - count))
  }

  private func figure(of row: borrowing MatchRow) -> Int64 {
    switch key {
    case .time: row.startTime ?? SortKey.none
    case .name: 0
    case .change: row.changedAt.map { Int64(-($0 / .microseconds(1))) } ?? SortKey.none
    case .mover: row.move.map { -Int64($0.magnitude) } ?? SortKey.none
    case .overround: row.overround.newest.map(Int64.init) ?? SortKey.none
    case .favourite: row.favourite?.units ?? SortKey.none
    case .home: row.prices.first.bettable?.units ?? SortKey.none
    case .draw: row.prices.middle.bettable?.units ?? SortKey.none
    case .away: row.prices.last.bettable?.units ?? SortKey.none
    }
  }
}
