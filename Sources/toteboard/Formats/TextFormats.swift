import Algorithms
import TerminalCore

/// The comma-separated values of RFC 4180.
enum CSV {
  /// Returns a line with its line end. Fields are cleaned, and quoted if necessary, with quotes doubled.
  static func line(_ fields: [String]) -> String { fields.map { quoted($0.cleaned) }.joined(separator: ",") + "\r\n" }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

/// Rows of text in columns of equal width.
enum AlignedTable {
  /// Returns the rows as lines, with two blanks between columns.
  static func text(_ rows: [[String]]) -> String {
    let widths = rows.first?.indices.map { column in rows.map { $0[column].cellWidth }.max() ?? 0 } ?? []
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.cellWidth) }
      return cells.joined(separator: "  ").trimmingSuffix { $0 == " " } + "\n"
    }.joined()
  }
}
