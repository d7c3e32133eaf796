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

/// How the line to the feed is.
public enum ConnectionState: Hashable, Sendable {
  /// Not asked to connect yet, or disconnected by us.
  case idle
  /// On the way to a connection.
  case connecting
  /// Messages can arrive.
  case live
  /// The feed has come to its end and nothing will follow: a file or pipe that was read whole.
  case ended
  /// The connection is lost for good; the text says why and what to do.
  case failed(String)
}

/// What a transport hands to its reader, in the order in which it happened.
public enum TransportEvent: Sendable {
  /// The line's state changed.
  case state(ConnectionState)
  /// Bytes arrived for a subscription.
  case frame(TransportFrame)
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
  /// UTF-8 JSON.
  public let bytes: [UInt8]
  /// How messages lie in `bytes`.
  public let framing: Framing

  /// A frame for a subscription.
  public init(subscription: Subscription, bytes: [UInt8], framing: Framing = .message) {
    self.subscription = subscription
    self.bytes = bytes
    self.framing = framing
  }
}

/// The line to a feed: the simulated one, a pipe or file, or a WebSocket.
///
/// One reader pulls `events`; what is not pulled stays in the line, so memory is bounded by the transport, not by
/// the speed of whoever reads. A dump follows each `subscribe` by itself.
public protocol FeedTransport: Sendable {
  /// How far apart the signs of life of a sound line are at most; prices are delayed once one is missed, and locked after
  /// twice that time (FEED.md §5). Nil, the default, where silence means nothing: a file, a pipe, a simulation.
  var heartbeat: Duration? { get }
  /// Whether updates may come before the dump that they are newer than, as on a line where one registers first and then
  /// asks (FEED.md §4 rule 1); they are then kept for it. False where what comes is to be taken in the order in which it
  /// comes, a dump or none: a file, a pipe. True by default.
  var updatesMayPrecedeDump: Bool { get }
  /// Starts the line. Called once; the events end after `disconnect()`.
  func connect() async -> AsyncStream<TransportEvent>
  /// Ends the line and its events. Harmless when called twice.
  func disconnect() async
  /// Asks for a topic; its dump and then its updates arrive as frames of this subscription.
  func subscribe(_ subscription: Subscription) async
  /// Gives a topic up. Frames on their way may still arrive; their generation is an old one.
  func unsubscribe(_ subscription: Subscription) async
}

extension FeedTransport {
  public var heartbeat: Duration? { nil }
  public var updatesMayPrecedeDump: Bool { true }
}
