/// A factory of connections that carry text frames, over a WebSocket or in this process.
package protocol FrameConnector: Sendable {
  /// Opens a connection. Cancelling the task abandons the attempt.
  func connect() async throws(ConnectionError) -> any FrameConnection
}

/// An open connection that carries text frames.
///
/// A single reader consumes it. Unread data is bounded: the connection applies back-pressure to its peer.
package protocol FrameConnection: Sendable {
  /// Returns everything received since the last call, in order; waits if there is nothing. The last event is `closed`;
  /// further calls return an empty array. Also returns an empty array if the task is cancelled.
  func read() async -> [FrameEvent]
  /// Sends a text frame without waiting. Has no effect after the end of the connection.
  func send(_ text: [UInt8])
  /// Sends a ping. The answer arrives as `pong`.
  func ping()
  /// Closes the connection with a WebSocket close code; the reader receives `closed`. The connection ends even if the
  /// peer does not answer. Further calls have no effect.
  func close(code: UInt16)
}

/// An event received on a connection.
package enum FrameEvent: Sendable {
  /// A complete text frame, UTF-8.
  case text([UInt8])
  /// The peer answered a ping.
  case pong
  /// Bytes arrived that are an incomplete frame, or a frame that the reader does not need: the connection is alive.
  /// Sent occasionally, not for every read.
  case progress
  /// The connection ended.
  case closed(ConnectionError)
}

/// The reason why a connection could not be opened, or ended.
package struct ConnectionError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No address, no peer at the address, or no answer in time.
    case unreachable
    /// HTTP 401 or 403: the credentials are refused.
    case denied
    /// The certificate is not trusted.
    case untrusted
    /// The peer does not speak the feed's protocol: another HTTP status or another sub-protocol.
    case misfit
    /// The peer closed the connection, with this WebSocket code if it sent one.
    case closed(code: UInt16?)
    /// The connection was reset, or ended without a close frame.
    case lost
    /// The received bytes are no WebSocket frame, are not UTF-8, or are too long.
    case garbage
  }

  package var kind: Kind
  package var problem: FeedError

  package init(_ kind: Kind, _ problem: FeedError) {
    self.kind = kind
    self.problem = problem
  }

  /// True if another attempt with the same credentials cannot succeed (Reconnecting.md).
  package var isTerminal: Bool { kind == .denied || kind == .untrusted }
}
