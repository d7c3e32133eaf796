/// How to reach a peer that talks in text frames: over a WebSocket, or in this process.
package protocol FrameConnector: Sendable {
  /// Opens a connection. Whoever cancels the task gives the attempt up.
  func connect() async throws(ConnectionError) -> any FrameConnection
}

/// An open connection. One reader pulls; what it has not pulled is bounded by the connection, which then makes its peer
/// wait, not by memory.
package protocol FrameConnection: Sendable {
  /// Everything that has come since the last call, in order; waits where nothing has. The last event is `closed`, and
  /// after it the array is empty. Empty, too, where the task is cancelled.
  func read() async -> [FrameEvent]
  /// Sends a text frame. Does not wait; after the end, nothing happens.
  func send(_ text: [UInt8])
  /// Asks for a sign of life, which comes as `pong`.
  func ping()
  /// Ends the connection with a WebSocket close code; the reader gets `closed`. Where the peer does not answer, the
  /// connection ends all the same. Harmless when called twice.
  func close(code: UInt16)
}

/// What comes in on a connection.
package enum FrameEvent: Sendable {
  /// A whole text frame, UTF-8.
  case text([UInt8])
  /// The peer answered a ping.
  case pong
  /// Bytes came that are no whole frame yet, or one that its user need not see: the line works. Now and then only.
  case progress
  /// The connection is over.
  case closed(ConnectionError)
}

/// Why a connection could not be had, or ended.
package struct ConnectionError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No address, nobody there, no answer in time.
    case unreachable
    /// HTTP 401 or 403: what we show for ourselves is refused.
    case denied
    /// The certificate is not one to trust.
    case untrusted
    /// Somebody answered who does not speak the feed's protocol: another HTTP status, another sub-protocol.
    case misfit
    /// The peer closed, with the WebSocket code that it gave.
    case closed(code: UInt16?)
    /// Reset, or ended without a word.
    case lost
    /// What came is no WebSocket frame, no UTF-8, or too long.
    case garbage
  }

  package var kind: Kind
  package var problem: FeedError

  package init(_ kind: Kind, _ problem: FeedError) {
    self.kind = kind
    self.problem = problem
  }

  /// True where trying again as before cannot help (Reconnecting.md).
  package var isTerminal: Bool { kind == .denied || kind == .untrusted }
}
