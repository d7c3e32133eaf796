package import OddsFeed
package import OddsModel

/// The results of an inspection for one topic.
package struct InspectedTopic {
  package let topic: Topic
  /// The provider of the messages; nil before the first message of a known form.
  package internal(set) var provider: String?
  /// True if the feed has messages of other providers for the topic, which are counted apart.
  package internal(set) var isMixed = false
  package internal(set) var bytes = 0
  package internal(set) var dumps = 0
  package internal(set) var updates = 0
  package private(set) var recordCount = 0
  /// The numbers of records, by type and then by operation.
  private var records = [Int](repeating: 0, count: RecordKind.allCases.count * Change.allCases.count)
  /// The first and last time of receipt, in milliseconds since 1970; of versions if no line has a time of receipt.
  package private(set) var span: ClosedRange<Int64>?
  /// True if `span` consists of times of receipt.
  package private(set) var isByReceipt = false
  private var channel: ChannelState
  var decoder: any FeedDecoder

  /// The operation that a record performs.
  package enum Change: String, CaseIterable, Sendable { case dump, create, update, delete }

  init(_ topic: Topic, decoder: any FeedDecoder, _ options: StoreOptions) {
    self.topic = topic
    self.decoder = decoder
    channel = ChannelState(options: options)
    channel.keepsIssues = true
  }

  /// The topic's path, with the provider if several have it.
  package var title: String { isMixed ? "\(topic.path) (\(provider ?? "-"))" : topic.path }

  mutating func apply(_ batch: FeedBatch, _ changes: inout FeedChanges) { channel.apply(batch, into: &changes) }

  mutating func takeIssues() -> [FeedIssue] {
    if channel.issues.isEmpty { return [] }
    defer { channel.issues = [] }
    return channel.issues
  }

  /// Counts the messages of a line. Those of a line that cannot be read are the decoder's own: it withdraws prices.
  mutating func count(_ batch: FeedBatch) {
    if batch.unparsable > 0 { return }
    for message in batch.messages {
      if message.kind == .dump { dumps += 1 } else { updates += 1 }
      if let time = message.receivedAt {
        widen(to: time, isReceipt: true)
      } else {
        widen(to: message.version, isReceipt: false)
      }
      for record in batch.records[message.records] {
        recordCount += 1
        let change = message.kind == .dump ? Change.dump : Change(record.change)
        records[Self.index(record.kind) + change.index] += 1
      }
    }
  }

  /// Extends `span`. Versions count only while no line has a time of receipt.
  private mutating func widen(to time: Int64?, isReceipt: Bool) {
    guard let time, isReceipt || !isByReceipt else { return }
    if isReceipt, !isByReceipt {
      isByReceipt = true
      span = nil
    }
    span = span.map { min($0.lowerBound, time)...max($0.upperBound, time) } ?? time...time
  }

  /// Gives up pending records. Returns the issues found.
  mutating func finish(_ changes: inout FeedChanges) -> [FeedIssue] {
    channel.finish(into: &changes)
    return takeIssues() + channel.orphanIssues
  }

  /// Returns the numbers of records of a type, in the order of `Change.allCases`; nil if there are none.
  package func records(_ kind: RecordKind) -> [Int]? {
    let counts = records[Self.index(kind)...].prefix(Change.allCases.count)
    return counts.contains { $0 > 0 } ? Array(counts) : nil
  }

  /// Returns the index of a type's first number in `records`.
  private static func index(_ kind: RecordKind) -> Int { Int(kind.rawValue) * Change.allCases.count }

  package var counters: FeedCounters { channel.counters }
  package var memory: Int { channel.memory }
  package var matchCount: Int { channel.matchIDs.count }

  /// Returns a percentile of the lag, in milliseconds; nil if no line has a time of receipt.
  package func lag(percentile: Double) -> Int? { channel.lag(percentile: percentile) }
}

extension InspectedTopic.Change {
  /// The index of the operation among a type's numbers.
  fileprivate var index: Int {
    switch self {
    case .dump: 0
    case .create: 1
    case .update: 2
    case .delete: 3
    }
  }

  fileprivate init(_ change: ChangeKind) {
    switch change {
    case .create: self = .create
    case .update: self = .update
    case .delete: self = .delete
    }
  }
}
