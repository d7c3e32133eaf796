import NIOCore
import OddsModel

/// The latest dumps of topics, up to a total size. A dump is known by its topic and, if the topic was open, by its log:
/// the numbers of messages begin anew when a topic is opened.
struct DumpCache {
  struct Entry {
    let dump: TopicDump
    /// The time at which the dump was stored.
    let time: NIODeadline
    fileprivate let log: TopicLog?
    fileprivate let age: Int
  }

  /// The maximum total size, in bytes. One dump is always kept.
  private let maxBytes: Int
  private var entries: [Topic: Entry] = [:]
  private var bytes = 0
  private var lastAge = 0

  init(maxBytes: Int) { self.maxBytes = maxBytes }

  /// Returns the dump of a topic that is open with `log`, or of one that is not open.
  func entry(of topic: Topic, _ log: TopicLog?) -> Entry? {
    guard let entry = entries[topic], entry.log === log else { return nil }
    return entry
  }

  /// Stores a dump. Removes the oldest ones beyond the maximum size.
  mutating func store(_ dump: TopicDump, of topic: Topic, _ log: TopicLog?, now: NIODeadline) {
    remove(topic)
    lastAge += 1
    entries[topic] = Entry(dump: dump, time: now, log: log, age: lastAge)
    bytes += dump.payload.readableBytes
    while bytes > maxBytes, entries.count > 1, let oldest = entries.min(by: { $0.value.age < $1.value.age })?.key {
      remove(oldest)
    }
  }

  mutating func remove(_ topic: Topic) {
    guard let entry = entries.removeValue(forKey: topic) else { return }
    bytes -= entry.dump.payload.readableBytes
  }
}
