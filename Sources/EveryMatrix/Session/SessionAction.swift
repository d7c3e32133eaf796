import OddsFeed
import OddsModel
import Platform

/// An action that the session machine requests. Actions are performed in order.
enum SessionAction: Hashable {
  /// Open a connection. Its events carry the number `link`.
  case connect(link: Int)
  /// Close the connection or abandon the attempt. Later events of it are ignored.
  case close(code: UInt16)
  case send(WAMPMessage)
  /// Send a ping with this number.
  case ping(UInt64)
  /// Deliver the payload of the current message to the subscription.
  case deliver(Subscription, Range<Int>)
  case line(ConnectionState)
  /// Report a new state of the feed's answer for a topic.
  case topic(Subscription, TopicState)
  /// Report a sign of life that carries no data.
  case alive
}

/// One event of the session machine: its time, and the actions that it has caused so far.
struct SessionStep {
  let now: SessionMoment
  var actions: [SessionAction] = []
}

/// The counts of a session since it was created.
struct SessionCounters: Hashable, Sendable {
  var attempts = 0
  /// Attempts that received a WELCOME.
  var sessions = 0
  /// Texts that are not WAMP messages, messages that the client does not use, updates without a payload, and answers to
  /// requests for a dump that are not a dump.
  var garbage = 0
  /// Messages that a server must not send, or not in the current phase.
  var violations = 0
  /// Invocations of a registration that does not exist, or no longer does.
  var unknownInvocations = 0
}
