extension [String] {
  /// Returns the elements similar to a mistyped text, or all elements if none is similar.
  package func closestMatches(to text: String) -> [String] {
    let near = filter { $0.isSimilar(to: text) }
    return near.isEmpty ? self : near
  }
}

extension String {
  /// Returns true if the texts are anagrams or differ by few edits: a third of the letters of `other`, at least one.
  /// Ignores case.
  package func isSimilar(to other: String) -> Bool {
    let own = Array(lowercased().unicodeScalars)
    let other = Array(other.lowercased().unicodeScalars)
    let limit = Swift.max(1, other.count / 3)
    // The difference in length is a lower bound of the edit distance.
    if abs(own.count - other.count) > limit { return false }
    if own.count == other.count, own.sorted() == other.sorted() { return true }
    // Computes the Levenshtein distance, one row of the matrix at a time.
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
