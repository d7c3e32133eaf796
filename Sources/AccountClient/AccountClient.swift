package import AccountFeed
package import FeedClient
package import Logging
package import OddsFeed

/// The user's account at a feed: who is logged in, what he has, and how the stream that tells of it does.
package final class AccountClient: Sendable {
  /// What WebSocket and REST interface ask for a token before each connection.
  package let tokens = AuthManager()

  /// An account over a transport; nothing happens before it is asked for. Without a storage a session does not outlive the
  /// program, without a cache no wallet does.
  package init(
    transport: any AccountTransport, storage: TokenStorage? = nil, cache: BalanceCache? = nil, world: World = .live,
    logger: Logger = Logger(label: "toteboard.account")
  ) {
  }

  /// A reader, who sees how the account does now and each time that changes. `onPending` is called from anywhere when there
  /// is something to take after there was nothing.
  package func statuses(onPending: @escaping @Sendable () -> Void = {}) -> AccountReader {
    AccountReader(AccountStatus(), onPending: onPending)
  }

  /// Goes on with the session that is stored, where there is one; false where there is none, or its time is up.
  @discardableResult
  package func start() async -> Bool { false }

  /// Logs in, in place of whoever is logged in. Returns when the feed has answered, or could not be asked.
  package func logIn(user: String, password: Secret) async {}

  /// Ends the session because its user asks for it. Returns when the feed has heard of it, or does not answer for a moment.
  package func logOut() async {}

  /// Goes on without an account: the user has read that the session is over, or that he was not let in.
  package func acknowledgeEnd() async {}

  /// Tries the stream again at once where it waits, or anew where it has been given up: the user asks for it, or the network
  /// is back.
  package func retryNow() async {}

  /// Closes what is open to the feed, and returns then.
  package func suspend() async {}

  /// Opens again what `suspend` closed.
  package func resume() async {}

  /// Puts everything away, and returns then. A session that is stored goes on; another is logged out.
  package func stop() async {}
}
