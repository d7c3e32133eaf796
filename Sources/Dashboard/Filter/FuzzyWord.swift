/// A search word that matches fuzzily: its letters occur in the text in order, with few other letters between them.
///
/// Skipping letters within a word costs one each, continuing at the start of another word costs one, and starting
/// inside a word costs two. A word fits if the total cost is at most its number of letters, or two for a single letter:
/// "mnu" fits "Manchester United", "ars" fits "Arsenal" and "Paris", but not "Marítimo - Estoril".
struct FuzzyWord: Hashable, Sendable {
  private static let never = UInt8.max

  let letters: [UInt16]
  let mask: UInt64
  /// True if the letters have to be contiguous, at any position. Set for quoted text.
  let isExact: Bool

  init(_ text: String, isExact: Bool = false) {
    letters = Array(FoldedText(text).letters.prefix(SearchIndex.maxLetters))
    mask = FoldedText.mask(letters)
    self.isExact = isExact
  }

  /// The maximum cost of a match.
  private var allowance: UInt8 { UInt8(max(2, min(letters.count, Int(Self.never) - 1))) }

  func matches(_ text: UnsafeBufferPointer<UInt16>) -> Bool {
    if letters.isEmpty { return true }
    if isExact { return exactIndex(in: text) != nil }
    return stands(in: text) && withCosts(in: text) { costs in (costs.last?.min() ?? Self.never) <= allowance }
  }

  /// Returns the indices of the matched letters at the lowest cost, or nil if the word does not fit.
  func matchedIndices(in text: [UInt16]) -> [Int]? {
    text.withUnsafeBufferPointer { text in
      if letters.isEmpty { return [] }
      if isExact { return exactIndex(in: text).map { Array($0..<$0 + letters.count) } }
      guard stands(in: text) else { return nil }
      return withCosts(in: text) { way(back: $0, text) }
    }
  }

  /// Returns true if all letters occur in the text in order. A cheap test that rejects most texts.
  private func stands(in text: UnsafeBufferPointer<UInt16>) -> Bool {
    var found = 0
    for letter in text where letter == letters[found] {
      found += 1
      if found == letters.count { return true }
    }
    return false
  }

  private func exactIndex(in text: UnsafeBufferPointer<UInt16>) -> Int? {
    guard letters.count <= text.count else { return nil }
    return (0...text.count - letters.count).first { start in
      letters.indices.allSatisfy { text[start + $0] == letters[$0] }
    }
  }
}

extension FuzzyWord {
  /// The lowest costs to match the word up to a letter (row), ending at a position of the text (column).
  private struct Costs {
    let cells: UnsafeMutableBufferPointer<UInt8>
    let width: Int

    subscript(_ letter: Int, _ index: Int) -> UInt8 {
      get { cells[letter * width + index] }
      nonmutating set { cells[letter * width + index] = newValue }
    }

    var last: UnsafeMutableBufferPointer<UInt8>.SubSequence? { cells.suffix(width) }
  }

  private func withCosts<Result>(in text: UnsafeBufferPointer<UInt16>, _ body: (Costs) -> Result) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: letters.count * text.count) { cells in
      cells.initialize(repeating: Self.never)
      let costs = Costs(cells: cells, width: text.count)
      for index in text.indices where text[index] == letters[0] {
        costs[0, index] = Self.isStart(index, text) ? 0 : 2
      }
      for letter in letters.indices.dropFirst() {
        // The lowest cost from any earlier position of the preceding letter: with the cost of the skipped letters, and
        // without.
        var (passing, leaping) = (Self.never, Self.never)
        for index in text.indices.dropFirst() {
          let before = costs[letter - 1, index - 1]
          passing = min(before, passing == Self.never ? passing : passing + 1)
          leaping = min(before, leaping)
          guard text[index] == letters[letter] else { continue }
          costs[letter, index] = passing
          if leaping < passing, leaping < Self.never - 1, Self.isStart(index, text) {
            costs[letter, index] = min(passing, leaping + 1)
          }
        }
      }
      return body(costs)
    }
  }

  /// Returns the indices of the matched letters at the lowest cost, traced back from the last letter; nil if the word
  /// does not fit.
  private func way(back costs: Costs, _ text: UnsafeBufferPointer<UInt16>) -> [Int]? {
    let last = letters.count - 1
    guard var index = text.indices.min(by: { costs[last, $0] < costs[last, $1] }), costs[last, index] <= allowance
    else { return nil }
    var indices = [index]
    for letter in letters.indices.dropFirst().reversed() {
      let cost = Int(costs[letter, index])
      let isStart = Self.isStart(index, text)
      // The nearest position from which this cost can result.
      guard
        let before = (0..<index).last(where: { before in
          let known = Int(costs[letter - 1, before])
          return known + index - 1 - before == cost || isStart && known + 1 == cost
        })
      else { preconditionFailure("no way to a cost: it is made of those before it") }
      index = before
      indices.append(index)
    }
    return indices.reversed()
  }

  /// Returns true if a word begins at the index: after anything but a letter or digit, and at each character from
  /// U+2E80 on, such as a Chinese one.
  private static func isStart(_ index: Int, _ text: UnsafeBufferPointer<UInt16>) -> Bool {
    guard index > 0, text[index] < 0x2E80 else { return true }
    switch text[index - 1] {
    case 0x30...0x39, 0x61...0x7A, 0x80...: return false
    default: return true
    }
  }
}
