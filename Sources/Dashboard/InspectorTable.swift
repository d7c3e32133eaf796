import OddsFeed

/// What stands where in the inspector: two columns where the screen is wide, one below the other where it is not.
enum InspectorTable {
  /// One place of the table.
  enum Entry: Sendable {
    case gap
    case heading(String)
    case figure(String, @Sendable (Figures) -> Value)
  }

  /// What figures are made of.
  struct Figures {
    let health: ChannelHealth
    let rates: Inspector.Rates
    let topic: TopicState
    let source: DataSource
    let now: Moment
  }

  /// What stands behind a label.
  enum Value {
    case count(Int, perSecond: Double? = nil)
    /// Nil where it is not known.
    case milliseconds(Int?)
    case bytes(Int)
    /// Milliseconds since 1970.
    case time(Int64)
    case grade(Staleness.Grade)
    case word(String)
  }

  /// From how many cells on there are two columns.
  static let wideFrom = 68

  static func isWide(_ width: Int) -> Bool { width >= wideFrom }

  /// How many lines it has on a screen of that many cells.
  static func count(width: Int) -> Int {
    isWide(width) ? max(left.count, right.count) : left.count + 1 + right.count
  }

  /// What stands on a line of it, from the left.
  static func entries(_ line: Int, width: Int) -> [Entry] {
    func entry(_ column: [Entry], _ at: Int) -> Entry { column.indices.contains(at) ? column[at] : .gap }
    if isWide(width) { return [entry(left, line), entry(right, line)] }
    return [line < left.count ? left[line] : entry(right, line - left.count - 1)]
  }

  private static let left: [Entry] = [
    .heading("PRICES"),
    .figure("state") { .grade($0.health.staleness.grade) },
    .figure("since") { .time($0.health.staleness.since) },
    .figure("source") { .word($0.source.word) },
    .figure("topic") { .word($0.topic.word) },
    .figure("lag p50") { .milliseconds($0.health.lagMedian) },
    .figure("lag p99") { .milliseconds($0.health.lagP99) },
    .gap,
    .heading("RECEIVED"),
    .figure("messages") { .count($0.health.received.messages, perSecond: $0.rates.messages) },
    .figure("odds updates") { .count($0.health.received.oddsUpdates, perSecond: $0.rates.oddsUpdates) },
    .figure("applied") { .count($0.health.received.applied, perSecond: $0.rates.applied) },
    .figure("ignored") { .count($0.health.received.ignored, perSecond: $0.rates.ignored) },
    .figure("dumps") { .count($0.health.received.dumps) },
    .gap,
    .heading("CHANNEL"),
    .figure("memory") { .bytes($0.health.memory) },
    .figure("conflated") { .count($0.health.conflated) },
    .figure("readers") { .count($0.health.readers) },
    .figure("observers") { .count($0.health.observers) },
  ]

  private static let right: [Entry] = [
    .heading("RECORDS"),
    .figure("sports") { .count($0.health.received.kinds.sports) },
    .figure("matches") { .count($0.health.received.kinds.matches) },
    .figure("markets") { .count($0.health.received.kinds.markets) },
    .figure("outcomes") { .count($0.health.received.kinds.outcomes) },
    .figure("relations") { .count($0.health.received.kinds.relations) },
    .figure("offers") { .count($0.health.received.kinds.offers) },
    .figure("main markets") { .count($0.health.received.kinds.mainMarkets) },
    .figure("event infos") { .count($0.health.received.kinds.eventInfos) },
    .figure("others") { .count($0.health.received.kinds.others) },
    .gap,
    .heading("OUT OF ORDER"),
    .figure("held") { .count($0.health.received.held) },
    .figure("waiting") { .count($0.health.received.waiting) },
    .figure("expired") { .count($0.health.received.expired) },
    .figure("recreated") { .count($0.health.received.recreated) },
    .figure("unparsable") { .count($0.health.received.unparsable) },
    .figure("set aside") { .count($0.health.received.setAside) },
    .figure("audits") { .count($0.health.received.audits) },
    .figure("divergences") { .count($0.health.received.divergences) },
  ]
}

extension DataSource {
  fileprivate var word: String {
    switch self {
    case .none: "none"
    case .cache: "cache"
    case .api, .polling: "REST"
    case .stream: "stream"
    }
  }
}

extension TopicState {
  fileprivate var word: String {
    switch self {
    case .requested: "requested"
    case .live: "live"
    case .maintenance: "maintenance"
    case .late: "late"
    case .refused: "refused"
    }
  }
}
