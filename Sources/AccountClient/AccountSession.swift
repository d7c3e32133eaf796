import AccountModel
import OddsModel

/// A session at a feed, without its token.
struct AccountSession: Hashable, Sendable {
  /// The name used for the login.
  var user: String
  var userID: String
  var sessionID: String?
  /// The times at which the token was issued and at which it expires, in milliseconds since 1970.
  var since: Int64
  var expiresAt: Int64?
}

/// A wallet and the time at which it was known to be correct, in milliseconds since 1970.
struct DatedWallet: Hashable, Sendable {
  var wallet: Wallet
  var asOf: Int64
}

/// The reason why a request to the account side failed.
enum AccountRequestError: Error, Hashable, Sendable {
  /// HTTP 401 or 403: the token is no longer valid.
  case refused(FeedError)
  /// A retry cannot succeed.
  case lasting(FeedError)
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
