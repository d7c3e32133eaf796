import Localization
import OddsModel
import TerminalCore

/// The rows of the inspector: two columns on a wide screen, one column on a narrow one.
struct InspectorTable: ScrollablePane {
  enum Entry: Sendable {
    case gap
    case heading(MessageKey)
    case figure(MessageKey, @Sendable (Figures) -> Value)
  }

  /// The values that figures are computed from.
  struct Figures {
    let health: ChannelHealth
    let rates: Inspector.Rates
    let topic: TopicState
    let source: DataSource
    let now: FrameTime
  }

  /// A value after a label.
  enum Value {
    case count(Int, perSecond: Double? = nil)
    /// Nil if not known.
    case milliseconds(Int?)
    case bytes(Int)
    /// In milliseconds since 1970.
    case time(Int64)
    case grade(Freshness.Grade)
    case word(MessageKey)
  }

  private enum Column {
    static let indent = 2
    /// The greatest width of a label.
    static let label = 12
    /// The end of values, relative to the start of a column.
    static let valueEnd = 27
    /// The distance between the starts of two columns.
    static let pitch = 40
  }

  /// The minimum width for two columns, in cells.
  private static let wideFrom = 68

  private let figures: Figures?
  private let topic: Topic?
  private let address: String?
  private let words: Catalog
  private let unknown: String
  private let width: Int

  init(_ inspector: Inspector, of state: borrowing BoardState, now: FrameTime) {
    topic = inspector.health?.topic
    words = state.words
    width = state.size.columns
    address = state.address
    let (topicState, source) = (state.connection.topic, state.connection.source)
    figures = inspector.health.map {
      Figures(health: $0, rates: inspector.rates, topic: topicState, source: source, now: now)
    }
    unknown = Glyphs(state.glyphs).unknown
  }

