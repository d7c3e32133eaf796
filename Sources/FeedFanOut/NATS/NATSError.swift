internal import CNATS
package import Dispatch

/// An error of the connection to NATS, with a message for users.
package struct NATSError: Error, Hashable, CustomStringConvertible {
  package enum Code: Hashable, Sendable {
    /// No server can be reached, or the connection is lost. The library keeps trying.
    case disconnected
    case timedOut
    /// The subject of a request has no subscriber.
    case noResponders
    /// A message exceeds the server's `max_payload`.
    case tooLarge
    /// The connection was closed, and is not opened again.
    case closed
    /// An option has a value that cannot be used.
    case invalidOption
    /// A compare-and-set found another revision than expected.
    case wrongRevision
    case notFound
    /// A bucket has more entries than can be loaded.
    case tooManyEntries
    case other
  }

  package let code: Code
  package let description: String

  package init(_ code: Code, _ description: String) {
    self.code = code
    self.description = description
  }

  /// Creates the error for a status of libnats.
  ///
  /// - Parameter subject: What failed, such as a subject or an address.
  init(_ status: natsStatus, _ subject: String) {
    // NB: The text of the last error belongs to this thread, and to the last call that failed on it.
    let detail = nats_GetLastError(nil).map { Self.withoutPosition(String(cString: $0)) } ?? ""
    let text = detail.isEmpty ? String(cString: natsStatus_GetText(status)) : detail
    switch status {
    case NATS_NO_SERVER, NATS_CONNECTION_DISCONNECTED, NATS_NOT_YET_CONNECTED, NATS_INSUFFICIENT_BUFFER, NATS_IO_ERROR:
      self.init(.disconnected, "'\(subject)': no connection to NATS (\(text)): check that its servers run")
    case NATS_TIMEOUT: self.init(.timedOut, "'\(subject)': no answer from NATS in time: check its load and the network")
    case NATS_NO_RESPONDERS: self.init(.noResponders, "'\(subject)': nobody answers: check that a book runs")
    case NATS_MAX_PAYLOAD: self.init(.tooLarge, "'\(subject)': \(text): raise 'max_payload' of the NATS servers")
    case NATS_CONNECTION_CLOSED, NATS_DRAINING:
      self.init(.closed, "'\(subject)': the connection to NATS is closed: open another one")
    case NATS_NOT_FOUND: self.init(.notFound, "'\(subject)': not found in NATS")
    default: self.init(.other, "'\(subject)': NATS reports '\(text)': see the log of its servers")
    }
  }

  /// Returns a text of libnats without the position in the library's source with which it begins: `(conn.c:1234): `.
  static func withoutPosition(_ text: String) -> String {
    guard text.first == "(", let end = text.firstRange(of: "): ") else { return text }
    let position = text[..<end.lowerBound].split(separator: ":")
    guard position.count == 2, position[0].hasSuffix(".c"), Int(position[1]) != nil else { return text }
    return String(text[end.upperBound...])
  }

  /// Throws if the status is an error.
  static func check(_ status: natsStatus, _ subject: @autoclosure () -> String) throws(NATSError) {
    if status != NATS_OK { throw NATSError(status, subject()) }
  }
}

extension DispatchQueue {
  /// Calls `body` after 50 ms, to repeat something that failed without a connection to NATS.
  package func retryConnecting(_ body: @escaping @Sendable () -> Void) {
    asyncAfter(deadline: .now() + .milliseconds(50), execute: body)
  }
}
