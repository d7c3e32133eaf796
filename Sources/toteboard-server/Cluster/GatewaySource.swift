import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform

/// The topics of a book behind NATS.
///
/// The number of a message in a `TopicLog` is its offset at the book. Offsets grow over all terms and books, so that a
/// dump and a log fit together whichever of them is newer.
final class GatewaySource: TopicSource {
  private struct State {
    var rule: TopicRule?
    var isHeard = false
    var logs: [Topic: TopicLog] = [:]
    var onNews: @Sendable () -> Void = {}
  }

  /// The state that the callbacks of the subscriber change. Not the source itself, which owns the subscriber.
  private final class Receiver: Sendable {
    let state = Locked(State())
    let logger: Logger

    init(logger: Logger) { self.logger = logger }

    func receive(_ event: BookSubscriber.Event) {
      switch event {
      case .announcement(let text):
        let rule = TopicRule(text: String(buffer: text))
        state.withLock { $0.rule = rule }
      case .book(.found(let identity)):
        state.withLock { $0.isHeard = true }
        logger.notice("the book is heard", metadata: ["epoch": "\(identity.epoch)"])
      case .book(.replaced(let identity)):
        logger.notice("another book took over", metadata: ["epoch": "\(identity.epoch)"])
      case .book(.lost):
        logger.error("no book is heard: sessions with topics are closed, and new ones are refused until one is")
        end { $0.isHeard = false }
      case .book(.late):
        logger.error("the book's data is too old: sessions with topics are closed, and new ones are refused meanwhile")
        end { $0.isHeard = false }
      case .dropped(let topic, let count):
        logger.warning(
          "NATS dropped messages, because this process was too slow",
          metadata: ["topic": "\(topic)", "count": "\(count)"])
      case .lost(let topic):
        logger.warning("a topic was lost: its sessions are closed", metadata: ["topic": "\(topic)"])
        let (log, onNews) = state.withLock { ($0.logs[topic], $0.onNews) }
        log?.end()
        onNews()
      }
    }

    /// Ends all logs.
    private func end(_ change: (inout State) -> Void) {
      let (logs, onNews): ([TopicLog], @Sendable () -> Void) = state.withLock { state in
        change(&state)
        return (Array(state.logs.values), state.onNews)
      }
      for log in logs { log.end() }
      onNews()
    }
  }

  /// Returns the processor time that the book and this process need for a dump, estimated.
  private static func work(bytes: Int) -> TopicWork { TopicWork(nanoseconds: 10 * Int64(bytes)) }

  private let receiver: Receiver
  private let subscriber: BookSubscriber
  private let metrics: GatewayMetrics
  /// The order of `open` and `close`.
  private let queue = DispatchQueue(label: "toteboard.gateway.topics")

  init(
    _ link: NATSLink, _ subjects: Subjects, timing: GatewayTiming = .server, registry: PrometheusRegistry,
    logger: Logger
  ) {
    let receiver = Receiver(logger: logger)
    metrics = GatewayMetrics(registry)
    self.receiver = receiver
    subscriber = BookSubscriber(link.connection, subjects, timing: timing) { receiver.receive($0) }
    registry.addCollector(of: self) { $0.metrics.update($0.subscriber.status) }
  }

  var outage: String? { receiver.state.withLock { $0.isHeard && $0.rule != nil ? nil : "no book" } }

  var unreadiness: String? { outage ?? (subscriber.isStale ? "no topics" : nil) }

  /// A book whose rule does not tell which topics exist opens them upstream. The gateway does not know which of them
  /// are open there: the book closes a topic that no client has when the gateways next announce their topics.
  func opensUpstream(_ topic: Topic) -> Bool { receiver.state.withLock { $0.rule == .verbatim } }

  func start(onNews: @escaping @Sendable () -> Void) {
    receiver.state.withLock { $0.onNews = onNews }
    queue.async { self.listen(onNews) }
  }

  /// Begins to listen for the book. Without a connection it may fail: then it tries again.
  private func listen(_ onNews: @escaping @Sendable () -> Void) {
    do throws(NATSError) { try subscriber.start(onNews: onNews) } catch {
      queue.retryConnecting { [weak self] in self?.listen(onNews) }
    }
  }

  func stop() { subscriber.stop() }

  func resolve(_ topic: Topic, completion: @escaping @Sendable (Result<Topic, TopicError>) -> Void) {
    guard let rule = receiver.state.withLock({ $0.isHeard ? $0.rule : nil }) else { return completion(.failure(.lost)) }
    guard let topic = rule.canonical(topic) else { return completion(.failure(.unknown)) }
    completion(.success(topic))
  }

  func open(_ topic: Topic, log: TopicLog, completion: @escaping @Sendable (Result<TopicWork, TopicError>) -> Void) {
    queue.async { [receiver, subscriber] in
      let isHeard = receiver.state.withLock { state in
        if state.isHeard { state.logs[topic] = log }
        return state.isHeard
      }
      if !isHeard { return completion(.failure(.lost)) }
      // The size of the dump that the book makes for the opening.
      let bytes = Locked(0)
      let sink = TopicSink { last, dump in
        bytes.withLock { $0 = dump.readableBytes }
        log.restart(after: last)
      } append: { messages, _ in
        log.append(messages)
      }
      subscriber.open(topic, sink: sink) { error in
        if let error {
          receiver.state.withLock { if $0.logs[topic] === log { $0.logs[topic] = nil } }
          return completion(.failure(TopicError(error)))
        }
        completion(.success(Self.work(bytes: bytes.withLock { $0 })))
      }
    }
  }

  func close(_ topic: Topic) {
    queue.async { [receiver, subscriber] in
      receiver.state.withLock { _ = $0.logs.removeValue(forKey: topic) }
      subscriber.close(topic)
    }
  }

  func dump(
    of topic: Topic, known: TopicDump?, isForList: Bool,
    completion: @escaping @Sendable (Result<TopicDump, TopicError>) -> Void
  ) {
    if outage != nil { return completion(.failure(.lost)) }
    subscriber.dump(of: topic, isForList: isForList) { result in
      switch result {
      case .failure(let error): completion(.failure(TopicError(error)))
      case .success(let dump):
        if let known, known.moment == dump.last { return completion(.success(known)) }
        let work = Self.work(bytes: dump.payload.readableBytes)
        completion(.success(TopicDump(payload: dump.payload, last: dump.last, moment: dump.last, work: work)))
      }
    }
  }
}

extension GatewayTiming {
  /// The times of a server. Every dump that the hub requests must be current: it keeps dumps itself.
  static var server: GatewayTiming {
    var timing = GatewayTiming()
    timing.bookTimeout = .seconds(3)
    timing.messagesAfterDump = 0
    return timing
  }
}

extension TopicError {
  fileprivate init(_ error: BookError) {
    switch error {
    case .unknown: self = .unknown
    case .refused(let reason): self = .refused(reason)
    case .busy: self = .busy
    case .tooMany(let limit): self = .tooMany(limit)
    case .lost: self = .lost
    }
  }
}
