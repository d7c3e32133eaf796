import Localization
import OddsModel
import TerminalCore

extension LineFormatter {
  private enum Column {
    static let indent = 2
    static let label = 12
    /// The end of values, relative to the start of a column.
    static let valueEnd = 27
    /// The distance between the starts of two columns.
    static let pitch = 40
  }

  /// Returns the row in place of the column titles: the rows in view if not all fit, and the topic.
  func inspectorTitle(_ shown: Range<Int>, _ topic: Topic?) -> Row {
    var row = Row(width: layout.size.columns)
    let count = InspectorTable.count(width: layout.size.columns)
    var at = Column.indent
    if shown.count < count {
      at =
        row.write(words(.inspectorLines, shown.lowerBound + 1, shown.upperBound, count), at: at, style: Style(.muted))
        + 2
    }
    if let topic {
      clip(topic.path, into: &row, at..<max(at, layout.size.columns), style: Style(.muted))
    }
    return row
  }

  func inspector(_ line: Int) -> Row {
    var row = Row(width: layout.size.columns)
    guard let inspector = state.inspector else { return row }
    let figures = inspector.health.map {
      InspectorTable.Figures(
        health: $0, rates: inspector.rates, topic: state.topic, source: state.source, now: now)
    }
    for (column, entry) in InspectorTable.entries(line, width: layout.size.columns).enumerated() {
      let start = column * Column.pitch
      switch entry {
      case .gap: break
      case .heading(let title): row.write(words(title), at: start + Column.indent - 1, style: Style(.strong))
      case .figure(let label, let value):
        // A truncated figure would be a wrong figure, so the label is cut if there is no room for both.
        let end = min(start + Column.valueEnd, layout.size.columns)
        let (text, unit, style) = figures.map { parts(of: value($0), now: $0.now) } ?? ("", "", .plain)
        let first = max(start, end - text.cellWidth)
        let (from, to) = (start + Column.indent, min(start + Column.indent + Column.label, first - 1))
        if from < to { clip(words(label), into: &row, from..<to, style: Style(.muted)) }
        row.write(text, at: first, style: style)
        if end + 1 + unit.cellWidth <= layout.size.columns { row.write(unit, at: end + 1, style: Style(.muted)) }
      }
    }
    return row
  }

  /// Returns the text, unit and style of a value.
  private func parts(of value: InspectorTable.Value, now: FrameTime) -> (text: String, unit: String, style: Style) {
    switch value {
    case .count(let count, let rate?): (words.number(count), perSecond(rate), .plain)
    case .count(let count, nil): (words.number(count), "", .plain)
    case .milliseconds(let time?): (words.number(time), words(.unitMilliseconds), .plain)
    case .milliseconds(nil): (glyphs.unknown, "", Style(.muted))
    case .bytes(let bytes):
      bytes < 1_000_000
        ? (words.number((bytes + 500) / 1000), words(.unitKilobytes), .plain)
        : ("\(tenths(bytes / 100_000))", words(.unitMegabytes), .plain)
    case .word(let word): (words(word), "", .plain)
    case .time(let time): (now.timeOfDay(time), "", .plain)
    case .grade(let grade): (words(grade.phrase), "", Style(grade == .live ? .plain : .warning))
    }
  }

  /// Formats a rate, with one decimal below 10. Right-aligned, so that rates line up.
  private func perSecond(_ rate: Double) -> String {
    let text =
      rate < 9.95 && rate > 0 ? "\(tenths(Int((rate * 10).rounded())))" : words.number(Int(rate.rounded()))
    return String(repeating: " ", count: max(0, 7 - text.cellWidth)) + words(.perSecond, text)
  }
}

extension Freshness.Grade {
  var phrase: MessageKey {
    switch self {
    case .live: .statusLive
    case .delayed: .statusDelayed
    case .locked: .statusLocked
    case .suspended: .statusSuspended
    case .closed: .statusClosed
    }
  }
}

extension FrameTime {
  /// Returns the local time of day of a wall time: 13:03:07.
  func timeOfDay(_ wall: Int64) -> String {
    var text = ShortText()
    text.push(number: ((wall / 1000 % 60) + 60) % 60, leastDigits: 2)
    text.push(UInt8(ascii: ":"))
    return "\(ShortText(minuteOfDay: minuteOfDay(wall)))\(text)"
  }
}
