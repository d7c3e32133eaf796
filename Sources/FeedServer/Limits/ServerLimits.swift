package import FeedSimulator
package import NIOCore

/// What a client may ask of the server, and how long the server waits for it.
package struct ServerLimits: Hashable, Sendable {
  /// The most bytes of a message from a client, in one frame or in fragments.
  package var frameSize = 1 << 16
  /// The most topics of a session.
  package var topics = 64
  /// The most topics that are played at a time, for all sessions together.
  package var openTopics = 512
  /// The most sessions.
  package var sessions = 10_000
  /// The most connections that have no session: requests, and handshakes in progress.
  package var otherConnections = 256
  /// Messages a second that a client may send for long, beside the answers to what it is sent.
  package var requestRate = 50.0
  /// How many messages beyond that it may send at once.
  package var requestBurst = 500.0

  /// From the connection to the end of the first request's head, TLS included.
  package var requestTime = TimeAmount.seconds(10)
  /// From the handshake to the HELLO.
  package var helloTime = TimeAmount.seconds(10)
  /// How long a connection that asks nothing over HTTP is kept.
  package var idleTime = TimeAmount.seconds(60)
  /// From one ping to the next.
  package var pingInterval = TimeAmount.seconds(5)
  /// A session that shows no sign of life for so long is dropped, and one that takes nothing of what it is sent.
  package var silence = TimeAmount.seconds(15)
  /// How long the other side has to close the connection after our close frame.
  package var closeTime = TimeAmount.seconds(1)

  /// The most bytes of the server's that wait for a client's socket before updates are held back for it.
  package var pendingBytes = 1 << 16
  /// The most bytes that the kernel keeps for a client.
  package var socketBuffer: Int32 = 1 << 18
  /// A client that is more messages behind gets one message with what they come to.
  package var conflatedFrom = 64
  /// The most messages of a topic that are kept for clients that are behind; who is further behind gets a dump.
  package var keptMessages = 1024
  /// The most bytes of them.
  package var keptBytes = 1 << 22

  /// What streams of accounts may take.
  package var accounts = AccountHub.Limits()
  /// The most bytes of a request's body.
  package var bodySize = 1 << 12
  /// The most passwords that wait to be checked.
  package var waitingLogins = 32
  package var logins = LoginLimit.Rates()

  package init() {}
}
