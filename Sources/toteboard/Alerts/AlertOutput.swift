import TerminalCore

/// The output of `toteboard alerts`.
struct AlertOutput {
  private static let titles = ["TIME", "EVENT", "MATCH", "TEXT", "RULE"]

  private let format: AlertsCommand.Format

  init(_ format: AlertsCommand.Format) { self.format = format }

  /// Returns the entries as text, with a header unless they are JSON.
  func text(of entries: [AlertLogEntry]) -> [UInt8] {
    switch format {
    case .table: entries.isEmpty ? [] : Array(AlignedTable.text([Self.titles] + entries.map(Self.row)).utf8)
    case .csv: Array(([CSV.line(AlertLogEntry.names)] + entries.map { CSV.line($0.values) }).joined().utf8)
    case .json: entries.flatMap(\.json)
    }
  }

  /// The bytes before the lines of alerts that are printed as they come.
  var header: [UInt8] { format == .csv ? Array(CSV.line(AlertLogEntry.names).utf8) : [] }

  /// Returns an alert that is printed as it comes.
  func line(_ entry: AlertLogEntry) -> [UInt8] {
    switch format {
    case .table: Array((Self.row(entry).joined(separator: "  ") + "\n").utf8)
    case .csv: Array(CSV.line(entry.values).utf8)
    case .json: entry.json
    }
  }

  private static func row(_ entry: AlertLogEntry) -> [String] {
    [entry.values[0], entry.event, entry.match, entry.text, entry.rule].map(\.cleaned)
  }
}
