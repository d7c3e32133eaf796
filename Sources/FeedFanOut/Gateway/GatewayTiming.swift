package import NIOCore

/// The times and limits of a `BookSubscriber`.
package struct GatewayTiming: Hashable, Sendable {
  /// The book is lost after this time without a heartbeat.
  package var bookTimeout = Duration.seconds(2)
  /// The book is lost after this time if it announced the end of its term and no other book sends heartbeats.
  package var handoverTimeout = Duration.seconds(1)
  /// The interval at which a gateway sends a number to itself through NATS.
  package var echoInterval = Duration.seconds(1)
  /// The book is lost while such a number takes this time or longer: all that NATS delivers is as late. Longer than the
  /// library needs to notice that a connection is cut.
  package var echoTimeout = Duration.seconds(4)
  /// A topic asks for a dump after this time without an update although heartbeats arrive, and when an update arrives
  /// after it. The book sends something every second.
  package var quietTimeout = Duration.seconds(4)
  /// The book is lost while the data that has arrived from it is so old, although heartbeats arrive. The age at the
  /// book counts, which grows until its upstream feed answers the next ping, and the delay of NATS. Less than the 11
  /// seconds for which a board may show an old price as live: `checkInterval` and the way from the book to NATS come on
  /// top. The latter takes less than the 0.9 seconds after which the book loses a lease that NATS does not confirm.
  package var dataTimeout = Duration.seconds(9)
  /// The age of the clients' data at which a topic is lost although newer data arrives; a silence of the topic counts
  /// towards it. Longer than a takeover of a book with many topics takes. As `dataTimeout`, less than 11 seconds.
  package var staleTimeout = Duration.seconds(9)
  /// The time that a dump has in any case before its topic is lost: this process may have been paused.
  package var staleGrace = Duration.seconds(1)
  /// The interval between announcements of the open topics.
  package var announceInterval = Duration.seconds(5)
  /// The interval at which the times above are checked.
  package var checkInterval = Duration.milliseconds(250)
  /// The time to wait for the first part of a dump, which the book has to build, and for a further part.
  package var dumpTimeout = Duration.seconds(10)
  package var partTimeout = Duration.seconds(2)
  /// The delay before another request for a dump. It doubles with each failure, up to `maxRetryDelay`.
  package var retryDelay = Duration.milliseconds(250)
  package var maxRetryDelay = Duration.seconds(5)
  /// The maximum number of bytes of a topic that wait to be handled. Beyond it, NATS drops messages.
  package var pendingBytes = 16 << 20
  /// A dump is given to further clients while at most so many messages and bytes follow it. Both must be less than what
  /// the log of the topic keeps.
  package var messagesAfterDump = 64
  package var bytesAfterDump = 256 << 10

  package init() {}

  func retryDelay(failures: Int) -> Duration {
    min(retryDelay * (1 << min(failures - 1, 10)), maxRetryDelay)
  }
}

/// A dump of a topic.
package struct ReplicaDump: Hashable, Sendable {
  package let payload: ByteBuffer
  /// The offset of the last message that the dump includes.
  package let last: UInt64
}

/// The reason why a gateway cannot have a topic.
package enum BookError: Error, Hashable, Sendable {
  /// The book does not have the topic.
  case unknown
  /// The upstream feed of the book, or the book itself, refuses the topic. The associated value is the reason.
  case refused(String)
  /// The book cannot send a dump of the topic at the moment.
  case busy
  /// The book has too many topics open. The associated value is the limit.
  case tooMany(Int)
  /// The book cannot be reached, or its upstream feed does not serve the topic at the moment.
  case lost

  /// True if another request for the topic would be refused too.
  var isPermanent: Bool {
    switch self {
    case .unknown, .refused: true
    case .busy, .tooMany, .lost: false
    }
  }

  init(_ refusal: FeedFrame.Refusal) {
    switch refusal {
    case .unknown: self = .unknown
    case .refused(let reason): self = .refused(reason)
    case .busy, .expired: self = .busy
    case .tooMany(let limit): self = .tooMany(limit)
    case .lost: self = .lost
    }
  }
}

/// The receiver of a topic's messages. Its functions are called in order, one call at a time, on any thread. They must
/// not call the subscriber.
package struct TopicSink: Sendable {
  /// Drops all messages: the next one has offset `after` + 1, and every reader needs this dump or a newer one.
  package let restart: @Sendable (_ after: UInt64, _ dump: ByteBuffer) -> Void
  /// Adds messages. The first one has offset `first`, and follows the last one before or the `after` of `restart`.
  package let append: @Sendable (_ messages: [ByteBuffer], _ first: UInt64) -> Void

  package init(
    restart: @escaping @Sendable (_ after: UInt64, _ dump: ByteBuffer) -> Void,
    append: @escaping @Sendable (_ messages: [ByteBuffer], _ first: UInt64) -> Void
  ) {
    self.restart = restart
    self.append = append
  }
}
