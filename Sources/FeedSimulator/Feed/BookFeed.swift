package import OddsModel

/// A feed that plays a simulated book. Prices are updated only while a topic is open.
package struct BookFeed: PlayedFeed {
  private var book: SimulatedBook
  private var pacer: TickScheduler
  /// The open topics in the order in which they were opened, which is the order of messages.
  private var open: [(topic: Topic, feed: TopicFeed)] = []

  /// Creates a feed with a new book. `uptime` is the current uptime, in nanoseconds.
  package init(options: SimulatorOptions, uptime: UInt64) {
    book = SimulatedBook(options: options)
    pacer = TickScheduler(rate: options.rate, uptime: uptime)
  }

  package var rate: Double { pacer.rate }

  package mutating func setRate(_ updatesPerSecond: Double) { pacer.setRate(updatesPerSecond) }

  package var interval: UInt64 { pacer.interval }

  package mutating func open(_ topic: Topic) -> Bool {
    var feed = TopicFeed(topic: topic)
    guard feed.selection != nil, !open.contains(where: { $0.topic == topic }) else { return feed.selection != nil }
    _ = feed.dump(of: book)
    open.append((topic, feed))
    return true
  }

  package mutating func close(_ topic: Topic) { open.removeAll { $0.topic == topic } }

  package mutating func dump(of topic: Topic) -> [UInt8]? {
    if let place = open.firstIndex(where: { $0.topic == topic }) { return open[place].feed.dump(of: book) }
    var feed = TopicFeed(topic: topic)
    return feed.selection == nil ? nil : feed.dump(of: book)
  }

  /// Advances the book. While no topic is open, the elapsed time is played without price updates.
  package mutating func advance(to uptime: UInt64) -> [TopicMessages] {
    if open.isEmpty {
      while case let due = pacer.advance(to: uptime), due.elapsed > 0 {
        _ = book.tick(elapsed: due.elapsed, updates: 0)
      }
      return []
    }
    let due = pacer.advance(to: uptime)
    let tick = book.tick(elapsed: due.elapsed, updates: due.updates)
    var all: [TopicMessages] = []
    for place in open.indices {
      let messages = open[place].feed.frames(for: tick, of: book)
      if !messages.isEmpty { all.append(TopicMessages(topic: open[place].topic, messages: messages)) }
    }
    return all
  }
}
