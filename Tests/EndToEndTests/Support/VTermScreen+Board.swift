import CVTerm
import TerminalCore

/// The parts of the board's screen.
extension VTermScreen {
  /// The text of the selected tab, such as "3 Tennis": bold in the header and not reversed.
  var tab: String {
    let columns = (0..<size.columns).filter { cell(0, $0).is_bold && !cell(0, $0).is_reversed }
    guard let first = columns.first, let last = columns.last else { return "" }
    return String(text(0, first..<last + 1).drop { $0 == " " })
  }

  /// The rows between the column titles and the counters.
  var body: Range<Int> { 2..<max(2, size.rows - 2) }

  /// The rows of matches: those with a time, a date, a minute, "live" or "end" at the left, where there is room for it.
  var matches: [Int] {
    let hasTime = text(1).drop { $0 == " " }.hasPrefix("TIME")
    let words: Set<Substring> = ["end", "live", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
    return body.filter { row in
      let time = text(row, 0..<13)
      guard hasTime else { return !text(row, 0..<5).isEmpty }
      return time.split(separator: " ").first.map { words.contains($0) || $0.first?.isNumber == true } ?? false
    }
  }

  /// The rows in reverse video: usually the selected row alone.
  var chosen: [Int] { body.filter { cell($0, 8).is_reversed } }

  /// True if the header shows a balance that is not marked as uncertain.
  var hasBalance: Bool { text(0).contains(" EUR") && !text(0).contains("EUR?") }

  var counters: String { size.rows < 2 ? "" : text(size.rows - 2) }
  var hints: String { text(size.rows - 1) }

  /// The counters of rates: frames, updates, changes, conflated updates and bytes per second.
  var rates: [String] {
    let words = counters.split(separator: " ").map(String.init)
    return zip(words, words.dropFirst()).filter { $1.hasSuffix("/s") || $1 == "fps" }.map(\.0)
  }

  var isAtRest: Bool { rates.count >= 5 && rates.allSatisfy { $0 == "0" } }

  /// Returns the price in the column with a title (1, X or 2), which ends where the prices end.
  func price(_ title: String, in row: Int) -> String {
    guard let end = column(of: "\(title) ", in: 1) else { return "" }
    return String(text(row, end - 6..<end + 1).drop { $0 == " " })
  }
}
