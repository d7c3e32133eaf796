package import FeedSimulator
package import NIOCore

/// The limits of a server: sizes, rates and timeouts for its clients.
package struct ServerLimits: Hashable, Sendable {
  /// The maximum size of a client's message, in one frame or in fragments, in bytes.
  package var frameSize = 1 << 16
  /// The maximum number of topics of a session.
  package var topics = 64
  /// The maximum number of topics open at a time, over all sessions.
  package var openTopics = 512
  /// The maximum number of topics that are open because one address requested them first.
  package var openTopicsOfAddress = 128
  /// The maximum number of topics that are being opened upstream at a time. Addresses take turns for further ones.
  package var openings = 16
  /// The maximum number of WebSocket sessions.
  package var sessions = 10_000
  /// The number of connections in addition to sessions and account streams: HTTP requests and handshakes.
  package var otherConnections = 256
  /// The maximum number of connections from one client address: an IPv4 address, or the first 64 bits of an IPv6
  /// address.
  package var connectionsPerAddress = 256
  /// The number of connections of the admin interface above which idle ones are closed for new ones.
  package var adminConnections = 16
  /// The number of connections above which idle ones are closed for new ones. NB: `sessions` can be `Int.max`, so that
  /// the sum could overflow.
  var connections: Int { min(sessions, 1 << 40) + accounts.streams + otherConnections }
  /// The sustained rate of messages from a client, in messages per second. An answer to an invocation or a ping does
  /// not count, if it comes within `TokenBucket.answerTime`.
  package var requestRate = 50.0
  /// The number of messages that a client can send at once.
  package var requestBurst = 500.0

  /// The time allowed for a complete request, from the connection (TLS included) or from the head of a later one.
  package var requestTime = TimeAmount.seconds(10)
  /// The time allowed from the WebSocket handshake to the HELLO.
  package var helloTime = TimeAmount.seconds(10)
  /// The time for which an idle HTTP connection is kept open.
  package var idleTime = TimeAmount.seconds(60)
  /// The time for which an idle HTTP connection is kept open while more than 75 % of all connections are in use.
  package var crowdedIdleTime = TimeAmount.seconds(5)
  /// The time after which an HTTP connection is closed if the client does not read the pending output.
  package var writeTime = TimeAmount.seconds(15)
  /// The interval between pings.
  package var pingInterval = TimeAmount.seconds(5)
  /// The time after which a session is dropped if the client sends nothing, or if the socket accepts no more output and
  /// the client takes less than `progressBytes`.
  package var silence = TimeAmount.seconds(15)
  /// The number of bytes that a client takes while it reads.
  package var progressBytes = 1 << 16
  /// The time after which a session is dropped if the socket has accepted no more output, although the client reads: a
  /// dump keeps its part of `unsentBytesOfAddress` meanwhile.
  package var blockedTime = TimeAmount.seconds(60)
  /// The time allowed for the peer to close the connection after the server's close frame.
  package var closeTime = TimeAmount.seconds(1)

  /// The number of bytes pending for a client's socket above which updates, and the rest of a list, are withheld from
  /// that client.
  package var pendingBytes = 1 << 16
  /// The size of the kernel's send buffer for a client, in bytes.
  package var socketBuffer: Int32 = 1 << 18
  /// The number of bytes that the kernel accepts for a session before it has sent them, on Linux. What waits there
  /// becomes old, and the rest of `socketBuffer` is for bytes on the way.
  package var socketUnsent: Int32 = 1 << 15
  /// The number of pending messages of a topic above which a client gets one conflated message instead.
  package var conflatedFrom = 64
  /// The maximum number of messages that a topic keeps for slow clients. A client that is further behind gets a dump.
  package var keptMessages = 1024
  /// The maximum memory of the messages that a topic keeps, in bytes. A message takes up to twice its size.
  package var keptBytes = 1 << 22
  /// The maximum memory of the messages that all topics keep, in bytes, with the conflated ones.
  package var keptBytesOfAll = 1 << 28

  /// The time for which a dump is given to further clients although messages follow it. Until these arrive, a client
  /// shows the dump as it is: its age must not add much to the time after which a client distrusts a silent connection.
  /// It must be less than the 2 s for which clients keep updates before an audit (StoreRules.md, rule 8).
  package var dumpAge = TimeAmount.seconds(1)
  /// The maximum size of a dump for a client, in bytes. Boards, and servers that pass the feed on, end a connection at
  /// a message of more than 64 MiB, which has up to 1 KiB besides the dump.
  package var dumpSize = (64 << 20) - (1 << 10)
  /// The maximum number of dumps that are being built or are queued for it.
  package var waitingDumps = 32
  /// The maximum size of the dumps that are kept for further clients, in bytes.
  package var keptDumpBytes = 1 << 26
  /// The maximum size of the dumps, and of the lists of more than `pendingBytes`, that are written and not yet taken by
  /// the clients, in bytes.
  package var unsentBytes = 1 << 28
  /// The same, for the clients of one address.
  package var unsentBytesOfAddress = 1 << 26
  /// The maximum number of dumps that are being made, or wait to be sent, for subscribers of one address that are
  /// behind.
  package var catchUpsOfAddress = 8
  /// The time after which a subscriber that is behind is served again if its address had no processor time.
  package var catchUpInterval = TimeAmount.milliseconds(250)
  /// The time after which a session is ended if it reads and could not be brought up to date. With `pingInterval`, at
  /// which it is checked, less than the 10 seconds after which a board distrusts a silent connection.
  package var catchUpLimit = TimeAmount.seconds(4)
  /// The least time that such a session has to catch up after its socket accepts data again. Granted once.
  package var catchUpGrace = TimeAmount.milliseconds(500)
  /// The processor time that the requests of one address can cost at once.
  package var workBurst = TimeAmount.seconds(2)
  /// The processor time that an address regains, in seconds per second.
  package var workShare = 0.25

  /// The limits of account streams.
  package var accounts = AccountHub.Limits()
  /// The maximum size of a request's body, in bytes.
  package var bodySize = 1 << 12
  /// The maximum number of passwords that are being checked or are queued for it, shared between addresses by
  /// `LoginPlaces`.
  package var waitingLogins = 32
  package var logins = LoginLimit.Rates()

  package init() {}
}
