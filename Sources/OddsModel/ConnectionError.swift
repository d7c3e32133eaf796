/// The reason why a connection could not be opened, or ended.
package struct ConnectionError: Error, Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// No address, no peer at the address, or no answer in time.
    case unreachable
    /// HTTP 401 or 403: the credentials are refused.
    case unauthorized
    /// The certificate is not trusted.
    case untrusted
    /// The peer does not speak the feed's protocol: another HTTP status or another sub-protocol.
    case protocolMismatch
    /// The peer closed the connection, with this WebSocket code if it sent one.
    case closed(code: UInt16?)
    /// The connection was reset, or ended without a close frame.
    case lost
    /// The received bytes are no WebSocket frame, are not UTF-8, or are too long.
    case protocolViolation
  }

  package var kind: Kind
  package var problem: FeedError
  /// The time after which the peer wants to be asked again; nil if it gave none.
  package var retryAfter: Duration?

  package init(_ kind: Kind, _ problem: FeedError, retryAfter: Duration? = nil) {
    self.kind = kind
    self.problem = problem
    self.retryAfter = retryAfter
  }

  /// True if another attempt with the same credentials and certificate cannot succeed (Reconnecting.md).
  package var isTerminal: Bool { kind == .unauthorized || kind == .untrusted }
}
