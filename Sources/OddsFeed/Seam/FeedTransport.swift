public import OddsModel

/// One subscription to a topic.
///
/// The generation makes late messages harmless: a message for an earlier subscription to the same topic does not match
/// the current one.
public struct Subscription: Hashable, Sendable {
  /// The topic subscribed to.
  public let topic: Topic
  /// The number of this subscription. Each new subscription of a provider has a greater one.
  public let generation: UInt64

  /// Creates a subscription to a topic.
  public init(topic: Topic, generation: UInt64) {
    self.topic = topic
    self.generation = generation
  }
}

/// An event of a transport. Events arrive in the order in which they happened.
public enum TransportEvent: Sendable {
  /// The state of the connection changed.
  case state(ConnectionState)
  /// Bytes arrived for a subscription.
  case frame(TransportFrame)
  /// Records arrived for a subscription from a source other than the stream: the disk cache, the REST interface.
  case records(Subscription, FeedBatch, DataSource)
  /// The state of one topic changed.
  case topic(Subscription, TopicState)
  /// A REST request for a topic's data failed. Nil if it succeeds again; the answer itself arrives as `records`.
  case api(Subscription, FeedError?)
  /// The REST interface failed too often or was silent for too long, so its last answer for the topic is too old.
  case apiLost(Subscription)
  /// The connection is alive, but carried no data: the peer answered a ping, or no topic needs a connection. The
  /// first value is the uptime of the answer's receipt, or an earlier one if the answer may have waited on its way. The
  /// second is the uptime of the answered ping: everything that the peer sent before has arrived. Each is nil if the
  /// transport does not state it.
  case alive(receivedAt: Duration? = nil, completeUntil: Duration? = nil)
}

/// Received bytes and the subscription that they belong to.
public struct TransportFrame: Sendable {
  /// The arrangement of messages in the bytes.
  public enum Framing: Sendable {
    /// One message.
    case message
    /// One message per line, or a line of a recording that contains one. The last line may lack its newline.
    case lines
  }

  /// The subscription that the bytes belong to.
  public let subscription: Subscription
  /// UTF-8 bytes, with the messages in `range`.
  public let bytes: [UInt8]
  /// The range of the messages in `bytes`. Bytes outside it belong to the enclosing protocol.
  public let range: Range<Int>
  /// The arrangement of messages in `bytes[range]`.
  public let framing: Framing
  /// The time for which the bytes may have waited on their way until their receipt; zero if the transport does not
  /// measure it. The frame is a sign of life of that time before its receipt (Freshness.md).
  public internal(set) var delay: Duration
  /// The uptime of the receipt. Nil if the transport does not state it, because frames do not wait in it for their
  /// reader.
  public internal(set) var receivedAt: Duration?
  /// The uptime before which the peer sent nothing that has not arrived with the bytes or before them. Nil if the
  /// transport does not state it.
  package var completeUntil: Duration?
  /// True if the bytes are the answer to a request for a dump, and not sent by the feed on its own.
  package var isAnswer = false

  /// Creates a frame for a subscription.
  ///
  /// - Parameters:
  ///   - subscription: The subscription that the bytes belong to.
  ///   - bytes: UTF-8 bytes.
  ///   - range: The range of the messages in `bytes`; all of `bytes` if nil.
  ///   - framing: The arrangement of messages in the range.
  ///   - delay: The time for which the bytes may have waited on their way.
  ///   - receivedAt: The uptime of the receipt, by the clock of the `Provider`; nil if frames do not wait for their
  ///     reader.
  public init(
    subscription: Subscription, bytes: [UInt8], range: Range<Int>? = nil, framing: Framing = .message,
    delay: Duration = .zero, receivedAt: Duration? = nil
  ) {
    self.subscription = subscription
    self.bytes = bytes
    self.range = range ?? 0..<bytes.count
    self.framing = framing
    self.delay = delay
    self.receivedAt = receivedAt
  }

