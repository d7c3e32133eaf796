import TerminalCore

/// Comma-separated values, RFC 4180.
enum CSV {
  /// A field, quoted where it must be, its quotes doubled.
  static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}

extension String {
  /// The text with what may not reach a terminal replaced.
  var cleaned: String {
    var row = Row(width: cellWidth)
    row.write(self, at: 0)
    return row.description
  }
}
