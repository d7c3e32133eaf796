/// Where a row of a list stands, and would stand.
struct SortEntry: Sendable {
  /// What the row stands by.
  var key: SortKey
  /// What it would stand by now.
  var newKey: SortKey
  /// The row's name as the order compares it, and as it would.
  var name, newName: String
  /// Whether it would be shown now.
  var fits: Bool
  var isShown = false
  /// It is among those that wait for their place.
  var isDirty = false

  /// Of a row that is to be put in its place.
  init(_ key: SortKey, _ name: String, fits: Bool) {
    (self.key, newKey, self.name, newName, self.fits) = (key, key, name, name, fits)
  }

  var isSettled: Bool { key == newKey && name == newName && fits == isShown }
}
