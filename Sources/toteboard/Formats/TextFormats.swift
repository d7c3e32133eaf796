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
