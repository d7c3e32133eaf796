/// The sort state of a row: its current rank and the rank it should have.
struct SortEntry: Sendable {
  /// The key by which the row is ranked.
  var key: SortKey
  /// The key of the row's current state.
  var newKey: SortKey
  /// The row's name for sorting, at its rank and in its current state.
  var name, newName: String
  /// True if the row's current state is to be shown.
  var fits: Bool
  var isShown = false
  /// True if the row is in the list's `dirty` slots.
  var isDirty = false

  /// Creates the entry of a row that is about to be inserted.
  init(_ key: SortKey, _ name: String, fits: Bool) {
    (self.key, newKey, self.name, newName, self.fits) = (key, key, name, name, fits)
  }

  var isSettled: Bool { key == newKey && name == newName && fits == isShown }
}
