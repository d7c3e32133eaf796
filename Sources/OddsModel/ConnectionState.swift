/// The state of the connection to the feed.
public enum ConnectionState: Hashable, Sendable {
  /// Never connected, or disconnected by the client.
  case idle
  /// Connecting. The attempt is 1 at first and grows by 1 with each failure.
  case connecting(attempt: Int)
  /// Connected; the session is being negotiated.
  case handshaking
  /// Connected; messages can arrive.
  case live
  /// Connected again after a loss; the topics are being subscribed to again.
  case recovering
  /// Disconnected; the next attempt is scheduled.
  case waiting(Retry)
  /// The feed has ended: a file or pipe was read completely.
  case ended
  /// Disconnected for good; no attempt is scheduled.
  case failed(FeedError)

  /// True if messages can arrive.
  public var isUp: Bool { self == .live || self == .recovering }
}

/// A scheduled attempt to connect.
public struct Retry: Hashable, Sendable {
  /// The number of the attempt, from 2 on, counted since the connection was lost or since the start.
  public var attempt: Int
  /// The time of the attempt, in milliseconds since 1970.
  public var time: Int64
  /// The error that ended the previous attempt or connection.
  public var reason: FeedError

  /// Creates a scheduled attempt.
  public init(attempt: Int, time: Int64, reason: FeedError) {
    self.attempt = attempt
    self.time = time
    self.reason = reason
  }
}
