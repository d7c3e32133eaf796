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
    /// The canonical form of the topic, for `leave(_:_:)`.
    let topic: Topic
    let log: TopicLog
    /// The number of the message after which the subscriber's messages begin.
    let last: UInt64
  }

  typealias Completion<Value> = @Sendable (Result<Value, TopicError>) -> Void

  struct OpenTopic {
    let log: TopicLog
    /// The address whose request opened the topic.
    let opener: String
    var listeners = 0
    /// The requests that wait until the topic is open; nil once it is.
    var waiting: [Completion<Joined>]? = []
  }

  struct State {
    var topics: [Topic: OpenTopic] = [:]
    var dumps: DumpCache
    var pages: [Topic: (moment: UInt64, page: RESTSnapshot)] = [:]
    /// The size of the pages with their topics, in bytes.
    var pageBytes = 0
    /// The numbers of topics by the address that opened them.
    var opened: [String: Int] = [:]
    /// The latest opening of each topic, while it waits for a turn.
    var openings: [Topic: WaitingOpening] = [:]
  }

  /// The maximum size of the REST snapshots that are kept with their topics, in bytes.
  static let maxPageBytes = 1 << 26

  package let source: any TopicSource
  let work: WorkBudget
  let unsent: UnsentDumps
  let state: Locked<State>
  let limits: ServerLimits
  private let metrics: ServerMetrics
  let dumps: SharedBuilds<DumpKey, TopicDump>
  let pages: SharedBuilds<PageKey, RESTSnapshot>
  let conflations: SharedBuilds<ObjectIdentifier, Conflated>
  let catchUps: CatchUpPlaces
  let turns: OpeningTurns
  let logs: LogMemory
  /// The queues of conflated messages and of lists: subscribers that are behind do not wait for lists.
  let builder = DispatchQueue(label: "toteboard.builds")
  let listBuilder = DispatchQueue(label: "toteboard.builds.lists")
  let grants = DispatchQueue(label: "toteboard.grants")

  init(source: any TopicSource, limits: ServerLimits, loops: [SessionLoop], metrics: ServerMetrics) {
    self.source = source
    self.limits = limits
    self.metrics = metrics
    state = Locked(State(dumps: DumpCache(maxBytes: limits.keptDumpBytes)))
    work = WorkBudget(limits: limits)
    unsent = UnsentDumps(limits: limits)
    dumps = SharedBuilds(limit: limits.waitingDumps)
    pages = SharedBuilds(limit: limits.waitingDumps)
    conflations = SharedBuilds(limit: .max)
    catchUps = CatchUpPlaces(limit: limits.catchUpsOfAddress)
    turns = OpeningTurns(limit: limits.openings)
    logs = LogMemory(limit: limits.keptBytesOfAll)
    source.start { for loop in loops { loop.scheduleFlush() } }
  }

  deinit { source.stop() }

  // MARK: Subscribers

  /// Adds a subscriber to a topic.
  func join(_ topic: Topic, from address: String, completion: @escaping Completion<Joined>) {
    resolve(topic, completion) { self.joinResolved($0, address, completion) }
  }

  /// Calls `body` with the canonical form of a topic, or completes with the error that there is none.
  func resolve<Value>(
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
    let step: Step = state.withLock { [limits, metrics, logs] state in
      closeIfEnded(topic, &state)
      if let open = state.topics[topic] {
        state.topics[topic]!.listeners += 1
        if open.waiting == nil { return .join(open.log) }
        state.topics[topic]!.waiting!.append(completion)
        return .wait
      }
      if state.topics.count >= limits.openTopics { return .refuse(limits.openTopics) }
      let opened = state.opened[address] ?? 0
      if opened >= limits.openTopicsOfAddress { return .refuse(limits.openTopicsOfAddress) }
      let log = TopicLog(limits: limits, memory: logs)
      state.topics[topic] = OpenTopic(log: log, opener: address, listeners: 1, waiting: [completion])
      state.opened[address] = opened + 1
      metrics.set(topics: state.topics.count)
      return .open(log)
    }
    switch step {
    case .join(let log): completion(.success(Joined(topic: topic, log: log, last: log.last)))
    case .wait: hasten(topic, for: address)
    case .refuse(let most): completion(.failure(.tooMany(most)))
    case .open(let log):
      open(topic, for: address, isJoined: true) { result in
        if case .success(let work) = result { self.work.charge(address, work, now: .now()) }
        self.opened(topic, log, result.map { _ in () })
      } _: { [source] in
        source.open(topic, log: log, completion: $0)
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

  /// Removes a subscriber of a canonical topic, which has joined it with `log`. Closes the topic after the last one.
  /// Has no effect if the topic was closed since, because its log had ended.
  func leave(_ topic: Topic, _ log: TopicLog) {
    state.withLock { state in
      guard var open = state.topics[topic], open.log === log else { return }
      open.listeners -= 1
      state.topics[topic] = open
      if open.listeners == 0 { close(topic, &state) }
    }
  }

  /// Closes a topic whose log has ended, so that it is opened anew. Its subscribers may not have left yet.
  func closeIfEnded(_ topic: Topic, _ state: inout State) {
    guard let open = state.topics[topic], open.waiting == nil, open.log.isEnded else { return }
    close(topic, &state)
  }

  /// NB: Under the lock, so that a later `open` of the topic comes after it.
  private func close(_ topic: Topic, _ state: inout State) {
    remove(topic, &state)
    source.close(topic)
  }

  private func remove(_ topic: Topic, _ state: inout State) {
    guard let opener = state.topics.removeValue(forKey: topic)?.opener else { return }
    state.dropPage(of: topic)
    state.dumps.remove(topic)
    state.opened[opener]! -= 1
    if state.opened[opener] == 0 { state.opened[opener] = nil }
    metrics.set(topics: state.topics.count)
  }
}
