/// A slow search for a fuzzy word: all placements of its letters in a text, with the costs that `FuzzyWord` documents.
struct SlowFuzzyWord {
  let letters: [UInt16]
  let text: [UInt16]

  /// The indices of the letters in the text, in all possible ways.
  var placements: [[Int]] { placements(of: letters[...], after: -1) }

  /// True if one of the placements is cheap enough.
  var fits: Bool { placements.contains { cost(of: $0) <= max(2, letters.count) } }

  private func placements(of letters: ArraySlice<UInt16>, after previous: Int) -> [[Int]] {
    guard let letter = letters.first else { return [[]] }
    var found: [[Int]] = []
    for index in text.indices where index > previous && text[index] == letter {
      found += placements(of: letters.dropFirst(), after: index).map { [index] + $0 }
    }
    return found
  }

  func cost(of places: [Int]) -> Int {
    var cost = places.first.map { isStart($0) ? 0 : 2 } ?? 0
    for (before, index) in zip(places, places.dropFirst()) {
      let skipped = index - before - 1
      cost += isStart(index) ? min(1, skipped) : skipped
    }
    return cost
  }

  /// True if a word begins at the index: after anything but a letter or digit, and at each Chinese character.
  private func isStart(_ index: Int) -> Bool {
    if index == 0 || Unicode.Scalar(text[index])!.properties.isIdeographic { return true }
    let before = Unicode.Scalar(text[index - 1])!.properties
    return !before.isAlphabetic && before.numericType == nil
  }
}
