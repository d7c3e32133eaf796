import NIOCore
import Platform

/// The timeouts and size limits of connections.
struct NetworkLimits: Sendable {
  /// The time allowed to open a connection, from name resolution to the end of the handshake.
  var connect = TimeAmount.seconds(10)
  /// The time allowed for the peer to answer a close frame.
  var close = TimeAmount.seconds(2)
  /// The maximum size of a message, in one frame or several, in bytes.
  var messageBytes = 64 << 20
  /// The maximum size of a line of a stream of lines, in bytes. An image of 200 markets has about a megabyte.
  var lineBytes = 16 << 20
  /// The maximum number of bytes written that the socket has not accepted yet.
  var unsentBytes = 16 << 20
  /// The number and the bytes of received frames that are not read yet from which reading pauses.
  var inbox = MailboxLimits(count: 4096, cost: 4 << 20)
  /// The maximum size of a REST response body, decompressed, in bytes.
  var bodyBytes = 16 << 20
  /// The time allowed for a REST response.
  var request = TimeAmount.seconds(5)
  /// The time allowed for a response of the account service. The check of a password takes a while.
  var answer = TimeAmount.seconds(15)
  /// The maximum size of such a response's body, decompressed, in bytes.
  var answerBytes = 64 << 10
  /// The time without data after which an account stream fails. The feed sends something every 15 seconds.
  var silence = TimeAmount.seconds(45)
  /// The number of unread bytes of an account stream from which reading pauses.
  var unreadBytes = 1 << 20
}
