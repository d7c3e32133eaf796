import OddsFeed

/// What a session wants done, in order.
enum SessionAction: Hashable {
  /// A connection is to be had; what comes of it is told with that number.
  case connect(link: Int)
  /// The connection or the attempt is over: what comes of it from now on is nobody's.
  case close(code: UInt16)
  case send(WAMPMessage)
  case ping
  /// The payload of the message at hand belongs to that subscription.
  case deliver(Subscription, Range<Int>)
  /// The line is another than before.
  case line(ConnectionState)
  /// The feed answers for a topic otherwise than before.
  case topic(Subscription, TopicState)
  /// The line gave a sign of life and nothing else.
  case alive
}

/// What a session has seen since it began.
package struct SessionCounters: Hashable, Sendable {
  /// Attempts to connect.
  package var attempts = 0
  /// Of these, WELCOMEs.
  package var sessions = 0
  /// Texts that were no WAMP message, or none that is used here.
  package var garbage = 0
  /// Messages that a server may not send, or not then.
  package var violations = 0
  /// Invocations of what was not registered, or not any more.
  package var unknownInvocations = 0
}
