package import OddsModel

/// A feed that plays a simulated book. Prices are updated only while a topic is open.
///
/// After more than `TickScheduler.longestCatchUp` without `advance(to:)` the book jumps: it gets new matches at the new
/// time, and open topics get an INITIAL_DUMP.
package struct BookFeed: PlayedFeed {
  private struct OpenTopic {
    let topic: Topic
    var feed: TopicFeed
    /// True from a jump until the topic's dump, which is its next message.
    var needsDump = false
  }

  /// The size of the dumps, in bytes, at which one call of `advance(to:)` leaves further ones to the next call.
  static let dumpLimit = 4 << 20

  private var book: SimulatedBook
  private var pacer: TickScheduler
  /// The open topics in the order in which they were opened, which is the order of messages.
  private var open: [OpenTopic] = []

  /// Creates a feed with a new book. `uptime` is the current uptime, in nanoseconds.
  package init(options: SimulatorOptions, uptime: UInt64) {
    book = SimulatedBook(options: options)
    pacer = TickScheduler(rate: options.rate, uptime: uptime)
  }

  package var rate: Double { pacer.rate }

  package mutating func setRate(_ updatesPerSecond: Double) { pacer.setRate(updatesPerSecond) }

  package var interval: UInt64 { pacer.interval }

  package var topicRule: TopicRule { .simulated(matches: book.matches.count) }

  package mutating func open(_ topic: Topic) -> Bool {
    if open.contains(where: { $0.topic == topic }) { return true }
    guard var feed = feed(of: topic) else { return false }
    feed.start(in: book)
    open.append(OpenTopic(topic: topic, feed: feed))
    return true
  }

  package mutating func close(_ topic: Topic) { open.removeAll { $0.topic == topic } }

  package func dump(of topic: Topic) -> (@Sendable () -> [UInt8])? {
    guard let feed = open.first(where: { $0.topic == topic })?.feed ?? feed(of: topic) else { return nil }
    let contents = feed.contents(in: book)
    return { contents.dump }
  }

  /// Advances the book. While no topic is open, the elapsed time is played without price updates.
  package mutating func advance(to uptime: UInt64) -> [TopicMessages] {
    if let elapsed = pacer.skip(to: uptime) {
      book.jump(elapsed: elapsed)
      for index in open.indices { open[index].needsDump = true }
      return dumps()
    }
    if open.isEmpty {
      while case let due = pacer.advance(to: uptime), due.elapsed > 0 {
        _ = book.tick(elapsed: due.elapsed, updates: 0)
      }
      return []
    }
    let due = pacer.advance(to: uptime)
    let tick = book.tick(elapsed: due.elapsed, updates: due.updates)
    var all: [TopicMessages] = []
    for index in open.indices where !open[index].needsDump {
      let messages = open[index].feed.frames(for: tick, of: book)
      if !messages.isEmpty { all.append(TopicMessages(topic: open[index].topic, messages: messages)) }
    }
    return all + dumps()
  }

  /// Returns the feed of a topic that exists.
  private func feed(of topic: Topic) -> TopicFeed? {
    let feed = TopicFeed(topic: topic)
    return feed.selection?.exists(in: book) == true ? feed : nil
  }

  /// Returns the dumps that open topics need, up to `dumpLimit`, but at least one.
  private mutating func dumps() -> [TopicMessages] {
    var all: [TopicMessages] = []
    var size = 0
    for index in open.indices where open[index].needsDump && size < Self.dumpLimit {
      open[index].needsDump = false
      open[index].feed.start(in: book)
      let dump = open[index].feed.dump(of: book)
      size += dump.count
      all.append(TopicMessages(topic: open[index].topic, messages: [dump]))
    }
    return all
  }
}
