import Dispatch
import FeedSimulator
import NIOCore
package import OddsModel
import Platform

/// Plays one feed for all sessions, while a topic is open. Each message is encoded once for all subscribers.
package final class FeedHub: Sendable {
  /// A dump of a topic and the number of the last message that it includes.
  package struct Snapshot: Sendable {
    package let bytes: [UInt8]
    /// The same bytes, shared by all recipients.
    let payload: ByteBuffer
    let last: UInt64

    fileprivate init(bytes: [UInt8], last: UInt64) {
      (self.bytes, self.last) = (bytes, last)
      payload = ByteBuffer(bytes: bytes)
    }
  }

  /// The error that the maximum number of topics is open.
  struct TooManyTopics: Error, CustomStringConvertible {
    let most: Int

    var description: String { "the limit of '\(most)' topics is reached: request one that is already open" }
  }

  private struct OpenTopic {
    let log: TopicLog
    var listeners = 0
  }

  private struct State {
    var feed: any PlayedFeed
    var topics: [Topic: OpenTopic] = [:]
    /// The dumps made since the last tick.
    var dumps: [Topic: Snapshot] = [:]
    var pages: [Topic: RESTSnapshot] = [:]
    /// Active while a topic is open.
    var timer: (any DispatchSourceTimer)?
    /// The uptime of the last tick, in nanoseconds.
    var played: UInt64 = 0

    /// Advances the feed and returns the new messages of open topics.
    mutating func advance(to uptime: UInt64) -> [TopicMessages] {
      played = uptime
      dumps = [:]
      pages = [:]
      return feed.advance(to: uptime)
    }

    /// Advances the feed over the time in which no topic was open.
    mutating func catchUp() {
      let now = DispatchTime.now().uptimeNanoseconds
      if topics.isEmpty, now >= played + feed.interval { _ = advance(to: now) }
    }

    mutating func dump(of topic: Topic) -> Snapshot? {
      if let known = dumps[topic] { return known }
      guard let bytes = feed.dump(of: topic)?() else { return nil }
      let dump = FeedHub.Snapshot(bytes: bytes, last: topics[topic]?.log.last ?? 0)
      if dumps.count < FeedHub.mostDumps { dumps[topic] = dump }
      return dump
    }
  }

  /// The maximum number of dumps, and of REST snapshots, kept from one tick to the next.
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

  deinit { state.withLock { $0.timer.take()?.cancel() } }

  /// Returns the current dump of a topic, or nil if the topic does not exist.
  package func dump(of topic: Topic) -> Snapshot? {
    state.withLock { state in
      state.catchUp()
      return state.dump(of: topic)
    }
  }

  /// Returns the current REST snapshot of a topic, or nil if the topic does not exist.
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

  /// Adds a subscriber to a topic.
  ///
  /// - Returns: The log of the topic and the number of its last message, after which the subscriber's messages begin;
  ///   nil if the topic does not exist.
  /// - Throws: `TooManyTopics` if the topic would have to be opened and the maximum number is open.
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

  /// Removes a subscriber of a topic. Closes the topic after the last one.
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

  /// Advances the feed to an uptime in nanoseconds and publishes the messages to the sessions. The timer calls it.
  package func tick(uptime: UInt64 = DispatchTime.now().uptimeNanoseconds) {
    let hasNews = state.withLock { state in
      if state.topics.isEmpty { return false }
      let news = state.advance(to: uptime)
      for topic in news { state.topics[topic.topic]?.log.append(topic.messages) }
      return !news.isEmpty
    }
    metrics.count { $0.ticks += 1 }
    if hasNews { for loop in loops { loop.scheduleFlush() } }
  }
}
