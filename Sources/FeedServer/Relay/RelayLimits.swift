/// The times and limits of a relay.
package struct RelayLimits: Hashable, Sendable {
  /// The upstream feed is lost after this time without a sign of life. It sends one every 5 seconds, which may be late.
  /// It is less than the 10 seconds after which a board locks its prices.
  package var silence = Duration.seconds(8)
  /// The upstream feed is also lost if a message may have waited for this time: from there on a board that is connected
  /// to it directly is delayed (`SilenceLimits`), but the clients of the relay could not tell.
  package var maxAge = Duration.seconds(6)
  /// The upstream feed is also lost when the last answered ping was sent so long ago: what the feed sent after it may
  /// not have arrived. It is the sum of `maxAge` and the 5 seconds between two pings: a connection on which answers take
  /// less than `maxAge` is not lost. In a cluster the delay of NATS comes on top: a gateway counts it, and this age,
  /// towards `GatewayTiming.dataTimeout`, which is shorter.
  package var maxDataAge = Duration.seconds(11)
  /// The time that a lost connection, and then the dump of a topic, may take to come back before the topic is lost.
  /// Meanwhile clients keep the state from before.
  package var grace = Duration.seconds(1)
  /// The time for which a requested topic waits for its dump while the upstream feed is not available. Not less than
  /// the longest time that a session waits for one message.
  package var pendingTimeout = Duration.seconds(120)
  /// The maximum number of topics that are open upstream. Each one is requested with two messages after a reconnection,
  /// and a server with the usual limits ends a session that sends more than 500 at once.
  package var maxTopics = 200
  /// The usual `ServerLimits.openTopicsOfAddress` of a relay with clients: a quarter of all topics.
  package var topicsOfAddress: Int { maxTopics / 4 }
  /// The number of topics that can be requested at once, and the number by which it grows back each second. Further
  /// requests wait.
  package var openBurst = 150.0
  package var openRate = 15.0
  /// The maximum size of the messages of a topic that wait for its dump, in bytes.
  package var maxWaitingBytes = 8 << 20
  /// The interval at which the state of a topic is compared with a fresh dump, because the loss of a message cannot be
  /// seen (StoreRules.md, rule 8).
  package var auditInterval = Duration.seconds(60)
  /// The number and the size in bytes of the latest messages that are kept for the comparison with a dump that is
  /// older.
  package var recentMessages = 256
  package var recentBytes = 1 << 20
  /// The time for which a topic that no client has stays open, after its last client or the last request for a dump.
  /// It is closed before if there are too many topics.
  package var linger = Duration.seconds(15)
  /// The time for which a topic that the upstream feed refused for good is not requested again.
  package var refusalAge = Duration.seconds(30)
  /// The time for which a topic is refused whose dump was the next to arrive at two losses of the connection within
  /// such a time.
  package var dumpLossAge = Duration.seconds(600)

  package init() {}
}