  var count: Int { Self.count(width: width) }
  var note: String? {
    let parts = [address, topic?.path].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: " ")
  }

  func row(_ index: Int) -> PaneRow {
    var row = PaneRow()
    for (column, entry) in Self.entries(index, width: width).enumerated() {
      let start = column * Column.pitch
      switch entry {
      case .gap: break
      case .heading(let title): row.add(words(title), at: start + Column.indent - 1, .strong)
      case .figure(let label, let value):
        // A truncated figure would be a wrong figure, so the label is cut if there is no room for both.
        let end = min(start + Column.valueEnd, width)
        let (text, unit, role) = figures.map { parts(of: value($0), now: $0.now) } ?? ("", "", .plain)
        let first = max(start, end - text.cellWidth)
        let labelStart = start + Column.indent
        row.add(words(label), at: labelStart, to: min(labelStart + Column.label, first - 1), .muted)
        row.add(text, at: first, role)
        if end + 1 + unit.cellWidth <= width { row.add(unit, at: end + 1, .muted) }
      }
    }
    return row
  }

  private func parts(of value: Value, now: FrameTime) -> (text: String, unit: String, role: Style.Role) {
    switch value {
    case .count(let count, let rate?): (words.number(count), perSecond(rate), .plain)
    case .count(let count, nil): (words.number(count), "", .plain)
    case .milliseconds(let time?): (words.number(time), words(.unitMilliseconds), .plain)
    case .milliseconds(nil): (unknown, "", .muted)
    case .bytes(let bytes):
      bytes < 1_000_000
        ? (words.number((bytes + 500) / 1000), words(.unitKilobytes), .plain)
        : ("\(words.tenths(bytes / 100_000))", words(.unitMegabytes), .plain)
    case .word(let word): (words(word), "", .plain)
    case .time(let time): (now.local.timeOfDay(time), "", .plain)
    case .grade(let grade): (words(grade.name), "", grade == .live ? .plain : .warning)
    }
  }

  /// Formats a rate, with one decimal below 10. Right-aligned, so that rates line up.
  private func perSecond(_ rate: Double) -> String {
    let hasDecimal = rate < 9.95 && rate > 0
    let text = hasDecimal ? "\(words.tenths(Int((rate * 10).rounded())))" : words.number(Int(rate.rounded()))
    return String(repeating: " ", count: max(0, 7 - text.cellWidth)) + words(.perSecond, text)
  }

  /// Returns the number of rows for a screen of that width, in cells.
  static func count(width: Int) -> Int {
    width >= wideFrom ? max(left.count, right.count) : left.count + 1 + right.count
  }

  /// Returns the entries in a row, from left to right.
  static func entries(_ line: Int, width: Int) -> [Entry] {
    func entry(_ column: [Entry], _ at: Int) -> Entry { column.indices.contains(at) ? column[at] : .gap }
    if width >= wideFrom { return [entry(left, line), entry(right, line)] }
    return [line < left.count ? left[line] : entry(right, line - left.count - 1)]
  }

  private static let left: [Entry] = [
    .heading(.inspectorPrices),
    .figure(.figureState) { .grade($0.health.freshness.grade) },
    .figure(.figureSince) { .time($0.health.freshness.since) },
    .figure(.figureSource) { .word($0.source.name) },
    .figure(.figureTopic) { .word($0.topic.name) },
    .figure(.figureLagMedian) { .milliseconds($0.health.lagMedian) },
    .figure(.figureLagMost) { .milliseconds($0.health.lagP99) },
    .gap,
    .heading(.inspectorReceived),
    .figure(.figureMessages) { .count($0.health.received.messages, perSecond: $0.rates.messages) },
    .figure(.figureOddsUpdates) { .count($0.health.received.oddsUpdates, perSecond: $0.rates.oddsUpdates) },
    .figure(.figureApplied) { .count($0.health.received.applied, perSecond: $0.rates.applied) },
    .figure(.figureIgnored) { .count($0.health.received.ignored, perSecond: $0.rates.ignored) },
    .figure(.figureDumps) { .count($0.health.received.dumps) },
    .gap,
    .heading(.inspectorChannel),
    .figure(.figureMemory) { .bytes($0.health.memory) },
    .figure(.figureConflated) { .count($0.health.conflated) },
    .figure(.figureReaders) { .count($0.health.readers) },
    .figure(.figureObservers) { .count($0.health.observers) },
  ]

  private static let right: [Entry] = [
    .heading(.inspectorRecords),
    .figure(.figureSports) { .count($0.health.received.kinds.sports) },
    .figure(.figureMatches) { .count($0.health.received.kinds.matches) },
    .figure(.figureMarkets) { .count($0.health.received.kinds.markets) },
    .figure(.figureOutcomes) { .count($0.health.received.kinds.outcomes) },
    .figure(.figureRelations) { .count($0.health.received.kinds.relations) },
    .figure(.figureOffers) { .count($0.health.received.kinds.offers) },
    .figure(.figureMainMarkets) { .count($0.health.received.kinds.mainMarkets) },
    .figure(.figureEventInfos) { .count($0.health.received.kinds.eventInfos) },
    .figure(.figureOthers) { .count($0.health.received.kinds.others) },
    .gap,
    .heading(.inspectorOutOfOrder),
    .figure(.figureDeferred) { .count($0.health.received.held) },
    .figure(.figureWaiting) { .count($0.health.received.waiting) },
    .figure(.figureExpired) { .count($0.health.received.expired) },
    .figure(.figureDuplicates) { .count($0.health.received.duplicateCreates) },
    .figure(.figureUnparsable) { .count($0.health.received.unparsable) },
    .figure(.figureRejected) { .count($0.health.received.rejected) },
    .figure(.figureOddsAboveLimit) { .count($0.health.received.oddsAboveLimit) },
    .figure(.figureUnreadableStatuses) { .count($0.health.received.unreadableStatuses) },
    .figure(.figureTimesOutOfRange) { .count($0.health.received.timesOutOfRange) },
    .figure(.figureNestedTooDeep) { .count($0.health.received.nestedTooDeep) },
    .figure(.figureUnknownMessages) { .count($0.health.received.unknownMessages) },
    .figure(.figureMalformedMessages) { .count($0.health.received.malformedMessages) },
    .figure(.figureByteOrderMarks) { .count($0.health.received.byteOrderMarks) },
    .figure(.figureAudits) { .count($0.health.received.audits) },
    .figure(.figureDivergences) { .count($0.health.received.divergences) },
    .figure(.figureMerged) { .count($0.health.received.merged) },
  ]
}
