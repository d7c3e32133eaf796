import Dispatch
import FeedSimulator
import NIOCore
package import OddsFeed
import Platform

/// Plays one feed for all sessions: its time runs while somebody listens, and each message is made once.
package final class FeedHub: Sendable {
  /// A dump, and the number of the last message that it has in it.
  package struct Snapshot: Sendable {
    package let bytes: [UInt8]
    /// The same bytes, shared by all who get them.
    let payload: ByteBuffer
    let last: UInt64

    fileprivate init(bytes: [UInt8], last: UInt64) {
      (self.bytes, self.last) = (bytes, last)
      payload = ByteBuffer(bytes: bytes)
    }
  }

  /// The server plays as many topics as it may.
  struct TooManyTopics: Error, CustomStringConvertible {
    let most: Int

    var description: String { "'\(most)' topics are played, which is the most: ask for one that others listen to" }
  }

  private struct OpenTopic {
    let log: TopicLog
    var listeners = 0
  }

  private struct State {
    var feed: any PlayedFeed
    var topics: [Topic: OpenTopic] = [:]
    /// Made since the last tick.
    var dumps: [Topic: Snapshot] = [:]
    var pages: [Topic: RESTSnapshot] = [:]
    /// Runs while a topic is open.
    var timer: (any DispatchSourceTimer)?
    /// The uptime of the last tick, in nanoseconds.
    var played: UInt64 = 0

    /// Plays what is due; the messages are those of open topics.
    mutating func advance(to uptime: UInt64) -> [TopicMessages] {
      played = uptime
      dumps = [:]
      pages = [:]
      return feed.advance(to: uptime)
    }

    /// Plays what went by while nobody listened.
    mutating func catchUp() {
      let now = DispatchTime.now().uptimeNanoseconds
      if topics.isEmpty, now >= played + feed.interval { _ = advance(to: now) }
    }

    mutating func dump(of topic: Topic) -> Snapshot? {
      if let known = dumps[topic] { return known }
      guard let bytes = feed.dump(of: topic) else { return nil }
      let dump = FeedHub.Snapshot(bytes: bytes, last: topics[topic]?.log.last ?? 0)
      if dumps.count < FeedHub.mostDumps { dumps[topic] = dump }
      return dump
    }
  }

  /// How many dumps are kept from one tick to the next.
  private static let mostDumps = 64

  private let state: Locked<State>
  private let limits: ServerLimits
  private let loops: [SessionLoop]
  private let metrics: ServerMetrics
  private let ticks = DispatchQueue(label: "toteboard.server")

  init(feed: any PlayedFeed, limits: ServerLimits, loops: [SessionLoop], metrics: ServerMetrics) {
    state = Locked(State(feed: feed))
    self.limits = limits
    self.loops = loops
    self.metrics = metrics
  }

  deinit {
    state.withLock { $0.timer.take()?.cancel() }
  }

  /// The dump of a topic as it is now; nil where there is no such topic.
  package func dump(of topic: Topic) -> Snapshot? {
    state.withLock { state in
      state.catchUp()
      return state.dump(of: topic)
    }
  }

  /// What REST tells of a topic as it is now; nil where there is no such topic.
  func page(of topic: Topic) -> RESTSnapshot? {
    state.withLock { state in
      state.catchUp()
      if let known = state.pages[topic] { return known }
      guard let dump = state.dump(of: topic) else { return nil }
      let page = RESTSnapshot(dump: dump.bytes)
      if state.pages.count < Self.mostDumps { state.pages[topic] = page }
      return page
    }
  }

  /// One more listens to a topic: what is new from now on comes after that number. Nil where there is no such topic.
  /// Throws where as many topics are open as may be.
  func join(_ topic: Topic) throws(TooManyTopics) -> (log: TopicLog, last: UInt64)? {
    try state.withLock { state throws(TooManyTopics) in
      state.catchUp()
      if state.topics[topic] == nil {
        guard state.topics.count < limits.openTopics else { throw TooManyTopics(most: limits.openTopics) }
        guard state.feed.open(topic) else { return nil }
        state.dumps[topic] = nil
        state.topics[topic] = OpenTopic(log: TopicLog(limits: limits))
        if state.timer == nil { state.timer = ticks.timer(every: state.feed.interval) { [weak self] in self?.tick() } }
        metrics.set(topics: state.topics.count)
      }
      state.topics[topic]!.listeners += 1
      let log = state.topics[topic]!.log
      return (log, log.last)
    }
  }

  /// One less listens; after the last the topic is closed.
  func leave(_ topic: Topic) {
    state.withLock { state in
      state.topics[topic]!.listeners -= 1
      guard state.topics[topic]!.listeners == 0 else { return }
      state.topics[topic] = nil
      state.dumps[topic] = nil
      state.feed.close(topic)
      if state.topics.isEmpty { state.timer.take()?.cancel() }
      metrics.set(topics: state.topics.count)
    }
  }

  /// Plays what is due at an uptime in nanoseconds, and sends it; the timer calls it.
  package func tick(uptime: UInt64 = DispatchTime.now().uptimeNanoseconds) {
    let hasNews = state.withLock { state in
      if state.topics.isEmpty { return false }
      let news = state.advance(to: uptime)
      for topic in news { state.topics[topic.topic]?.log.append(topic.messages) }
      return !news.isEmpty
    }
    metrics.ticked()
    if hasNews { for loop in loops { loop.wake() } }
  }
}
