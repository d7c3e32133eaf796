import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import Logging
import NIOCore
import OddsModel
import Platform

/// A process that can be the book of a cluster. It takes part in the election, and publishes its feed while it holds the
/// lease.
final class BookNode: Sendable {
  private let link: NATSLink
  private let publisher: BookPublisher
  private let accounts: AccountBook
  private let lease: BookLease
  private let epoch: Locked<UInt64?>
  private let retry = DispatchQueue(label: "toteboard.book.start")

  /// - Parameter onChange: Called with the epoch when this process becomes the book, and with nil when it becomes a
  ///   standby. In order.
  init(
    _ link: NATSLink, _ subjects: Subjects, playing feed: any PlayedFeed, timing: BookTiming = BookTiming(),
    accounts options: AccountBook.Options = AccountBook.Options(), logger: Logger,
    onChange: @escaping @Sendable (UInt64?) -> Void
  ) {
    self.link = link
    let publisher = BookPublisher(
      link.connection, subjects, origin: BookOrigin(playing: feed),
      announcement: ByteBuffer(string: feed.topicRule.text), timing: timing)
    let accounts = AccountBook(link.connection, subjects, options: options, logger: logger)
    let epoch = Locked<UInt64?>(nil)
    self.publisher = publisher
    self.accounts = accounts
    self.epoch = epoch
    lease = BookLease(link.connection, subjects) { event in
      switch event {
      case .acquired(let identity, let end):
        publisher.activate(identity, until: end)
        accounts.activate(identity, until: end)
        epoch.withLock { $0 = identity.epoch }
        onChange(identity.epoch)
      case .extended(let identity, let end):
        publisher.extend(identity, until: end)
        accounts.extend(identity, until: end)
      case .lost:
        publisher.deactivate()
        accounts.deactivate()
        epoch.withLock { $0 = nil }
        onChange(nil)
      case .unreachable(let error):
        logger.warning("the lease of the book cannot be read", metadata: ["error": "\(error)"])
      }
    }
  }

  /// Begins to take part. Without a connection it may fail: then it tries again.
  func start() {
    do throws(NATSError) { try lease.start() } catch {
      retry.asyncAfter(deadline: .now() + .milliseconds(50)) { [weak self] in self?.start() }
    }
  }

  /// Saves the accounts, gives the lease back, so that a standby takes over at once, and closes the connection.
  func stop() {
    accounts.save()
    lease.stop()
    link.close()
  }

  /// A standby is ready too: it can take over.
  var status: StatusServer.Status {
    guard link.connection.isConnected else { return .init(isReady: false, "no connection to NATS") }
    return .init(isReady: true, epoch.withLock { $0.map { "book, epoch \($0)" } } ?? "standby")
  }

  /// The metrics in the text format of Prometheus.
  var metrics: String {
    let counters = publisher.counters
    let epoch = epoch.withLock { $0 }
    var text = FiguresText()
    text.gauge("book_active", "1 while this process is the book, 0 while it is a standby.", epoch == nil ? 0 : 1)
    text.gauge("book_epoch", "Epoch of this book, which grows with each takeover.", epoch)
    text.gauge("topics", "Topics that gateways have open.", counters.openTopics)
    text.gauge("gateways", "Gateways that have topics open.", counters.gateways)
    text.gauge("kept_dump_bytes", "Bytes of dumps kept for gateways.", counters.dumpBytes)
    text.counter("published_total", "NATS messages published.", counters.frames)
    text.counter("unpublished_total", "NATS messages that could not be published.", counters.unsent)
    text.counter("dumps_total", "Dumps made for gateways.", counters.dumps)
    text.counter("dump_parts_total", "Parts of dumps sent to gateways.", counters.dumpParts)
    return text.text + link.metrics
  }
}

extension BookOrigin {
  /// Creates the origin of a book that plays a feed.
  init(playing feed: any PlayedFeed) {
    let interval = Duration.nanoseconds(Int64(clamping: feed.interval))
    // The publisher calls one function at a time, so that nobody waits for the lock.
    let feed = Locked(feed)
    self.init(
      interval: interval, open: { topic in feed.withLock { $0.open(topic) } },
      close: { topic in feed.withLock { $0.close(topic) } }, dump: { topic in feed.withLock { $0.dump(of: topic) } },
      advance: { uptime in
        feed.withLock { feed in feed.advance(to: uptime).map { ($0.topic, $0.messages) } }
      })
  }
}
