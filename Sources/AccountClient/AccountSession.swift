import AccountModel
import OddsModel

/// A session at a feed, without its token.
struct AccountSession: Hashable, Sendable {
  /// The name used for the login.
  var user: String
  var userID: String
  var sessionID: String?
  /// The time at which the token was received, by the local clock, in milliseconds since 1970.
  var since: Int64
  /// The time at which the token expires, by the feed's clock, in milliseconds since 1970. Nil if not sent.
  var expiresAt: Int64?
}

/// A wallet and the time at which it was known to be correct, in milliseconds since 1970.
struct DatedWallet: Hashable, Sendable {
  var wallet: Wallet
  var asOf: Int64
}

/// The reason why a request to the account side failed.
enum AccountRequestError: Error, Hashable, Sendable {
  /// HTTP 401 or 403: the feed does not accept the token, or the password of a login.
  case refused(FeedError)
  /// A retry cannot succeed.
  case lasting(FeedError)
  /// A retry may succeed.
  case passing(FeedError)

  init(_ fault: ConnectionError) {
    switch fault.kind {
    case .unauthorized: self = .refused(fault.problem)
    case .untrusted: self = .lasting(fault.problem)
    default: self = .passing(fault.problem)
    }
  }

  var problem: FeedError {
    switch self {
    case .refused(let problem), .lasting(let problem), .passing(let problem): problem
    }
  }
}

extension String {
  /// A user's name or id for logs: two characters at most.
  var masked: String { count > 2 ? "\(prefix(2))…" : "…" }
}
