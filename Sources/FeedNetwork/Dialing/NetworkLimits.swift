import NIOCore

/// How long, and how much, at most.
struct NetworkLimits: Sendable {
  /// From the name to the WebSocket.
  var connect = TimeAmount.seconds(10)
  /// For the peer to answer a close frame.
  var close = TimeAmount.seconds(2)
  /// Of one message, in one frame or several.
  var messageBytes = 64 << 20
  /// Written and not taken by the peer.
  var unsentBytes = 16 << 20
  /// Come in and not read.
  var inbox = FrameInbox.Bounds()
  /// Of a REST answer, unpacked.
  var bodyBytes = 16 << 20
  /// For a REST answer.
  var request = TimeAmount.seconds(5)
  /// For an answer of the account side: making sure of a password takes a while.
  var answer = TimeAmount.seconds(15)
  /// Of such an answer, unpacked.
  var answerBytes = 64 << 10
  /// Of an account stream: the feed says something every 15 seconds.
  var silence = TimeAmount.seconds(45)
  /// Of an account stream, come in and not read.
  var unreadBytes = 1 << 20
}
