package import OddsModel

/// The status of the account, for its readers.
package struct AccountStatus: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    case loggedOut
    case loggingIn(user: String)
    /// The server refused the login, or could not be reached.
    case refused(user: String, FeedError)
    case loggedIn(user: String)
    /// The session ended without a logout by the user.
    case ended(user: String, SessionEnd)
  }

  package enum Stream: Hashable, Sendable {
    case closed
    case connecting
    case live
    /// Disconnected; the next attempt is scheduled.
    case waiting(Retry)
    /// Disconnected; no attempt is scheduled.
    case failed(FeedError)
  }

  package var phase = Phase.loggedOut
  package var stream = Stream.closed
  /// The last known wallet.
  package var wallet: Wallet?
  /// The time at which the wallet was last known to be correct, in milliseconds since 1970. Nil while the stream
  /// reports every change, and without a wallet.
  package var walletAsOf: Int64?
  /// The latest postings, newest first. Bounded.
  package var postings: [Posting] = []

  package init() {}
}

/// A posting that the stream reported, and the time of its receipt.
package struct Posting: Hashable, Sendable {
  package var update: BalanceUpdate
  /// The time of receipt, in milliseconds since 1970.
  package var receivedAt: Int64

  package init(_ update: BalanceUpdate, receivedAt: Int64) {
    self.update = update
    self.receivedAt = receivedAt
  }
}
