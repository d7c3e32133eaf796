import Dispatch
import NIOCore
package import OddsModel
package import Platform

/// The topics of an upstream feed, passed on with the bytes of its messages. A topic is requested upstream while
/// clients have it, and shortly after.
package final class RelaySource: TopicSource {
  private typealias Opening = @Sendable (Result<TopicWork, TopicError>) -> Void
  private typealias Dumping = @Sendable (Result<TopicDump, TopicError>) -> Void

  private struct OpenTopic {
    /// The messages for clients; nil while no client has the topic.
    var log: TopicLog?
    /// The number of the last message. Numbers go on while there is no log.
    var last: UInt64 = 0
    var isOpen = false
    var onOpen: Opening?
    /// The requests for a dump that wait until the topic is current.
    var dumps: [(isForList: Bool, completion: Dumping)] = []
    /// The time until which the topic stays open without a log.
    var lingersUntil = Duration.zero

    /// True if no client has the topic and no request waits for it.
    var isUnused: Bool { log == nil && dumps.isEmpty }
  }

  private struct State {
    var topics: [Topic: OpenTopic] = [:]
    /// The greatest number of a message in any log.
    var highest: UInt64 = 0
    var onNews: @Sendable () -> Void = {}
    var timer: RepeatingTimer?
  }

  private let relay: FeedRelay
  private let limits: RelayLimits
  private let clock: ClientClock
  // Used on `queue` only, so that nobody waits for the lock.
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.relay")
  private let builder = DispatchQueue(label: "toteboard.relay.dumps")
  private let listBuilder = DispatchQueue(label: "toteboard.relay.dumps.lists")

  package init(_ relay: FeedRelay, clock: ClientClock = .live, limits: RelayLimits = RelayLimits()) {
    self.relay = relay
    self.clock = clock
    self.limits = limits
  }

  package func opensUpstream(_ topic: Topic) -> Bool { !relay.contains(topic) }

  package var outage: String? { relay.isAvailable ? nil : FeedRelay.outage }

  package func start(onNews: @escaping @Sendable () -> Void) {
    queue.async { [weak self] in
      guard let self else { return }
      let timer = RepeatingTimer(every: FeedRelay.interval, on: queue) { [weak self] in self?.advance() }
      state.withLock { state in
        state.onNews = onNews
        state.timer = timer
      }
      relay.start { [weak self] in
        guard let self else { return }
        queue.async { [weak self] in self?.advance() }
      }
    }
  }

  package func stop() {
    queue.async { [relay, state] in
      state.withLock { $0.timer = nil }
      Task { await relay.stop() }
    }
  }

  /// Only the upstream feed knows which topics exist, and which of them are the same.
  package func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    completion(outage == nil ? .success(topic) : .failure(.lost))
  }

  package func open(
    _ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void
  ) {
    perform { state in
      var open = state.topics[topic] ?? OpenTopic(last: state.highest)
      // A dump that was requested before is older than the log's first message.
      open.last += 1
      log.restart(after: open.last)
      open.log = log
      if open.isOpen { completion(.success(TopicWork())) } else { open.onOpen = completion }
      state.topics[topic] = open
      self.request(topic, &state)
    }
  }

  package func close(_ topic: Topic) {
    let until = clock.uptime() + limits.linger
    perform { state in
      guard state.topics[topic] != nil else { return }
      state.topics[topic]!.log = nil
      state.topics[topic]!.lingersUntil = until
    }
  }

  package func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    let until = clock.uptime() + limits.linger
    perform { [relay] state in
      state.topics[topic]?.lingersUntil = until
      if let known, known.moment == relay.moment(of: topic) { return completion(.success(known)) }
      var open = state.topics[topic] ?? OpenTopic(last: state.highest)
      open.lingersUntil = until
      open.dumps.append((isForList, completion))
      state.topics[topic] = open
      self.request(topic, &state)
      self.answerDumps(of: topic, &state)
    }
  }

  // MARK: Steps, on the queue

  /// Requests a topic upstream, unless it is open. If too many are, closes the one that has been unused for the longest
  /// time.
  private func request(_ topic: Topic, _ state: inout State) {
    if !relay.contains(topic), relay.isFull,
      let unused = state.topics.filter({ $0.value.isUnused }).min(by: { $0.value.lingersUntil < $1.value.lingersUntil })
    {
      close(unused.key, unused.value, &state)
    }
    relay.open(topic)
  }

  private func advance() {
    let now = clock.uptime()
    let onNews: (@Sendable () -> Void)? = state.withLock { state in
      let news = relay.advance()
      for news in news { apply(news, &state) }
      for topic in state.topics.keys { closeUnused(topic, now, &state) }
      return news.isEmpty ? nil : state.onNews
    }
    onNews?()
  }

  private func apply(_ news: FeedRelay.News, _ state: inout State) {
    switch news {
    case .opened(let topic):
      state.topics[topic]?.isOpen = true
      state.topics[topic]?.onOpen.take()?(.success(TopicWork()))
      answerDumps(of: topic, &state)
    case .messages(let topic, let messages):
      state.topics[topic]?.log?.append(messages)
      state.topics[topic]?.last += UInt64(messages.count)
      answerDumps(of: topic, &state)
    case .failed(let topic, let error): end(topic, error, &state)
    case .lost(let topic): end(topic, .lost, &state)
    case .available: break
    }
  }

  private func end(_ topic: Topic, _ error: TopicError, _ state: inout State) {
    guard let ended = state.topics.removeValue(forKey: topic) else { return }
    state.highest = max(state.highest, ended.last)
    if let onOpen = ended.onOpen { onOpen(.failure(error)) } else { ended.log?.end() }
    for dump in ended.dumps { dump.completion(.failure(error)) }
  }

  private func answerDumps(of topic: Topic, _ state: inout State) {
    guard let open = state.topics[topic], !open.dumps.isEmpty, let moment = relay.moment(of: topic),
      let build = relay.dump(of: topic)
    else { return }
    state.topics[topic]!.dumps = []
    let isForList = open.dumps.allSatisfy { $0.isForList }
    (isForList ? listBuilder : builder).async {
      let start = TopicWork.ofThread
      let payload = ByteBuffer(bytes: build())
      let dump = TopicDump(payload: payload, last: open.last, moment: moment, work: TopicWork(since: start))
      for waiting in open.dumps { waiting.completion(.success(dump)) }
    }
  }

  private func closeUnused(_ topic: Topic, _ now: Duration, _ state: inout State) {
    guard let open = state.topics[topic], open.isUnused, open.lingersUntil <= now else { return }
    close(topic, open, &state)
  }

  private func close(_ topic: Topic, _ open: OpenTopic, _ state: inout State) {
    state.topics[topic] = nil
    state.highest = max(state.highest, open.last)
    relay.close(topic)
  }

  /// Calls `body` on the queue. Completions called there only hand work on to other queues.
  private func perform(_ body: @escaping @Sendable (inout sending State) -> Void) {
    queue.async { self.state.withLock { body(&$0) } }
  }
}
