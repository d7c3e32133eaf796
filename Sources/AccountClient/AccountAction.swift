import AccountModel
import OddsFeed

/// What the account wants done, in order.
enum AccountAction: Hashable {
  /// The readers are to see it.
  case publish(AccountStatus)
  /// What comes of it is told with that number.
  case logIn(user: String, password: Secret, session: Int)
  /// The token that was stored is the session's.
  case adopt(session: Int)
  case renew(session: Int)
  /// The token is gone, from memory and storage, and the feed hears that the session is over.
  case logOut(session: Int)
  case fetchWallet(userID: String, fetch: Int)
  case openStream(userID: String, lastEventID: String?, link: Int)
  /// Stream, attempt and question for the wallet are over: what comes of them is nobody's.
  case close
  /// What was known last of a user's wallet; nil where nothing is to be kept.
  case keep(DatedWallet?, user: String)
  case note(AccountNote)
}

/// What comes in that is of no use, since the beginning.
package struct AccountCounters: Hashable, Sendable {
  /// Messages of a type that is known, which do not decode.
  package var faults = 0
  /// Messages of a type that nobody knows.
  package var unknown = 0
  /// Postings that had come before.
  package var duplicates = 0
  /// Messages about another user, or another session.
  package var unknownInvocations = 0
  /// Events that were too long.
  package var oversized = 0
}
