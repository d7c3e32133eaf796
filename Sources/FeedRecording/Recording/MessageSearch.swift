import JSONText
import OddsFeed

/// A search for the first message in the lines of a feed. Input without any message is not a feed.
struct MessageSearch {
  private(set) var hasFound = false
  private var decoder: any FeedDecoder
  private var batch = FeedBatch()

  init(_ format: any FeedFormat) { decoder = format.makeDecoder() }

  /// Searches lines until a message is found.
  mutating func add(_ lines: UnsafeBufferPointer<UInt8>) {
    guard !hasFound else { return }
    lines.eachLine(in: 0..<lines.count) { line in
      guard !hasFound else { return }
      decoder.decode(lines, line, into: &batch)
      // A JSON object without a kind decodes as an empty update, which does not count.
      hasFound = batch.messages.contains { $0.kind == .dump || !$0.records.isEmpty || $0.version != nil }
      batch.removeAll()
    }
  }
}
