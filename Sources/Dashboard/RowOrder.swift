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
}
