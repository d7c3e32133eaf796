import Algorithms
import Localization

/// A search in the help.
struct HelpSearch: Hashable, Sendable {
  /// The text without surrounding white space.
  let text: String
  /// The current match, as an index among the lines of the help; nil if there is no match.
  var line: Int?

  /// Returns nil if the text is blank.
  init?(_ text: String) {
    let trimmed = text.trimming(while: \.isWhitespace)
    if trimmed.isEmpty { return nil }
    self.text = String(trimmed)
  }

  /// The text without case, accents and marks.
  var pattern: [UInt16] { FoldedText(text).letters }
}

extension FoldedText {
  /// Returns the indices of the Unicode scalars of all occurrences of a sequence of letters.
  func occurrences(of pattern: [UInt16]) -> Set<Int> {
    guard !pattern.isEmpty, pattern.count <= letters.count else { return [] }
    var found: Set<Int> = []
    for start in 0...letters.count - pattern.count {
      let range = start..<start + pattern.count
      if letters[range].elementsEqual(pattern) { found.formUnion(scalarIndices[range]) }
    }
    return found
  }
}

extension BoardState {
  /// Searches the open help and shows the first match. A blank text ends the search.
  mutating func searchHelp(_ text: String) {
    guard overlay?.content == .help else { return }
    overlay?.search = HelpSearch(text)
    let table = HelpTable(of: self)
    if let line = table.matches.first { showInHelp(line, table) }
  }

  /// Moves to the next or previous match in the help, and wraps around at the ends.
  mutating func jumpInHelp(backwards: Bool) -> [Effect] {
    guard let search = overlay?.search else { return [] }
    let table = HelpTable(of: self)
    let line = search.line ?? -1
    let next = backwards ? table.matches.last { $0 < line } : table.matches.first { $0 > line }
    guard let match = next ?? (backwards ? table.matches.last : table.matches.first) else {
      return [.warning(.searchNone, search.text)]
    }
    showInHelp(match, table)
    return next == nil ? [.note(backwards ? .searchFromEnd : .searchFromStart)] : []
  }

  /// Completes a search whose prompt has closed. A search without a match ends with a warning.
  mutating func enterHelpSearch() -> [Effect] {
    guard let search = overlay?.search, search.line == nil else { return [] }
    overlay?.search = nil
    return [.warning(.searchNone, search.text)]
  }

  private mutating func showInHelp(_ line: Int, _ table: HelpTable) {
    overlay?.search?.line = line
    overlay?.reveal(table.rows(ofLine: line), height: max(1, list.height))
  }
}
