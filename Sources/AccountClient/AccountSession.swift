import AccountModel
import OddsFeed

/// A session at a feed, without what is shown for it.
struct AccountSession: Hashable, Sendable {
  /// Under what name it was logged in.
  var user: String
  var userID: String
  var sessionID: String?
  /// When its token was given, and until when that is good; in milliseconds since 1970.
  var since: Int64
  var expiresAt: Int64?
}

/// A wallet as it was at a time in milliseconds since 1970.
struct DatedWallet: Hashable, Sendable {
  var wallet: Wallet
  var asOf: Int64
}

/// Why the account side did not do what it was asked.
enum AccountTrouble: Error, Hashable, Sendable {
  /// HTTP 401 or 403: what we show for ourselves is not good any more.
  case refused(FeedError)
  /// Asking again cannot help.
  case lasting(FeedError)
  case passing(FeedError)

  init(_ fault: ConnectionError) {
    switch fault.kind {
    case .denied: self = .refused(fault.problem)
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
  /// A user's name or id as logs show it.
  var masked: String { count > 2 ? "\(prefix(2))…" : "…" }
}
