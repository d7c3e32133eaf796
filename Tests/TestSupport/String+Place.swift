import TerminalCore

extension String {
  /// Where a text first stands on a screen of lines, in cells; nil where it does not.
  package func place(of text: String) -> (row: Int, column: Int)? {
    for (row, line) in split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard let range = line.firstRange(of: text) else { continue }
      return (row, String(line[..<range.lowerBound]).cellWidth)
    }
    return nil
  }
}
