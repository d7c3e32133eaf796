import OddsFeed

/// The time limits of a session with Betfair (Session.md).
enum BetfairTiming {
  /// The time limit for opening a connection, to the first bytes of the provider.
  static let connect = Duration.seconds(12)
  /// The time for which a topic waits if the account can open no further connection. Another program may close one.
  static let noConnection = Duration.seconds(30)
  /// The silence of a topic's connection after which its prices are delayed: one heartbeat, and 1 s for its way.
  static let overdue = BetfairSession.heartbeat + .seconds(1)
  /// The time between two keep-alives of the login session. The shortest sessions, of some countries, last 20 min.
  static let keepAlive = Duration.seconds(15 * 60)
  /// The time for which Betfair bans logins after too many.
  static let ban = Duration.seconds(20 * 60)
  /// The time between two requests for the list of the markets of a topic.
  static let listing = Duration.seconds(60)
  /// The time for which a topic waits for its first names before it is live without them.
  static let names = Duration.seconds(2)
  /// The time after the last request for an image after which the next one is not delayed more than the first.
  static let imageBackoffReset = Duration.seconds(60)
  /// The time limit for the peers to close their connections at the end.
  static let close = Duration.milliseconds(250)
}
