import Dispatch
import NIOCore
import OddsModel
import Platform

/// The topics of a server, shared by all sessions. Opens a topic at its first subscriber and closes it after the last.
///
/// Nothing here waits for the feed: requests complete later, on any thread.
package final class FeedHub: Sendable {
  /// A subscriber's access to a topic.
  struct Joined: Sendable {
    /// The canonical form of the topic, for `leave(_:)`.
    let topic: Topic
    let log: TopicLog
    /// The number of the message after which the subscriber's messages begin.
    let last: UInt64
  }

  typealias Completion<Value> = @Sendable (Result<Value, TopicError>) -> Void

  fileprivate struct OpenTopic {
    let log: TopicLog
    /// The address whose request opened the topic.
    let opener: String
    var listeners = 0
    /// The requests that wait until the topic is open; nil once it is.
    var waiting: [Completion<Joined>]? = []
  }

  fileprivate struct State {
    var topics: [Topic: OpenTopic] = [:]
    var dumps: DumpCache
    var pages: [Topic: (moment: UInt64, page: RESTSnapshot)] = [:]
    /// The size of the pages with their topics, in bytes.
    var pageBytes = 0
    /// The numbers of topics by the address that opened them.
    var opened: [String: Int] = [:]
  }

  /// The maximum size of the REST snapshots that are kept with their topics, in bytes.
  fileprivate static let maxPageBytes = 1 << 26

  package let source: any TopicSource
  let work: WorkBudget
  let unsent: UnsentDumps
  private let state: Locked<State>
  private let limits: ServerLimits
  private let metrics: ServerMetrics
  private let dumps: SharedBuilds<DumpKey, TopicDump>
  private let pages: SharedBuilds<PageKey, RESTSnapshot>
  private let conflations: SharedBuilds<ConflationKey, ByteBuffer>
  private let builder = DispatchQueue(label: "toteboard.builds")

  init(source: any TopicSource, limits: ServerLimits, loops: [SessionLoop], metrics: ServerMetrics) {
    (self.source, self.limits, self.metrics) = (source, limits, metrics)
    state = Locked(State(dumps: DumpCache(maxBytes: limits.keptDumpBytes)))
    (work, unsent) = (WorkBudget(limits: limits), UnsentDumps(limits: limits))
    dumps = SharedBuilds(limit: limits.waitingDumps)
    pages = SharedBuilds(limit: limits.waitingDumps)
    conflations = SharedBuilds(limit: .max)
    source.start { for loop in loops { loop.scheduleFlush() } }
  }

  deinit { source.stop() }

  // MARK: Subscribers

  /// Adds a subscriber to a topic.
  func join(_ topic: Topic, from address: String, completion: @escaping Completion<Joined>) {
    resolve(topic, completion) { self.joinResolved($0, address, completion) }
  }

  /// Calls `body` with the canonical form of a topic, or completes with the error that there is none.
  private func resolve<Value>(
    _ topic: Topic, _ completion: @escaping Completion<Value>, _ body: @escaping @Sendable (Topic) -> Void
  ) {
    source.resolve(topic) { result in
      switch result {
      case .failure(let error): completion(.failure(error))
      case .success(let topic): body(topic)
      }
    }
  }

  private func joinResolved(_ topic: Topic, _ address: String, _ completion: @escaping Completion<Joined>) {
    enum Step { case join(TopicLog), wait, open(TopicLog), refuse(Int) }
    let step: Step = state.withLock { [limits, metrics] state in
      if let open = state.topics[topic] {
        state.topics[topic]!.listeners += 1
        if open.waiting == nil { return .join(open.log) }
        state.topics[topic]!.waiting!.append(completion)
        return .wait
      }
      if state.topics.count >= limits.openTopics { return .refuse(limits.openTopics) }
      let opened = state.opened[address] ?? 0
      if opened >= limits.openTopicsOfAddress { return .refuse(limits.openTopicsOfAddress) }
      let log = TopicLog(limits: limits)
      state.topics[topic] = OpenTopic(log: log, opener: address, listeners: 1, waiting: [completion])
      state.opened[address] = opened + 1
      metrics.set(topics: state.topics.count)
      return .open(log)
    }
    switch step {
    case .join(let log): completion(.success(Joined(topic: topic, log: log, last: log.last)))
    case .wait: break
    case .refuse(let most): completion(.failure(.tooMany(most)))
    case .open(let log):
      source.open(topic, log: log) { result in
        if case .success(let work) = result { self.work.charge(address, work, now: .now()) }
        self.opened(topic, log, result.map { _ in () })
      }
    }
  }

  private func opened(_ topic: Topic, _ log: TopicLog, _ result: Result<Void, TopicError>) {
    let waiting: [Completion<Joined>] = state.withLock { state in
      let waiting = state.topics[topic]?.waiting ?? []
      state.topics[topic]?.waiting = nil
      if case .failure = result { self.remove(topic, &state) }
      return waiting
    }
    let last = log.last
    for completion in waiting { completion(result.map { Joined(topic: topic, log: log, last: last) }) }
  }

  /// Removes a subscriber of a canonical topic. Closes the topic after the last one.
  func leave(_ topic: Topic) {
    state.withLock { state in
      guard var open = state.topics[topic] else { return }
      open.listeners -= 1
      state.topics[topic] = open
      if open.listeners > 0 { return }
      remove(topic, &state)
      // NB: Under the lock, so that a later `open` of the topic comes after it.
      source.close(topic)
    }
  }

  private func remove(_ topic: Topic, _ state: inout State) {
    guard let opener = state.topics.removeValue(forKey: topic)?.opener else { return }
    state.dropPage(of: topic)
    state.dumps.remove(topic)
    state.opened[opener]! -= 1
    if state.opened[opener] == 0 { state.opened[opener] = nil }
    metrics.set(topics: state.topics.count)
  }

  // MARK: Dumps

  private struct DumpKey: Hashable, Sendable {
    let topic: Topic
    /// The log of the topic; nil if it is not open.
    let log: ObjectIdentifier?
  }

  /// Completes with a dump of a topic for a client that also gets the messages after it, and the topic's canonical form.
  /// The dump can be some messages old. Its bytes are reserved in `unsent`; the caller releases them.
  func reserveDump(
    of topic: Topic, from address: String, completion: @escaping Completion<(topic: Topic, dump: TopicDump)>
  ) {
    resolve(topic, completion) { topic in
      self.reserveDump(ofCanonical: topic, from: address) { completion($0.map { (topic, $0) }) }
    }
  }

  /// The same, of a canonical topic.
  func reserveDump(ofCanonical topic: Topic, from address: String, completion: @escaping Completion<TopicDump>) {
    dump(of: topic, address, isFollowed: true) { result in
      guard case .success(let dump) = result else { return completion(result) }
      let bytes = dump.payload.readableBytes
      if self.unsent.reserve(bytes, of: address) { return completion(result) }
      // NB: Does not keep the dump while it waits, because many clients would keep many dumps.
      self.unsent.reserve(bytes, of: address) {
        // NB: On a queue, because one grant can cause the next.
        self.builder.async {
          self.dump(of: topic, address, isFollowed: true) { result in
            let now = (try? result.get())?.payload.readableBytes ?? 0
            self.unsent.change(bytes, to: now, of: address)
            completion(result)
          }
        }
      }
    }
  }

  /// Completes with a dump of a canonical topic.
  private func dump(of topic: Topic, _ address: String, isFollowed: Bool, completion: @escaping Completion<TopicDump>) {
    let (log, entry) = state.withLock { state in
      let log = state.topics[topic]?.log
      return (log, state.dumps.entry(of: topic, log))
    }
    if isFollowed, let log, let entry, isUsable(entry, log) { return completion(.success(entry.dump)) }
    let known = entry?.dump
    let key = DumpKey(topic: topic, log: log.map { ObjectIdentifier($0) })
    dumps.value(of: key, isRefusable: !isFollowed, completion: completion) { done in
      source.dump(of: topic, known: known) { result in
        if case .success(let dump) = result, dump.moment != known?.moment {
          self.work.charge(address, dump.work, now: .now())
          self.state.withLock { state in
            if state.topics[topic]?.log === log { state.dumps.store(dump, of: topic, log, now: .now()) }
          }
        }
        done(result)
      }
    }
  }

  /// Returns true if a client can get the dump and the messages after it.
  private func isUsable(_ entry: DumpCache.Entry, _ log: TopicLog) -> Bool {
    if entry.dump.last == log.last { return true }
    return NIODeadline.now() - entry.time < limits.dumpAge && log.follows(entry.dump.last)
  }

  /// Completes with the current REST snapshot of a topic.
  func page(of topic: Topic, from address: String, completion: @escaping Completion<RESTSnapshot>) {
    let now = NIODeadline.now()
    switch work.begin(address, now: now) {
    case .begun: break
    case .crowded: return completion(.failure(.spent(1)))
    case .spent(let next):
      return completion(.failure(.spent(Int((next - now).nanoseconds / 1_000_000_000) + 1)))
    }
    let end: Completion<RESTSnapshot> = { result in
      self.work.end(address)
      completion(result)
    }
    resolve(topic, end) { topic in
      self.dump(of: topic, address, isFollowed: false) { result in
        switch result {
        case .failure(let error): end(.failure(error))
        case .success(let dump): self.page(of: topic, dump, address, end)
        }
      }
    }
  }

  private func page(
    of topic: Topic, _ dump: TopicDump, _ address: String, _ completion: @escaping Completion<RESTSnapshot>
  ) {
    if let known = state.withLock({ $0.pages[topic] }), known.moment == dump.moment {
      return completion(.success(known.page))
    }
    pages.value(of: PageKey(topic: topic, moment: dump.moment), completion: completion) { done in
      build(for: address) {
        RESTSnapshot(dump: dump.payload)
      } completion: { page in
        self.state.withLock { $0.store(page, of: topic, moment: dump.moment) }
        done(.success(page))
      }
    }
  }

  private struct PageKey: Hashable, Sendable {
    let topic: Topic
    let moment: UInt64
  }

  // MARK: Conflation

  private struct ConflationKey: Hashable, Sendable {
    let log: ObjectIdentifier
    let range: TopicLog.Conflation
  }

  /// Completes with one message that has the effect of a range of a topic's messages. `TopicError.lost` if a dump is
  /// needed instead.
  func conflate(
    _ range: TopicLog.Conflation, of log: TopicLog, from address: String, completion: @escaping Completion<ByteBuffer>
  ) {
    if let known = log.conflated(range) { return completion(.success(known)) }
    conflations.value(of: ConflationKey(log: ObjectIdentifier(log), range: range), completion: completion) { done in
      build(for: address) {
        log.conflate(range)
      } completion: {
        done($0.map { .success($0) } ?? .failure(.lost))
      }
    }
  }

  /// Runs `body` on the builder's queue and charges its processor time to an address.
  private func build<Value>(
    for address: String, _ body: @escaping @Sendable () -> Value, completion: @escaping @Sendable (Value) -> Void
  ) {
    builder.async {
      let start = TopicWork.ofThread
      let value = body()
      self.work.charge(address, TopicWork(since: start), now: .now())
      completion(value)
    }
  }
}

extension FeedHub.State {
  /// Stores a page. If the pages become too large, drops all others.
  fileprivate mutating func store(_ page: RESTSnapshot, of topic: Topic, moment: UInt64) {
    dropPage(of: topic)
    if pageBytes + page.keptBytes(of: topic) > FeedHub.maxPageBytes { (pages, pageBytes) = ([:], 0) }
    pages[topic] = (moment, page)
    pageBytes += page.keptBytes(of: topic)
  }

  fileprivate mutating func dropPage(of topic: Topic) {
    if let old = pages.removeValue(forKey: topic)?.page { pageBytes -= old.keptBytes(of: topic) }
  }
}

extension RESTSnapshot {
  /// The memory that a kept snapshot takes, in bytes, with an estimate of what surrounds it.
  fileprivate func keptBytes(of topic: Topic) -> Int { byteCount + topic.path.utf8.count + 512 }
}
