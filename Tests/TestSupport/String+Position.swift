import TerminalCore

extension String {
  /// Returns the row and the column, in cells, of the first occurrence of a text on a screen; nil if there is none.
  package func position(of text: String) -> (row: Int, column: Int)? {
    for (row, line) in split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return (row, String(line[..<range.lowerBound]).cellWidth)
    }
    return nil
  }
}
