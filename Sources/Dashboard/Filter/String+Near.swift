extension [String] {
  /// Those that somebody may mean who has written that text; all of them, where it is like none.
  package func near(_ text: String) -> [String] {
    let near = filter { $0.isNear(text) }
    return near.isEmpty ? self : near
  }
}

extension String {
  /// Whether few letters make the one text the other, or the same ones in another order.
  fileprivate func isNear(_ other: String) -> Bool {
    let own = Array(lowercased().unicodeScalars)
    let other = Array(other.lowercased().unicodeScalars)
    let limit = Swift.max(1, other.count / 3)
    // So many letters at least have to be put in or left out.
    if abs(own.count - other.count) > limit { return false }
    if own.count == other.count, own.sorted() == other.sorted() { return true }
    // The least number of letters to put in, leave out or replace, row by row of the classic table.
    var row = Array(0...other.count)
    for (at, letter) in own.enumerated() {
      var corner = row[0]
      row[0] = at + 1
      for (to, wanted) in other.enumerated() {
        let replaced = corner + (letter == wanted ? 0 : 1)
        corner = row[to + 1]
        row[to + 1] = Swift.min(replaced, corner + 1, row[to] + 1)
      }
    }
    return row[other.count] <= limit
  }
}
