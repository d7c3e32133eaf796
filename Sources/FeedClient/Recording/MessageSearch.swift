import OddsFeed

/// Looks for the first message among the lines of a feed: what has none is no feed.
struct MessageSearch {
  private(set) var hasFound = false
  private var decoder = MessageDecoder()
  private var batch = FeedBatch()

  /// Looks through lines, until a message has been found.
  mutating func add(_ lines: UnsafeBufferPointer<UInt8>) {
    guard !hasFound else { return }
    lines.eachLine(in: 0..<lines.count) { line in
      guard !hasFound else { return }
      decoder.decode(lines, line, into: &batch)
      // Any JSON object without a kind is an update of nothing.
      hasFound = batch.messages.contains { $0.kind == .dump || !$0.records.isEmpty || $0.version != nil }
      batch.removeAll()
    }
  }
}
