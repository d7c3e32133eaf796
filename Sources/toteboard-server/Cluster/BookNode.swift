import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform

/// A process that can be the book of a cluster. It takes part in the election while it has a feed, and publishes it while
/// it holds the lease.
final class BookNode: Sendable {
  private struct State {
    /// Nil while this process takes no part in the election.
    var lease: BookLease?
    var epoch: UInt64?
    var isStarted = false
    /// False while the upstream feed is lost.
    var hasFeed: Bool
  }

  private let link: NATSLink
  private let subjects: Subjects
  private let publisher: BookPublisher
  private let accounts: AccountBook
  private let state: Locked<State>
  private let metrics: BookMetrics
  private let logger: Logger
  private let onChange: @Sendable (UInt64?) -> Void
  /// The order in which this process begins and ends to take part.
  private let queue = DispatchQueue(label: "toteboard.book.node")

  /// - Parameters:
  ///   - hasFeed: False if this process takes no part before `setHasFeed(true)`.
  ///   - onChange: Called with the epoch when this process becomes the book, and with nil when it becomes a standby. In
  ///     order.
  init(
    _ link: NATSLink, _ subjects: Subjects, origin: BookOrigin, rule: TopicRule, hasFeed: Bool = true,
    timing: BookTiming = BookTiming(), accounts options: AccountBook.Options = AccountBook.Options(),
    registry: PrometheusRegistry, logger: Logger, onChange: @escaping @Sendable (UInt64?) -> Void
  ) {
    self.link = link
    self.subjects = subjects
    self.logger = logger
    self.onChange = onChange
    metrics = BookMetrics(registry)
    state = Locked(State(hasFeed: hasFeed))
    publisher = BookPublisher(
      link.connection, subjects, origin: origin, announcement: ByteBuffer(string: rule.text), timing: timing)
    accounts = AccountBook(link.connection, subjects, options: options, logger: logger)
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
      link, subjects, origin: BookOrigin(playing: feed), rule: feed.topicRule, timing: timing, accounts: accounts,
      registry: registry, logger: logger, onChange: onChange)
  }

  /// Creates a process that passes an upstream feed on, and connects to it.
  convenience init(
    _ link: NATSLink, _ subjects: Subjects, relaying relay: FeedRelay, timing: BookTiming = BookTiming(),
    registry: PrometheusRegistry, logger: Logger, onChange: @escaping @Sendable (UInt64?) -> Void
  ) {
    // The publisher begins before the node exists.
    let hasFeed = AsyncStream.makeStream(of: Bool.self)
    self.init(
      link, subjects, origin: BookOrigin(relaying: relay) { hasFeed.continuation.yield($0) }, rule: .verbatim,
      hasFeed: false, timing: timing, registry: registry, logger: logger, onChange: onChange)
    let node = WeakReference(self)
    Task { for await hasFeed in hasFeed.stream { node.value?.setHasFeed(hasFeed) } }
  }

  func start() {
    queue.async {
      self.state.withLock { $0.isStarted = true }
      self.update()
    }
  }

  /// Sets whether the feed can be had. Without it, this process gives the lease back, so that a standby that has the feed
  /// takes over.
  func setHasFeed(_ hasFeed: Bool) {
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
    if !hasFeed { return .init(isReady: false, FeedRelay.outage) }
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

  /// Creates the origin of a book that plays a feed.
  init(playing feed: any PlayedFeed) {
    let interval = Duration.nanoseconds(Int64(clamping: feed.interval))
    // The publisher calls one function at a time, so that nobody waits for the lock.
    let feed = Locked(feed)
    self.init(
      interval: interval, open: { topic in feed.withLock { $0.open(topic) } },
      close: { topic in feed.withLock { $0.close(topic) } }, dump: { topic in feed.withLock { $0.dump(of: topic) } },
      advance: { uptime in
        feed.withLock { feed in feed.advance(to: uptime).map { News.messages($0.topic, $0.messages) } }
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
    case .failed, .busy, .spent: self = .busy
    case .lost: self = .lost
    }
  }
}
