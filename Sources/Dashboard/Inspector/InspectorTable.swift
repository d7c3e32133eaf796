import Localization
import OddsModel

/// The layout of the inspector: two columns on a wide screen, one column on a narrow one.
enum InspectorTable {
  /// An entry of the table.
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

  /// The minimum width for two columns, in cells.
  static let wideFrom = 68

  static func isWide(_ width: Int) -> Bool { width >= wideFrom }

  /// Returns the number of rows for a screen of that width, in cells.
  static func count(width: Int) -> Int {
    isWide(width) ? max(left.count, right.count) : left.count + 1 + right.count
  }

  /// Returns the entries in a row, from left to right.
  static func entries(_ line: Int, width: Int) -> [Entry] {
    func entry(_ column: [Entry], _ at: Int) -> Entry { column.indices.contains(at) ? column[at] : .gap }
    if isWide(width) { return [entry(left, line), entry(right, line)] }
    return [line < left.count ? left[line] : entry(right, line - left.count - 1)]
  }

  private static let left: [Entry] = [
    .heading(.inspectorPrices),
    .figure(.figureState) { .grade($0.health.staleness.grade) },
    .figure(.figureSince) { .time($0.health.staleness.since) },
    .figure(.figureSource) { .word($0.source.word) },
    .figure(.figureTopic) { .word($0.topic.word) },
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
    .figure(.figureHeld) { .count($0.health.received.held) },
    .figure(.figureWaiting) { .count($0.health.received.waiting) },
    .figure(.figureExpired) { .count($0.health.received.expired) },
    .figure(.figureRecreated) { .count($0.health.received.duplicateCreates) },
    .figure(.figureUnparsable) { .count($0.health.received.unparsable) },
    .figure(.figureSetAside) { .count($0.health.received.rejected) },
    .figure(.figureOddsAboveLimit) { .count($0.health.received.oddsAboveLimit) },
    .figure(.figureUnreadableStatuses) { .count($0.health.received.unreadableStatuses) },
    .figure(.figureTimesOutOfRange) { .count($0.health.received.timesOutOfRange) },
    .figure(.figureNestedTooDeep) { .count($0.health.received.nestedTooDeep) },
    .figure(.figureUnknownMessages) { .count($0.health.received.unknownMessages) },
    .figure(.figureMalformedMessages) { .count($0.health.received.malformedMessages) },
    .figure(.figureByteOrderMarks) { .count($0.health.received.byteOrderMarks) },
    .figure(.figureAudits) { .count($0.health.received.audits) },
    .figure(.figureDivergences) { .count($0.health.received.divergences) },
  ]
}

extension DataSource {
  fileprivate var word: MessageKey {
    switch self {
    case .none: .sourceNone
    case .cache: .sourceCache
    case .api, .polling: .sourceREST
    case .stream: .sourceStream
    }
  }
}

extension TopicState {
  fileprivate var word: MessageKey {
    switch self {
    case .requested: .topicRequested
    case .live: .statusLive
    case .maintenance: .statusMaintenance
    case .late: .topicLate
    case .retrying: .statusTopicError
    case .refused: .statusRefused
    }
  }
}
