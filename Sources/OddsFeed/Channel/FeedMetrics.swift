import CoreMetrics
import OddsModel

/// The counters and gauges of a channel, sent to the process's metrics backend.
struct FeedMetrics {
  private struct Count {
    let counter: Counter
    let value: (FeedCounters) -> Int
    var lastPublished = 0
  }

  private var counts: [Count]
  private let conflated: Counter
  private var lastPublishedConflated = 0
  private let gauges: [(meter: Meter, value: @Sendable (ChannelHealth) -> Int?)]
  private let freshness: Meter
  private var lastPublishedGrade: Freshness.Grade?
  /// The time at which the other gauges were last set, in milliseconds since 1970.
  private var gaugesSet: Int64?

  /// The shortest interval between two updates of the gauges, in milliseconds. Gauges cost more than counters.
  private static let gaugeInterval: Int64 = 1000

  /// Creates the metrics of a channel; nil if the factory discards them, so that they cost nothing.
  init?(topic: Topic, factory: any MetricsFactory) {
    if factory is NOOPMetricsHandler { return nil }
    let dimensions = [("topic", topic.path)]
    func counter(_ name: String, _ more: [(String, String)] = []) -> Counter {
      Counter(label: "toteboard_feed_\(name)", dimensions: dimensions + more, factory: factory)
    }
    counts =
      Self.counters.map { Count(counter: counter($0.name), value: $0.value) }
      + Self.kinds.map { kind in
        Count(counter: counter("records", [("type", kind.name)])) { kind.value($0.kinds) }
      }
    conflated = counter("conflated")
    func meter(_ name: String) -> Meter {
      Meter(label: "toteboard_feed_\(name)", dimensions: dimensions, factory: factory)
    }
    gauges = Self.gauges.map { (meter: meter($0.name), value: $0.value) }
    freshness = meter("staleness")
  }

  /// Adds the counts since the last call. `health` is called once per gauge interval at most.
  ///
  /// - Parameter grade: Set at once, because no message may follow for long.
  mutating func update(
    _ counters: FeedCounters, conflated: Int, grade: Freshness.Grade, at now: Int64, health: () -> ChannelHealth
  ) {
    for index in counts.indices {
      let value = counts[index].value(counters)
      if value == counts[index].lastPublished { continue }
      counts[index].counter.increment(by: value - counts[index].lastPublished)
      counts[index].lastPublished = value
    }
    if conflated != lastPublishedConflated {
      self.conflated.increment(by: conflated - lastPublishedConflated)
      lastPublishedConflated = conflated
    }
    if grade != lastPublishedGrade {
      freshness.set(grade.rawValue)
      lastPublishedGrade = grade
    }
    if let gaugesSet, gaugesSet <= now, now < gaugesSet + Self.gaugeInterval { return }
    gaugesSet = now
    let health = health()
    for gauge in gauges { if let value = gauge.value(health) { gauge.meter.set(value) } }
  }

  /// Releases the backend's memory for a channel that is released.
  func destroy() {
    for count in counts { count.counter.destroy() }
    conflated.destroy()
    freshness.destroy()
    for gauge in gauges { gauge.meter.destroy() }
  }

  private static let counters: [(name: String, value: @Sendable (FeedCounters) -> Int)] = [
    ("messages", { $0.messages }), ("dumps", { $0.dumps }), ("applied", { $0.applied }), ("ignored", { $0.ignored }),
    ("odds_updates", { $0.oddsUpdates }), ("held", { $0.held }), ("expired", { $0.expired }),
    ("set_aside", { $0.rejected }), ("recreated", { $0.duplicateCreates }), ("unparsable", { $0.unparsable }),
    ("odds_above_limit", { $0.oddsAboveLimit }), ("unreadable_statuses", { $0.unreadableStatuses }),
    ("times_out_of_range", { $0.timesOutOfRange }), ("nested_too_deep", { $0.nestedTooDeep }),
    ("unknown_messages", { $0.unknownMessages }), ("malformed_messages", { $0.malformedMessages }),
    ("byte_order_marks", { $0.byteOrderMarks }), ("merged", { $0.merged }), ("audits", { $0.audits }),
    ("divergences", { $0.divergences }),
  ]

  private static let kinds: [(name: String, value: @Sendable (RecordCounts) -> Int)] = [
    ("SPORT", { $0.sports }), ("MATCH", { $0.matches }), ("MARKET", { $0.markets }), ("OUTCOME", { $0.outcomes }),
    ("MARKET_OUTCOME_RELATION", { $0.relations }), ("BETTING_OFFER", { $0.offers }),
    ("MAIN_MARKET", { $0.mainMarkets }), ("EVENT_INFO", { $0.eventInfos }),
    ("EXCHANGE_MARKET", { $0.exchangeMarkets }), ("EXCHANGE_PRICES", { $0.exchangePrices }),
    ("other", { $0.others }),
  ]

  private static let gauges: [(name: String, value: @Sendable (ChannelHealth) -> Int?)] = [
    ("waiting", { $0.received.waiting }), ("memory_bytes", { $0.memory }),
    ("lag_p50_milliseconds", { $0.lagMedian }), ("lag_p99_milliseconds", { $0.lagP99 }),
  ]
}
