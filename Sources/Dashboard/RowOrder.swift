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
    /// The lowest price of the row.
    case favourite
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
/// order hold still, while rows change.
struct RowKey: Hashable, Sendable {
  /// In place of a figure that a row does not have.
  static let none = Int64.max

  var isPinned: Bool
  /// What the order goes by, unless it goes by names.
  var figure: Int64
  /// In small letters; empty unless the order goes by names.
  var name = ""
  var start: Int64
  var id: MatchID
}

extension RowOrder {
  func key(of row: MatchRow, isPinned: Bool) -> RowKey {
    RowKey(
      isPinned: isPinned, figure: figure(of: row), name: key == .name ? row.labels.name.lowercased() : "",
      start: row.startTime ?? RowKey.none, id: row.id)
  }

  /// The order of the board: pinned rows first, those that lack what it goes by last, then by start time and id. What is
  /// reversed is only what it goes by.
  func precedes(_ left: RowKey, _ right: RowKey) -> Bool {
    if left.isPinned != right.isPinned { return left.isPinned }
    if left.figure != right.figure {
      if left.figure == RowKey.none || right.figure == RowKey.none { return right.figure == RowKey.none }
      return (left.figure < right.figure) != isReversed
    }
    if left.name != right.name { return (left.name < right.name) != isReversed }
    return left.start != right.start ? left.start < right.start : left.id < right.id
  }

  /// Whether a row keeps its place when it becomes another.
  func keeps(_ old: MatchRow, as new: MatchRow) -> Bool {
    old.startTime == new.startTime
      && (key == .name ? old.labels.name == new.labels.name : figure(of: old) == figure(of: new))
  }

  private func figure(of row: MatchRow) -> Int64 {
    switch key {
    case .time: row.startTime ?? RowKey.none
    case .name: 0
    case .change: row.changedAt.map { Int64(-($0 / .microseconds(1))) } ?? RowKey.none
    case .mover: row.move.map { -Int64($0.magnitude) } ?? RowKey.none
    case .overround: row.overround.newest.map(Int64.init) ?? RowKey.none
    case .favourite: row.prices.favourite?.units ?? RowKey.none
    }
  }
}