  /// Returns the time for which the bytes may have waited up to an uptime, on their way and in this process.
  package func age(at now: Duration) -> Duration { delay + wait(at: now) }

  /// Returns the time of receipt in milliseconds since 1970, from the present time of both clocks: the present if the
  /// transport does not state it.
  package func receiptTime(wall: Int64, uptime: Duration) -> Int64 {
    wall - Int64(wait(at: uptime) / .milliseconds(1))
  }

  /// Returns the time for which the bytes have waited in this process.
  private func wait(at now: Duration) -> Duration { receivedAt.map { max(.zero, now - $0) } ?? .zero }

  /// Calls `body` with the bytes in `range`.
  package func withMessages<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}

/// A connection to a feed: a WebSocket, a pipe, a file or a simulation.
///
/// A single reader consumes the events. Unread data stays in the transport, which bounds its memory however slow the
/// reader is. Each `subscribe` is followed by a dump without a further request.
public protocol FeedTransport: Sendable {
  /// The longest time between two signs of life of a healthy connection. Prices are delayed after one missed sign and
  /// locked after twice this time (Freshness.md). Nil, the default, if silence means nothing: a file, a pipe, a
  /// simulation.
  var heartbeat: Duration? { get }
  /// The silences after which prices are delayed and locked. Nil if silence means nothing. By default derived from
  /// `heartbeat`.
  var silenceLimits: SilenceLimits? { get }
  /// True if updates may arrive before a dump that is older than they are, as on a connection that registers first and
  /// then requests the dump (StoreRules.md, rule 1). Such updates are kept until the dump arrives. False if messages
  /// are applied in the order of arrival, with or without a dump, and a dump includes all earlier updates: a file, a
  /// pipe. True by default.
  var updatesMayPrecedeDump: Bool { get }
  /// The interval at which a fresh dump is requested and compared with the store (StoreRules.md, rule 8). Nil, the
  /// default, if the transport cannot request dumps.
  var auditInterval: Duration? { get }
  /// Returns a decoder of the messages in the frames, in its initial state.
  func makeDecoder() -> any FeedDecoder
  /// Starts the connection and returns its events, which end after `disconnect()`. Called once.
  func connect() async -> AsyncStream<TransportEvent>
  /// Returns the events that are already buffered, in order, without waiting. Only the reader of the events calls this,
  /// to receive several at once. The default implementation returns none, even if events are buffered.
  func drainBufferedEvents() -> [TransportEvent]
  /// Ends the connection and its events. Further calls have no effect.
  func disconnect() async
  /// Subscribes to a topic. Its dump and then its updates arrive as frames of this subscription.
  func subscribe(_ subscription: Subscription) async
  /// Requests a fresh dump of a subscribed topic, to compare with the store (StoreRules.md, rule 8).
  ///
  /// - Returns: False if the transport cannot request dumps, or cannot at the moment. The default implementation
  ///   returns false.
  func requestDump(_ subscription: Subscription) async -> Bool
  /// Retries the connection or a topic at once if it waits for its next attempt or has given up. The default
  /// implementation does nothing.
  func reconnect() async
  /// Reconnects with fresh credentials. The default implementation does nothing, for transports without credentials.
  func renew() async
  /// Unsubscribes from a topic. Frames in transit may still arrive, with an outdated generation.
  func unsubscribe(_ subscription: Subscription) async
}

extension FeedTransport {
  public var heartbeat: Duration? { nil }
  public var silenceLimits: SilenceLimits? { heartbeat.map { SilenceLimits(heartbeat: $0) } }
  public var updatesMayPrecedeDump: Bool { true }
  public var auditInterval: Duration? { nil }
  public func drainBufferedEvents() -> [TransportEvent] { [] }
  public func requestDump(_ subscription: Subscription) async -> Bool { false }
  public func reconnect() async {}
  public func renew() async {}
}
