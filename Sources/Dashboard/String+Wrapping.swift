import TerminalCore

extension String {
  /// The text in lines of at most that many cells, broken between words; a longer word has a line of its own.
  func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    for word in split(separator: " ") {
      if let last = lines.last, last.cellWidth + 1 + String(word).cellWidth <= width {
        lines[lines.count - 1] += " \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
