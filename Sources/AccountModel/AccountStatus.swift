package import OddsFeed

/// How the account does, as its readers see it.
package struct AccountStatus: Hashable, Sendable {
  package enum Phase: Hashable, Sendable {
    /// Nobody is logged in.
    case loggedOut
    /// The server is being asked.
    case loggingIn(user: String)
    /// The server does not let that user in, or could not be asked.
    case refused(user: String, FeedError)
    case loggedIn(user: String)
    /// The session is over, and not because its user asked for that.
    case ended(user: String, SessionEnd)
  }

  package enum Stream: Hashable, Sendable {
    case closed
    case connecting
    case live
    /// The next attempt comes by itself.
    case waiting(Retry)
    /// No attempt comes by itself any more.
    case failed(FeedError)
  }

  package var phase = Phase.loggedOut
  package var stream = Stream.closed
  /// The last that is known.
  package var wallet: Wallet?
  /// When the wallet was known to be so, in milliseconds since 1970; nil while the stream tells of each change.
  package var walletAsOf: Int64?
  /// Newest first, a bounded number.
  package var postings: [Posting] = []

  package init() {}
}

/// A posting as it came.
package struct Posting: Hashable, Sendable {
  package var update: BalanceUpdate
  /// In milliseconds since 1970.
  package var receivedAt: Int64

  package init(_ update: BalanceUpdate, receivedAt: Int64) { (self.update, self.receivedAt) = (update, receivedAt) }
}
