import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform

/// A process that can be the book of a cluster. It takes part in the election while it has a feed, and publishes it
/// while it holds the lease.
final class BookNode: Sendable {
  private struct State {
    /// Nil while this process takes no part in the election.
    var lease: BookLease?
    var epoch: UInt64?
    var isStarted = false
    /// False while the upstream feed is lost, and once the played feed has ended.
    var hasFeed: Bool
  }

  private let link: NATSLink
  private let subjects: Subjects
  private let publisher: BookPublisher
  private let accounts: AccountBook
  private let state: Locked<State>
  private let metrics: BookMetrics
  private let logger: Logger
  /// The reason in `status` while this process has no feed.
  private let outage: String
  private let onChange: @Sendable (UInt64?) -> Void
  /// The order in which this process begins and ends to take part.
  private let queue = DispatchQueue(label: "toteboard.book.node")

  /// - Parameters:
  ///   - hasFeed: False if this process takes no part before it has the feed.
  ///   - outage: The reason, in a few words, for which this process has no feed.
  ///   - origin: Makes the origin of the feed, which calls the function when the feed can be had, or not any more. It
  ///     must not call the publisher.
  ///   - onChange: Called with the epoch when this process becomes the book, and with nil when it becomes a standby. In
  ///     order.
  private init(
    _ link: NATSLink, _ subjects: Subjects, rule: TopicRule, hasFeed: Bool, outage: String, timing: BookTiming,
    accounts options: AccountBook.Options, registry: PrometheusRegistry, logger: Logger,
    onChange: @escaping @Sendable (UInt64?) -> Void,
    origin: (_ onAvailable: @escaping @Sendable (Bool) -> Void) -> BookOrigin
  ) {
    self.link = link
    self.subjects = subjects
    self.logger = logger
    self.outage = outage
    self.onChange = onChange
    metrics = BookMetrics(registry)
    state = Locked(State(hasFeed: hasFeed))
    // The publisher begins before the node exists.
    let available = AsyncStream.makeStream(of: Bool.self)
    publisher = BookPublisher(
      link.connection, subjects, origin: origin { available.continuation.yield($0) },
      announcement: ByteBuffer(string: rule.text), timing: timing)
    accounts = AccountBook(link.connection, subjects, options: options, logger: logger)
    let node = WeakReference(self)
    Task { for await hasFeed in available.stream { node.value?.setHasFeed(hasFeed) } }
    registry.addCollector(of: self) { node in
      let (lease, epoch) = node.state.withLock { ($0.lease, $0.epoch) }
      node.metrics.update(node.publisher.counters, epoch: epoch, lease)
    }
  }

  convenience init(
    _ link: NATSLink, _ subjects: Subjects, playing feed: any PlayedFeed, timing: BookTiming = BookTiming(),
    accounts: AccountBook.Options = AccountBook.Options(), registry: PrometheusRegistry, logger: Logger,
    onChange: @escaping @Sendable (UInt64?) -> Void
  ) {
    self.init(
      link, subjects, rule: feed.topicRule, hasFeed: true, outage: PlayedSource.outage, timing: timing,
      accounts: accounts, registry: registry, logger: logger, onChange: onChange
    ) { onAvailable in
      BookOrigin(playing: feed) {
        logger.warning("\(PlayedSource.outage): this process cannot be the book any more")
        onAvailable(false)
      }
    }
  }

  /// Creates a process that passes an upstream feed on, and connects to it.
  convenience init(
    _ link: NATSLink, _ subjects: Subjects, relaying relay: FeedRelay, timing: BookTiming = BookTiming(),
    registry: PrometheusRegistry, logger: Logger, onChange: @escaping @Sendable (UInt64?) -> Void
  ) {
    self.init(
      link, subjects, rule: .verbatim, hasFeed: false, outage: FeedRelay.outage, timing: timing,
      accounts: AccountBook.Options(), registry: registry, logger: logger, onChange: onChange
    ) { BookOrigin(relaying: relay, onAvailable: $0) }
  }

  func start() {
    queue.async {
      self.state.withLock { $0.isStarted = true }
      self.update()
    }
  }

