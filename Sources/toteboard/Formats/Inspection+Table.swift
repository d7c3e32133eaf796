import FeedRecording
import OddsFeed
import OddsModel
import TerminalCore

extension Inspection {
  /// Returns the report as text in columns.
  func table(findings shown: Int) -> String {
    var text = TextTable()
    text.section("FEED")
    text.row("lines", "\(lines)")
    text.row("bytes", "\(bytes)")
    let sizes = [50.0, 90, 99, 100].map { size(percentile: $0) }
    if sizes[0] > 0 {
      text.row("line size p50 / p90 / p99 / max", sizes.map(String.init).joined(separator: " / ") + " B")
    }
    text.row("lines that are not JSON", "\(findingCounts[.unparsable] ?? 0)")
    text.row("lines without a message", "\(otherLines)")
    text.row("engine", throughput)
    if let mixture {
      text.row("providers", "\(mixture.before), from line \(mixture.line) on also \(mixture.provider)")
    }
    for topic in topics { topic.add(to: &text) }
    text.section("FINDINGS")
    for kind in FindingKind.allCases { text.row(kind.words, "\(findingCounts[kind] ?? 0)") }
    if shown > 0, !self.findings.isEmpty {
      text.section("FIRST FINDINGS")
      for finding in self.findings.prefix(shown) { text.line(finding.text(format)) }
      let rest = findingCounts.values.reduce(0, +) - min(shown, self.findings.count)
      if rest > 0 { text.line("… and \(rest) more (--findings N shows more, up to \(Self.maxFindings))") }
    }
    return text.text
  }

  private var throughput: String {
    let seconds = engineTime / .seconds(1)
    guard seconds > 0, lines > 0 else { return "no data" }
    let records = topics.reduce(0) { $0 + $1.recordCount }
    return "\(Int(Double(records) / seconds)) records/s, \(Int(Double(bytes) / seconds / 1e6)) MB/s"
  }
}

extension InspectedTopic {
  fileprivate func add(to text: inout TextTable) {
    text.section("TOPIC \(title.cleaned)")
    text.row("messages", "\(dumps + updates): \(dumps) dumps, \(updates) updates")
    if let span {
      let seconds = Double(span.upperBound - span.lowerBound) / 1000
      text.row(
        isByReceipt ? "received" : "versions", "\(ISOTime.text(span.lowerBound)) to \(ISOTime.text(span.upperBound))")
      if seconds > 0 {
        let messages = (Double(dumps + updates) / seconds).roundedToTenths
        let records = (Double(recordCount) / seconds).roundedToTenths
        text.row("rate", "\(messages) messages/s, \(records) records/s")
      }
    }
    if let half = lag(percentile: 50), let most = lag(percentile: 99) {
      text.row("lag p50 / p99", "\(half) / \(most) ms")
    }
    text.row("matches at the end", "\(matchCount)")
    text.row("memory", "\(memory / 1000) kB")
    let counters = counters
    text.row("stored / pending / expired", "\(counters.held) / \(counters.waiting) / \(counters.expired)")
    text.row("applied / ignored", "\(counters.applied) / \(counters.ignored)")
    text.columns(["record"] + Change.allCases.map(\.rawValue))
    for kind in RecordKind.allCases {
      if let counts = records(kind) { text.columns(["\(kind.name)"] + counts.map(String.init)) }
    }
  }
}

extension FindingKind {
  var words: String {
    switch self {
    case .unparsable: "lines that are not JSON"
    case .nestedTooDeep: "lines nested too deeply"
    case .rejected: "rejected records and messages"
    case .oddsAboveLimit: "records with odds above the limit"
    case .unreadableStatus: "unreadable statuses"
    case .timeOutOfRange: "times out of range"
    case .unknownMessage: "messages of an unknown type"
    case .byteOrderMark: "byte order marks"
    case .createOfKnown: "CREATE of an existing id"
    case .updateOfUnknown: "UPDATE of a missing id"
    case .deleteOfUnknown: "DELETE of a missing id"
    case .neverResolved: "foreign keys that never resolved"
    }
  }
}

extension Inspection.Finding {
  fileprivate func text(_ format: any FeedFormat) -> String {
    let what = issue.isOfText ? "" : " \(issue.kind.name) \(issue.idText?.cleaned ?? "without id"):"
    return (line.map { "line \($0):" } ?? "at the end:") + "\(what) \(format.description(of: issue.reason))"
      + (excerpt.map { ": \($0.cleaned)" } ?? "")
  }
}

/// A text of labelled values and columns of numbers.
private struct TextTable {
  private(set) var text = ""

  mutating func section(_ title: String) { text += (text.isEmpty ? "" : "\n") + title + "\n" }
  mutating func line(_ line: String) { text += "  \(line)\n" }
  mutating func row(_ label: String, _ value: String) { line(padded(label, to: 34) + value) }

  /// Appends a row: the first cell as a label, the others right-aligned.
  mutating func columns(_ cells: [String]) {
    let numbers = cells.dropFirst().map { String(repeating: " ", count: max(1, 10 - $0.utf8.count)) + $0 }
    line(padded(cells[0], to: 24) + numbers.joined())
  }

  private func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.utf8.count))
  }
}
