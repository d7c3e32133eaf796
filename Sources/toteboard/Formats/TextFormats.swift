import Algorithms
import TerminalCore

/// The comma-separated values of RFC 4180.
enum CSV {
  /// Returns a line with its line end. Fields are cleaned, and quoted if necessary, with quotes doubled. A field that a
  /// spreadsheet would read as a formula begins with an apostrophe.
  static func line(_ fields: [String]) -> String {
    fields.map { quoted(inert($0.cleaned)) }.joined(separator: ",") + "\r\n"
  }

  private static func inert(_ field: String) -> String {
    // A character alone is no formula.
    guard let first = field.unicodeScalars.first, field.unicodeScalars.count > 1 else { return field }
    switch first {
    // The wide forms count as well. A cleaned field has no control characters.
    case "=", "@", "＝", "＠": return "'" + field
    case "+", "-", "＋", "－": return isNumber(field) ? field : "'" + field
    default: return field
    }
  }

  /// Returns true if a field is a sign and a decimal number. One with more after it, as `-1+2`, can be a formula.
  private static func isNumber(_ field: String) -> Bool {
    let parts = field.dropFirst().split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    return parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy { 0x30...0x39 ~= $0 } }
  }

  private static func quoted(_ field: String) -> String {
    // NB: with a combining mark, a comma or a quote is another `Character`.
    let (comma, quote): (Unicode.Scalar, Unicode.Scalar) = (",", "\"")
    let scalars = field.unicodeScalars
    guard scalars.contains(comma) || scalars.contains(quote) else { return field }
    let parts = scalars.split(separator: quote, omittingEmptySubsequences: false).map { String($0) }
    return "\"" + parts.joined(separator: "\"\"") + "\""
  }
}

/// Rows of text in columns of equal width.
struct AlignedTable {
  private var widths: [Int] = []

  /// Returns the rows as lines, with two blanks between columns.
  static func text(_ rows: [[String]]) -> String {
    var table = AlignedTable()
    return table.append(rows)
  }

  /// Returns further rows as lines. The columns are at least as wide as those of the rows before.
  mutating func append(_ rows: [[String]]) -> String {
    for row in rows {
      if widths.isEmpty { widths = Array(repeating: 0, count: row.count) }
      for (column, text) in row.enumerated() { widths[column] = max(widths[column], text.cellWidth) }
    }
    return rows.map { row in
      let cells = zip(row, widths).map { $0 + String(repeating: " ", count: $1 - $0.cellWidth) }
      return cells.joined(separator: "  ").trimmingSuffix { $0 == " " } + "\n"
    }.joined()
  }
}

extension Double {
  /// The number rounded to one decimal.
  var roundedToTenths: Double { (self * 10).rounded() / 10 }
}