  /// Sets whether the feed can be had. Without it, this process gives the lease back, so that a standby that has the
  /// feed takes over.
  private func setHasFeed(_ hasFeed: Bool) {
    queue.async {
      self.state.withLock { $0.hasFeed = hasFeed }
      self.update()
    }
  }

  /// Saves the accounts, gives the lease back, so that a standby takes over at once, and closes the connection.
  func stop() {
    queue.sync {
      state.withLock { $0.isStarted = false }
      endPart()
    }
    link.close()
  }

  // MARK: Steps, on the queue

  private func update() {
    let (takesPart, lease) = state.withLock { ($0.isStarted && $0.hasFeed, $0.lease) }
    if takesPart, lease == nil {
      beginPart()
    } else if !takesPart, lease != nil {
      publisher.announceEnd()
      endPart()
    }
  }

  private func beginPart() {
    let lease = BookLease(link.connection, subjects) { [publisher, accounts, state, logger, onChange] event in
      switch event {
      case .acquired(let identity, let end):
        publisher.activate(identity, until: end)
        accounts.activate(identity, until: end)
        state.withLock { $0.epoch = identity.epoch }
        onChange(identity.epoch)
      case .extended(let identity, let end):
        publisher.extend(identity, until: end)
        accounts.extend(identity, until: end)
      case .lost:
        publisher.deactivate()
        accounts.deactivate()
        state.withLock { $0.epoch = nil }
        onChange(nil)
      case .unreachable(let error):
        logger.warning("a key of the lease cannot be read", metadata: ["error": "\(error)"])
      case .unreplicated(let error):
        logger.warning("the loss of one NATS server would stop the cluster", metadata: ["error": "\(error)"])
      }
    }
    // Without a connection it may fail: then it tries again.
    do throws(NATSError) {
      try lease.start()
      state.withLock { $0.lease = lease }
    } catch {
      queue.retryConnecting { [weak self] in self?.update() }
    }
  }

  private func endPart() {
    guard let lease = state.withLock({ $0.lease.take() }) else { return }
    accounts.save()
    lease.stop()
  }

  /// A standby is ready too: it can take over.
  var status: StatusServer.Status {
    guard link.connection.isConnected else { return .init(isReady: false, "no connection to NATS") }
    let (epoch, hasFeed) = state.withLock { ($0.epoch, $0.hasFeed) }
    if !hasFeed { return .init(isReady: false, outage) }
    return .init(isReady: true, epoch.map { "book, epoch \($0)" } ?? "standby")
  }
}

extension BookOrigin {
  /// Creates the origin of a book that passes an upstream feed on.
  ///
  /// - Parameter onAvailable: Called with true when the upstream feed can be used, and with false when it cannot any
  ///   more. Must not call the publisher.
  init(relaying relay: FeedRelay, onAvailable: @escaping @Sendable (Bool) -> Void) {
    let openings = Locked<[Topic: @Sendable (FeedFrame.Refusal?) -> Void]>([:])
    self.init(
      interval: FeedRelay.interval, start: { relay.start(onNews: $0) },
      open: { topic, completion in
        openings.withLock { $0[topic] = completion }
        relay.open(topic)
      },
      close: { topic in
        openings.withLock { _ = $0.removeValue(forKey: topic) }
        relay.close(topic)
      },
      isFull: { relay.isFull },
      age: { relay.age },
      dump: { relay.dump(of: $0) },
      advance: { _ in
        relay.advance().compactMap { news in
          switch news {
          case .opened(let topic): openings.withLock { $0.removeValue(forKey: topic) }?(nil)
          case .failed(let topic, let error):
            openings.withLock { $0.removeValue(forKey: topic) }?(FeedFrame.Refusal(error))
          case .messages(let topic, let messages): return .messages(topic, messages)
          case .lost(let topic): return .lost(topic)
          case .available(let isAvailable): onAvailable(isAvailable)
          }
          return nil
        }
      })
  }
}

extension FeedFrame.Refusal {
  /// The refusal for a topic that a relay cannot open.
  fileprivate init(_ error: TopicError) {
    switch error {
    case .unknown: self = .unknown
    case .refused(let reason): self = .refused(reason)
    case .tooMany(let limit): self = .tooMany(limit)
    case .tooLarge: self = .refused("its dump is too large")
    case .failed, .busy, .spent: self = .busy
    case .lost: self = .lost
    }
  }
}
