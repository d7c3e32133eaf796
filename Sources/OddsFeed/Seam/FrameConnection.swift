package import OddsModel
package import Platform

/// A factory of connections that carry text frames, over a WebSocket or in this process.
package protocol FrameConnector: Sendable {
  /// Opens a connection. Cancelling the task abandons the attempt.
  func connect() async throws(ConnectionError) -> any FrameConnection
}

extension FrameConnector {
  /// Connects, and reads until the connection ends or the task is cancelled. Does not read while `queue` is full, which
  /// makes the peer wait.
  ///
  /// - Parameters:
  ///   - opened: Called with the open connection. Returns false to close it.
  ///   - paused: Called with true before a wait for room in the queue, and with false after it.
  ///   - received: Called with everything that one read returned. Returns false to end the reading.
  /// - Throws: The error of a failed attempt to connect.
  package func read(
    into queue: Mailbox<TransportEvent, Never>, opened: (any FrameConnection) -> Bool,
    paused: (Bool) -> Void = { _ in }, received: ([FrameEvent]) -> Bool
  ) async throws(ConnectionError) {
    let connection = try await connect()
    guard opened(connection) else { return connection.close(code: CloseCode.normal) }
    while !Task.isCancelled {
      if queue.isFull {
        paused(true)
        await queue.room()
        paused(false)
      }
      let events = await connection.read()
      guard !events.isEmpty, received(events) else { return }
    }
  }
}

/// A server of documents, such as lists of names.
package protocol DocumentFetcher: Sendable {
  /// Returns the body of the answer to a request for a path with its query.
  func get(_ path: String) async throws(FeedError) -> [UInt8]
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
  /// Sends a ping with a number. The answer arrives as `pong`.
  func ping(_ number: UInt64)
  /// Closes the connection with a WebSocket close code; the reader receives `closed`. The connection ends even if the
  /// peer does not answer. Further calls have no effect.
  func close(code: UInt16)
}

extension [any FrameConnection] {
  /// Reads until the peers have closed the connections, or until `deadline`, an uptime. Discards what it reads.
  package func waitUntilClosed(by deadline: Duration, _ clock: ClientClock) async {
    if isEmpty { return }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for connection in self { while !(await connection.read()).isEmpty {} } }
      group.addTask { await clock.sleep(deadline) }
      await group.next()
      group.cancelAll()
    }
  }
}

/// An event received on a connection.
package enum FrameEvent: Sendable {
  /// A complete text frame, UTF-8.
  case text([UInt8])
  /// The peer answered the ping with this number; nil if the answer has none.
  case pong(UInt64?)
  /// Bytes arrived that are an incomplete frame, or a frame that the reader does not need: the connection is alive.
  /// Sent occasionally, not for every read.
  case progress
  /// The connection ended.
  case closed(ConnectionError)

  /// The bytes of a text frame; empty for other events.
  package var text: [UInt8] { if case .text(let bytes) = self { bytes } else { [] } }
}

/// WebSocket close codes (RFC 6455, §7.4.1).
package enum CloseCode {
  package static let normal: UInt16 = 1000
  package static let goingAway: UInt16 = 1001
  package static let protocolError: UInt16 = 1002
  package static let policy: UInt16 = 1008

  /// Returns true if the code is valid in a close frame (RFC 6455, §7.4).
  package static func isValid(_ code: UInt16) -> Bool {
    switch code {
    case 1000...1003, 1007...1014, 3000...4999: true
    default: false
    }
  }
}
