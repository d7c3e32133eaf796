package import OddsModel

/// The feed that a book publishes. All functions except `start` are called on one queue, one at a time.
package struct BookOrigin: Sendable {
  /// A change of an open topic.
  package enum News: Hashable, Sendable {
    /// Messages of an open topic, in order.
    case messages(Topic, [[UInt8]])
    /// An open topic can no longer be had. It is closed.
    case lost(Topic)
  }

  /// The time between calls of `advance`.
  package let interval: Duration
  /// Begins. Called once, on the thread that creates the publisher. `onNews` asks for a call of `advance` before the
  /// interval is over, from any thread.
  package let start: @Sendable (_ onNews: @escaping @Sendable () -> Void) -> Void
  /// Opens a topic. The completion is called once, on any thread, with nil or with the reason for which the topic is
  /// not open. From then on, `advance` returns its messages. The completion is not called if the topic is closed
  /// before.
  package let open: @Sendable (Topic, _ completion: @escaping @Sendable (FeedFrame.Refusal?) -> Void) -> Void
  package let close: @Sendable (Topic) -> Void
  /// Returns true if no further topic can be opened before one is closed.
  package let isFull: @Sendable () -> Bool
  /// Returns the age of the data that open topics have after the last `advance`. It grows until an upstream feed
  /// answers the next ping.
  package let age: @Sendable () -> Duration
  /// Returns a function that builds a dump of the state of an open topic as it is now; nil if the topic has none at the
  /// moment. It is called on another thread, later, once.
  package let dump: @Sendable (Topic) -> (@Sendable () -> [UInt8])?
  /// Advances to an uptime in nanoseconds. Returns the news of open topics, in order.
  package let advance: @Sendable (_ uptime: UInt64) -> [News]

  package init(
    interval: Duration, start: @escaping @Sendable (_ onNews: @escaping @Sendable () -> Void) -> Void,
    open: @escaping @Sendable (Topic, _ completion: @escaping @Sendable (FeedFrame.Refusal?) -> Void) -> Void,
    close: @escaping @Sendable (Topic) -> Void, isFull: @escaping @Sendable () -> Bool = { false },
    age: @escaping @Sendable () -> Duration = { .zero },
    dump: @escaping @Sendable (Topic) -> (@Sendable () -> [UInt8])?,
    advance: @escaping @Sendable (_ uptime: UInt64) -> [News]
  ) {
    self.interval = interval
    self.start = start
    self.open = open
    self.close = close
    self.isFull = isFull
    self.age = age
    self.dump = dump
    self.advance = advance
  }

  /// Creates the origin of a feed whose topics open at once. `open` returns false if the topic does not exist.
  package init(
    interval: Duration, open: @escaping @Sendable (Topic) -> Bool, close: @escaping @Sendable (Topic) -> Void,
    dump: @escaping @Sendable (Topic) -> (@Sendable () -> [UInt8])?,
    advance: @escaping @Sendable (_ uptime: UInt64) -> [News]
  ) {
    self.init(
      interval: interval, start: { _ in }, open: { topic, completion in completion(open(topic) ? nil : .unknown) },
      close: close, dump: dump, advance: advance)
  }
}

/// The times and limits of a `BookPublisher`.
package struct BookTiming: Hashable, Sendable {
  package var heartbeatInterval = Duration.milliseconds(250)
  /// The interval at which a standby advances its feed.
  package var idleInterval = Duration.seconds(1)
  /// A topic without messages for this time sends a frame without messages, so that gateways notice a loss.
  package var markerInterval = Duration.seconds(1)
  /// A gateway that is not heard for this time has no topics open.
  package var interestTimeout = Duration.seconds(15)
  /// A dump is given to all gateways that ask within this time.
  package var dumpReuse = Duration.seconds(1)
  /// A dump is kept for this time after its last request, so that its parts can be fetched.
  package var dumpTimeout = Duration.seconds(10)
  /// The maximum number of open topics.
  package var maxTopics = 4096
  /// The maximum number of open topics whose messages no gateway receives. At this number, the one with the oldest
  /// request is closed before another topic is opened.
  package var maxUnfollowedTopics = 32
  /// The maximum number of bytes of dumps kept. The newest dump is kept whatever its size.
  package var maxDumpBytes = 512 << 20
  /// The size of a part of a dump, in bytes. After a takeover a gateway can await the first parts of 512 topics at
  /// once. NATS ends the connection of a client for which 64 MB wait.
  package var partSize = 32 << 10

  package init() {}
}
