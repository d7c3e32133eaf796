/// One subscription to a topic.
///
/// The generation makes late messages harmless: what still arrives for an old subscription to the same topic
/// does not equal the new one.
public struct Subscription: Hashable, Sendable {
  /// What is subscribed to.
  public let topic: Topic
  /// Grows with every subscription that one provider makes.
  public let generation: UInt64

  /// A subscription to a topic.
  public init(topic: Topic, generation: UInt64) {
    self.topic = topic
    self.generation = generation
  }
}

/// What a transport hands to its reader, in the order in which it happened.
public enum TransportEvent: Sendable {
  /// The line's state changed.
  case state(ConnectionState)
  /// Bytes arrived for a subscription.
  case frame(TransportFrame)
  /// How the feed answers for one topic changed.
  case topic(Subscription, TopicState)
  /// The REST interface was asked for a topic's data and failed; nil where it answered again. The answer is a frame.
  case api(Subscription, FeedError?)
  /// The REST interface has failed too often, or not answered for too long: what it last told of the topic is too old.
  case apiLost(Subscription)
  /// The line gave a sign of life and nothing else: the answer to a ping.
  case alive
}

/// Bytes as they came, with the subscription that they belong to.
public struct TransportFrame: Sendable {
  /// How messages lie in the bytes.
  public enum Framing: Sendable {
    /// The bytes are one JSON text.
    case message
    /// The bytes are JSON texts, one a line; the last line may lack its newline.
    case lines
  }

  /// The subscription that the bytes belong to.
  public let subscription: Subscription
  /// UTF-8, with the messages in `range`.
  public let bytes: [UInt8]
  /// Where the messages lie in `bytes`: around them may be what carried them.
  public let range: Range<Int>
  /// How messages lie in `bytes[range]`.
  public let framing: Framing
  /// Where the messages come from.
  public let source: DataSource

  /// A frame for a subscription: all of the bytes, or those in `range`.
  public init(
    subscription: Subscription, bytes: [UInt8], range: Range<Int>? = nil, framing: Framing = .message,
    source: DataSource = .stream
  ) {
    self.subscription = subscription
    self.bytes = bytes
    self.range = range ?? 0..<bytes.count
    self.framing = framing
    self.source = source
  }

  /// Calls `body` with the bytes of the messages.
  package func withMessages<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    bytes.withUnsafeBufferPointer { body(UnsafeBufferPointer(rebasing: $0[range])) }
  }
}

/// The line to a feed: the simulated one, a pipe or file, or a WebSocket.
///
/// One reader pulls `events`; what is not pulled stays in the line, so memory is bounded by the transport, not by
/// the speed of whoever reads. A dump follows each `subscribe` by itself.
public protocol FeedTransport: Sendable {
  /// How far apart the signs of life of a sound line are at most; prices are delayed once one is missed, and locked after
  /// twice that time (Freshness.md). Nil, the default, where silence means nothing: a file, a pipe, a simulation.
  var heartbeat: Duration? { get }
  /// After which silence prices are delayed, and after which they are locked; nil where silence means nothing. By default
  /// what follows from the heartbeat.
  var silenceLimits: SilenceLimits? { get }
  /// Whether updates may come before the dump that they are newer than, as on a line where one registers first and then
  /// asks (StoreRules.md, rule 1); they are then kept for it. False where what comes is to be taken in the order in which it
  /// comes, a dump or none: a file, a pipe. True by default.
  var updatesMayPrecedeDump: Bool { get }
  /// How often a fresh dump is to be asked for and compared with what is held (StoreRules.md, rule 8). Nil, the default, where
  /// the line cannot be asked.
  var auditInterval: Duration? { get }
  /// Starts the line. Called once; the events end after `disconnect()`.
  func connect() async -> AsyncStream<TransportEvent>
  /// The events that are there already, in order, without waiting for any: for the reader of the events, who may take
  /// several at once. None by default, though some may be there.
  func drainBufferedEvents() -> [TransportEvent]
  /// Ends the line and its events. Harmless when called twice.
  func disconnect() async
  /// Asks for a topic; its dump and then its updates arrive as frames of this subscription.
  func subscribe(_ subscription: Subscription) async
  /// Asks for a fresh dump of a topic that is subscribed to, to compare with what is held (StoreRules.md, rule 8). False where
  /// this line cannot be asked, or not now; the default.
  func requestDump(_ subscription: Subscription) async -> Bool
  /// Tries again at once where the line, or a topic, waits to do so, or gave up. Harmless, and the default, where there is nothing to
  /// reconnect.
  func reconnect() async
  /// Gives the line up for another, as what we show to the feed for ourselves has changed. Nothing is the default, for lines
  /// that show nothing.
  func renew() async
  /// Gives a topic up. Frames on their way may still arrive; their generation is an old one.
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
