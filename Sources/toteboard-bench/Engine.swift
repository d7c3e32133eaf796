import EveryMatrix
import OddsFeed
import OddsModel

/// The assumed time of arrival of all frames, in milliseconds since 1970.
let feedTime: Int64 = 1_750_752_650_000

/// The decoder and the store of one channel, with the buffers between them.
struct Engine {
  private var decoder = MessageDecoder()
  private(set) var batch = FeedBatch()
  private var changes = FeedChanges()
  private var channel = ChannelState()

  var counters: FeedCounters { channel.counters }

  mutating func decode(_ bytes: UnsafeBufferPointer<UInt8>, _ message: Range<Int>) {
    decoder.decode(bytes, message, into: &batch)
  }

  mutating func decode(_ message: [UInt8]) { message.withUnsafeBufferPointer { decode($0, 0..<$0.count) } }

  /// Applies the decoded messages and returns the number of changed matches. With `building`, also builds their values.
  @discardableResult
  mutating func apply(building: Bool = false) -> Int {
    channel.apply(batch, at: feedTime, into: &changes)
    if building { for match in changes.matches { _ = channel.match(match) } }
    defer {
      changes.removeAll()
      batch.removeAll()
    }
    return changes.matches.count
  }

  /// Drops the decoded messages.
  mutating func skip() { batch.removeAll() }

  /// Frees everything but the store.
  mutating func freeBuffers() {
    decoder = MessageDecoder()
    batch = FeedBatch()
    changes = FeedChanges()
  }

  /// Builds the values of all matches, and returns them by start time.
  @discardableResult
  mutating func buildAll() -> [Match] {
    channel.matchIDs.compactMap { channel.match($0) }
      .sorted { ($0.startTime ?? 0, $0.id) < ($1.startTime ?? 0, $1.id) }
  }
}
