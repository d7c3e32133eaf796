package import OddsModel

/// The feed that a book publishes. All functions are called on one queue, one at a time.
package struct BookOrigin: Sendable {
  /// The time between calls of `advance`.
  package let interval: Duration
  /// Opens a topic: `advance` returns its messages from now on. Returns false if it does not exist.
  package let open: @Sendable (Topic) -> Bool
  package let close: @Sendable (Topic) -> Void
  /// Returns a function that builds a dump of the topic's state as it is now; nil if the topic does not exist. It is
  /// called on another thread, later, once.
  package let dump: @Sendable (Topic) -> (@Sendable () -> [UInt8])?
  /// Advances to an uptime in nanoseconds. Returns the messages of open topics, in order.
  package let advance: @Sendable (_ uptime: UInt64) -> [(topic: Topic, messages: [[UInt8]])]

  package init(
    interval: Duration, open: @escaping @Sendable (Topic) -> Bool, close: @escaping @Sendable (Topic) -> Void,
    dump: @escaping @Sendable (Topic) -> (@Sendable () -> [UInt8])?,
    advance: @escaping @Sendable (_ uptime: UInt64) -> [(topic: Topic, messages: [[UInt8]])]
  ) {
    self.interval = interval
    self.open = open
    self.close = close
    self.dump = dump
    self.advance = advance
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
  /// The maximum number of topics open, and of bytes of dumps kept.
  package var maxTopics = 4096
  package var maxDumpBytes = 512 << 20
  /// The size of a part of a dump in bytes.
  package var partSize = 256 << 10

  package init() {}
}
