import Histogram
import JSONText
package import OddsFeed
import OddsModel

/// A report on the content and the errors of a feed of JSON lines, as printed by `toteboard inspect`.
///
/// Each topic has its own channel. Only results are kept, not lines, so the memory does not grow with the length of a
/// recording.
package struct Inspection {
  /// An error in the feed.
  package struct Finding: Sendable {
    /// The number of the line, from 1; nil for an error that is known only at the end of the feed.
    package let line: Int?
    package let issue: FeedIssue
    /// The beginning of the record as sent; nil if the record is from an earlier line.
    package let excerpt: String?
  }

  /// The largest number of topics, since each has its own channel. Further topics are counted as one.
  package static let maxTopics = 1000

  /// The largest number of findings kept. Further ones are only counted.
  package static let maxFindings = 1000

  package internal(set) var lines = 0
  package internal(set) var bytes = 0
  /// The number of lines with a message of an unknown kind, or with no message.
  package internal(set) var otherLines = 0
  package internal(set) var topics: [InspectedTopic] = []
  package internal(set) var findings: [Finding] = []
  package internal(set) var findingCounts: [FindingKind: Int] = [:]
  /// The number of the first line with a message of another provider than those before it, from 1, and the two
  /// providers; nil if all are of one.
  package internal(set) var mixture: (line: Int, provider: String, before: String)?
  /// The time spent on decoding and applying.
  package internal(set) var engineTime = Duration.zero
  /// The sizes of lines, in bytes.
  var sizes = Histogram<UInt32>(highestTrackableValue: 1 << 32, numberOfSignificantValueDigits: .two)

  package let format: any FeedFormat
  private var batch = FeedBatch()
  private var changes = FeedChanges()
  /// The indices of each topic: one for each provider.
  private var indices: [Topic: [Int]] = [:]
  /// The provider of the last message of a known form.
  private var provider: String?
  /// The raw bytes, the index and the format of the previous line's topic, which is usually the next line's too.
  private var lastTopic: (raw: [UInt8], index: Int, format: any FeedFormat)?
  /// The format of the last bare message, and the index of the topic of bare messages.
  private var bare: (format: any FeedFormat, index: Int)?

  private let options: StoreOptions

  package init(format: any FeedFormat, options: StoreOptions = StoreOptions()) {
    self.format = format
    self.options = options
  }

  /// Inspects the lines of a frame.
  package mutating func add(_ frame: TransportFrame) {
    frame.withMessages { bytes in
      bytes.eachLine(in: 0..<bytes.count) { add(bytes, $0) }
    }
  }

  private mutating func add(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    let line = UnsafeBufferPointer(rebasing: bytes[range])
    lines += 1
    self.bytes += line.count + 1
    if line.allSatisfy({ $0 <= 0x20 }) { return }
    _ = sizes.record(UInt64(line.count))
    let index = index(ofTopicIn: line)
    topics[index].bytes += line.count
    let start = ContinuousClock.now
    topics[index].decoder.decode(bytes, range, into: &batch)
    topics[index].apply(batch, &changes)
    engineTime += start.duration(to: .now)
    if batch.messages.isEmpty { otherLines += 1 - batch.unparsable }
    var reasons = batch.exceptions.reasons
    if batch.unparsable > 0, !reasons.contains(.nestedTooDeep) { reasons.append(.unparsable) }
    for reason in reasons {
      find(FindingKind(reason), FeedIssue(ofText: reason, offset: UInt32(range.lowerBound)), line, range.lowerBound)
    }
    for issue in topics[index].takeIssues() { find(FindingKind(issue.reason), issue, line, range.lowerBound) }
    topics[index].count(batch)
    batch.removeAll()
    changes.removeAll()
  }

  /// Ends the inspection: reports the records that are still pending.
  package mutating func finish() {
    for index in topics.indices {
      for issue in topics[index].finish(&changes) { find(FindingKind(issue.reason), issue, nil, 0) }
    }
  }

  private mutating func find(_ kind: FindingKind, _ issue: FeedIssue, _ line: UnsafeBufferPointer<UInt8>?, _ start: Int)
  {
    findingCounts[kind, default: 0] += 1
    guard findings.count < Self.maxFindings else { return }
    let excerpt = line.flatMap { line in
      issue.offset.map { offset in String(decoding: line.dropFirst(Int(offset) - start).prefix(120), as: UTF8.self) }
    }
    findings.append(Finding(line: line == nil ? nil : lines, issue: issue, excerpt: excerpt))
  }

  private mutating func index(ofTopicIn line: UnsafeBufferPointer<UInt8>) -> Int {
    if let bare, bare.format.isMessage(line) { return bare.index }
    if let format = format.format(ofMessage: line) {
      let index = index(of: Recording.bareTopic, format)
      bare = (format, index)
      return index
    }
    let recorded = RecordingLine(line, format)
    let raw = recorded?.topic.map { line[$0] }
    let message = recorded.map { UnsafeBufferPointer(rebasing: line[$0.message]) }
    if let raw, let lastTopic, lastTopic.raw.elementsEqual(raw) {
      let known = lastTopic.format
      if message.map(known.isMessage) ?? true { return lastTopic.index }
    }
    let topic = raw.map { Topic(path: RecordingIndex.text($0)) } ?? Recording.bareTopic
    let format = message.flatMap { self.format.format(ofMessage: $0) }
    let index = index(of: topic, format)
    lastTopic = raw.flatMap { raw in format.map { (Array(raw), index, $0) } }
    return index
  }

  /// Returns the index of a topic. Messages of two providers on one topic are counted apart. `format` is nil for a line
  /// that is no message of a known form.
  private mutating func index(of topic: Topic, _ format: (any FeedFormat)?) -> Int {
    if let name = format?.name, name != provider {
      if let provider, mixture == nil { mixture = (lines, name, provider) }
      provider = name
    }
    var topic = topic
    if topics.count >= Self.maxTopics, indices[topic] == nil { topic = Topic(path: "(other topics)") }
    let known = indices[topic] ?? []
    // A line that is no message is counted with the first messages of its topic.
    let index =
      format == nil
      ? known.first
      : known.first { topics[$0].provider == format?.name } ?? known.first { topics[$0].provider == nil }
    if let index {
      topics[index].provider = topics[index].provider ?? format?.name
      return index
    }
    topics.append(InspectedTopic(topic, decoder: self.format.makeDecoder(), options))
    topics[topics.count - 1].provider = format?.name
    let all = known + [topics.count - 1]
    indices[topic] = all
    if all.count > 1 { for index in all { topics[index].isMixed = true } }
    return topics.count - 1
  }

  /// Returns the line size, in bytes, that the given percentage of lines (0 to 100) does not exceed.
  package func size(percentile: Double) -> Int { Int(sizes.valueAtPercentile(percentile)) }
}

/// The kind of an error in a feed.
package enum FindingKind: String, CaseIterable, Sendable {
  case unparsable, nestedTooDeep, rejected, oddsAboveLimit, unreadableStatus, timeOutOfRange, unknownMessage
  case byteOrderMark, createOfKnown, updateOfUnknown, deleteOfUnknown, neverResolved

  package init(_ reason: FeedIssue.Reason) {
    switch reason {
    case .unparsable: self = .unparsable
    case .nestedTooDeep: self = .nestedTooDeep
    case .oddsOutOfRange(let odds) where odds > DecimalOdds.limit: self = .oddsAboveLimit
    case .missingID, .noChangeType, .noContent, .malformedMessage, .wrongType, .oddsOutOfRange: self = .rejected
    case .unreadableStatus: self = .unreadableStatus
    case .timeOutOfRange: self = .timeOutOfRange
    case .unknownMessage: self = .unknownMessage
    case .byteOrderMark: self = .byteOrderMark
    case .createOfKnown: self = .createOfKnown
    case .updateOfUnknown: self = .updateOfUnknown
    case .deleteOfUnknown: self = .deleteOfUnknown
    case .parentMissing: self = .neverResolved
    }
  }
}
