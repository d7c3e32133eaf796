import JSONText
public import OddsFeed
import OddsModel

/// A decoder of the stream's messages into records, with the state of all markets of one subscription (Stream.md).
///
/// After a message that cannot be read, no market has prices until its next image. The parts of a segmented message
/// become one message.
public struct BetfairDecoder: FeedDecoder {
  /// The interval of updates for a key without access to live prices, in milliseconds.
  static let delayedConflation: Int64 = 180_000
  /// The longest interval of updates, in milliseconds, with which prices are live: that of heartbeats.
  static let liveConflation: Int64 = 5_000

  private var reader = StreamReader()
  private var message = StreamMessage()
  private(set) var cache: MarketCache
  private var records: MarketRecords
  /// True if a message without a time of receipt counts as received when it was published, as in a recording.
  private let isRecorded: Bool
  /// The time of the last message of a recording, which one without a time has too. Nil on a connection.
  private var lastReceipt: Int64?
  /// The state of the source in the last message for readers; nil before the first.
  private var lastSource: SourceState?

  /// Creates a decoder in its initial state.
  ///
  /// - Parameter isRecorded: True for a recording, whose clock is the time of publication.
  public init(isRecorded: Bool = false) {
    self.isRecorded = isRecorded
    cache = MarketCache(isRecorded: isRecorded)
    records = MarketRecords(isRecorded: isRecorded)
  }

  public mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, into batch: inout FeedBatch) {
    var cursor = JSONCursor(bytes, range)
    let hadMark = cursor.skipByteOrderMark()
    if cursor.peek() == 0 { return }
    if hadMark { batch.exceptions.byteOrderMarks += 1 }
    message.removeAll()
    let receivedAt: Int64?
    do throws(JSONError) {
      receivedAt = try reader.read(&cursor, into: &message)
      guard cursor.peek() == 0 else { throw JSONError.syntax }
    } catch {
      batch.unparsable += 1
      if error == .depth { batch.exceptions.nestedTooDeep += 1 }
      return append(cache.lose(), at: nil, receivedAt: nil, to: &batch)
    }
    switch message.operation {
    case .marketChange, .names: break
    case .connection, .status: return
    case .none, .other:
      batch.exceptions.unknownMessages += 1
      // It has markets, so only its kind cannot be read.
      if message.hasMarkets { append(cache.lose(), at: message.publishTime, receivedAt: receivedAt, to: &batch) }
      return
    }
    if message.operation == .marketChange, cache.isPartMissing(before: message) { message.isDamaged = true }
    if message.isDamaged || message.hasDamagedMarkets { batch.exceptions.malformedMessages += 1 }
    let merged = cache.conflatedCount
    let effect = message.operation == .names ? cache.apply(names: message.names) : cache.apply(message)
    batch.exceptions.merged += cache.conflatedCount - merged
    append(effect, at: message.publishTime, receivedAt: receivedAt, to: &batch)
  }

  private mutating func append(
    _ effect: MarketCache.Effect, at time: Int64?, receivedAt: Int64?, to batch: inout FeedBatch
  ) {
    lastReceipt = receivedAt ?? (isRecorded ? time : nil) ?? lastReceipt
    let source = source
    // A part of a message tells readers only that the source has become stale.
    if effect == .none, !cache.isStale || lastSource == nil || lastSource == source { return }
    let index = batch.messages.count
    batch.appendMessage(effect == .dump ? .dump : .update, version: time) { batch in
      if effect != .none { records.append(&cache, isDump: effect == .dump, to: &batch) }
    }
    batch.messages[index].receivedAt = lastReceipt
    batch.messages[index].source = source
    lastSource = source
  }

  private var source: SourceState {
    if cache.isStale { return .impaired(.sourceStale) }
    if cache.conflation >= Self.delayedConflation { return .impaired(.delayedAccess) }
    return cache.conflation > Self.liveConflation ? .impaired(.updatesMerged) : .live
  }
}
