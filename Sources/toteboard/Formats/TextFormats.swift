import TerminalCore

/// Comma-separated values, RFC 4180.
enum CSV {
  /// A line with its end. Fields are cleaned, quoted where they must be, their quotes doubled.
  static func line(_ fields: [String]) -> String {
    fields.map { quoted($0.cleaned) }.joined(separator: ",") + "\r\n"
  }

  private static func quoted(_ field: String) -> String {
    guard field.contains(where: { $0 == "," || $0 == "\"" }) else { return field }
    return "\"" + field.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
  }
}
