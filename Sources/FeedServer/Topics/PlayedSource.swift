import Dispatch
import FeedSimulator
import NIOCore
package import OddsModel
import Platform

/// The topics of a feed that this process plays. The feed is advanced while a topic is open, on a queue of its own.
/// Dumps are built on others, from a copy of the feed's state, so that updates do not wait for them.
package final class PlayedSource: TopicSource {
  private struct State {
    var feed: any PlayedFeed
    var logs: [Topic: TopicLog] = [:]
    /// Active while a topic is open.
    var timer: RepeatingTimer?
    var onNews: @Sendable () -> Void = {}
    /// The uptime of the last tick, in nanoseconds.
    var played: UInt64 = 0
    /// The number of times that the feed was advanced.
    var moment: UInt64 = 0
    /// The greatest number of a message in any log.
    var highest: UInt64 = 0

    mutating func advance(to uptime: UInt64) -> [TopicMessages] {
      played = uptime
      moment += 1
      return feed.advance(to: uptime)
    }

    /// Advances the feed over the time in which no topic was open.
    mutating func catchUp() {
      let now = DispatchTime.now().uptimeNanoseconds
      if logs.isEmpty, now >= played + feed.interval { _ = advance(to: now) }
    }
  }

  // Used on `queue` only, so that nobody waits for the lock.
  private let state: Locked<State>
  private let rule: TopicRule
  private let queue = DispatchQueue(label: "toteboard.feed")
  private let builder = DispatchQueue(label: "toteboard.dumps")
  private let listBuilder = DispatchQueue(label: "toteboard.dumps.lists")
  /// True once the feed has ended. Event loops read it, which must not wait for the lock of `State`.
  private let isOver = Locked(false)
  private let onTick: @Sendable () -> Void
  private let onEnd: @Sendable () -> Void

  /// The reason for `TopicSource.outage` once the feed has ended.
  package static let outage = "recording ended"

  package var outage: String? { isOver.withLock { $0 } ? Self.outage : nil }

  /// Creates a source. `onTick` is called after each tick, and `onEnd` once the feed has ended.
  init(
    playing feed: any PlayedFeed, onTick: @escaping @Sendable () -> Void = {},
    onEnd: @escaping @Sendable () -> Void = {}
  ) {
    rule = feed.topicRule
    state = Locked(State(feed: feed))
    self.onTick = onTick
    self.onEnd = onEnd
  }

  package func start(onNews: @escaping @Sendable () -> Void) {
    perform { state in
      state.onNews = onNews
      guard let end = state.feed.end else { return }
      // While no topic is open, nothing else notices the end.
      self.catchUp(at: end + state.feed.interval)
    }
  }

  package func stop() { perform { $0.timer = nil } }

  package func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    if outage != nil { return completion(.failure(.lost)) }
    completion(rule.canonical(topic).map { .success($0) } ?? .failure(.unknown))
  }

  package func open(
    _ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void
  ) {
    perform { [self] state in
      let start = TopicWork.ofThread
      guard catchUp(&state) else { return completion(.failure(.lost)) }
      guard state.feed.open(topic) else { return completion(.failure(.unknown)) }
      // A dump that was requested before is older than the log's first message.
      state.highest += 1
      log.restart(after: state.highest)
      state.logs[topic] = log
      if state.timer == nil {
        state.timer = RepeatingTimer(every: .nanoseconds(Int64(state.feed.interval)), on: queue) { [weak self] in
          self?.tickNow(DispatchTime.now().uptimeNanoseconds)
        }
      }
      completion(.success(TopicWork(since: start)))
    }
  }

  package func close(_ topic: Topic) {
    perform { [self] state in
      state.highest = max(state.highest, state.logs.removeValue(forKey: topic)?.last ?? 0)
      state.feed.close(topic)
      guard state.logs.isEmpty else { return }
      state.timer = nil
      // The check at the end of the feed may have come while the topic was open. Before the end it is still to come.
      let now = DispatchTime.now().uptimeNanoseconds
      if let end = state.feed.end, now >= end { catchUp(at: now + state.feed.interval) }
    }
  }

  package func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    perform { [self] state in
      guard catchUp(&state) else { return completion(.failure(.lost)) }
      if let known, known.moment == state.moment { return completion(.success(known)) }
      (isForList ? listBuilder : builder).async { self.buildDump(of: topic, completion) }
    }
  }

  /// Builds a dump, on `builder` or `listBuilder`.
  ///
  /// NB: The copy is made when its dump is next, not when it is requested. Copies for many requests at once would delay
  /// the ticks, and take memory until their turn.
  private func buildDump(of topic: Topic, _ completion: @Sendable (Result<TopicDump, TopicError>) -> Void) {
    let start = TopicWork.ofThread
    let copy = queue.sync {
      state.withLock { state -> (build: @Sendable () -> [UInt8], last: UInt64, moment: UInt64)? in
        guard catchUp(&state), let build = state.feed.dump(of: topic) else { return nil }
        return (build, state.logs[topic]?.last ?? state.highest, state.moment)
      }
    }
    guard let copy else { return completion(.failure(outage == nil ? .unknown : .lost)) }
    let payload = ByteBuffer(bytes: copy.build())
    // NB: `sync` runs its closure on this thread.
    let work = TopicWork(since: start)
    completion(.success(TopicDump(payload: payload, last: copy.last, moment: copy.moment, work: work)))
  }

  /// Advances the feed to an uptime in nanoseconds and returns once its messages are in the logs.
  package func tick(uptime: UInt64 = DispatchTime.now().uptimeNanoseconds) { queue.sync { tickNow(uptime) } }

  /// Advances the feed, on `queue`.
  private func tickNow(_ uptime: UInt64) {
    let onNews: (@Sendable () -> Void)? = state.withLock { state in
      if state.logs.isEmpty { return nil }
      let news = state.advance(to: uptime)
      for topic in news { state.logs[topic.topic]?.append(topic.messages) }
      if !news.isEmpty { return state.onNews }
      // NB: Sessions get the last messages before their topics end.
      if state.feed.hasEnded { end(&state) }
      return nil
    }
    onTick()
    onNews?()
  }

  /// Advances the feed at an uptime in nanoseconds, if no topic is open then.
  private func catchUp(at uptime: UInt64) {
    queue.asyncAfter(deadline: DispatchTime(uptimeNanoseconds: uptime)) { [weak self] in
      guard let self else { return }
      perform { self.catchUp(&$0) }
    }
  }

  /// Advances the feed over the time in which no topic was open. Returns false if it has ended. On `queue`.
  @discardableResult
  private func catchUp(_ state: inout State) -> Bool {
    state.catchUp()
    if state.logs.isEmpty, state.feed.hasEnded { end(&state) }
    return !isOver.withLock { $0 }
  }

  /// Ends all topics, because their last prices are out of date once the feed has ended. On `queue`.
  private func end(_ state: inout State) {
    let isFirst = isOver.withLock { isOver in
      defer { isOver = true }
      return !isOver
    }
    guard isFirst else { return }
    for (topic, log) in state.logs {
      state.highest = max(state.highest, log.last)
      state.feed.close(topic)
      log.end()
    }
    state.logs = [:]
    state.timer = nil
    let onNews = state.onNews
    queue.async { onNews() }
    onEnd()
  }

  /// Calls `body` on the queue. Completions called there only hand work on to other queues.
  private func perform(_ body: @escaping @Sendable (inout sending State) -> Void) {
    queue.async { self.state.withLock { body(&$0) } }
  }
}
