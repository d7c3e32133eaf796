import AccountModel
import Logging
import OddsModel

/// A log message of the account. It contains no token, no password and at most two characters of a user's name or id.
enum AccountNote: Hashable {
  case loggingIn(user: String)
  case loggedIn(AccountSession)
  case notLoggedIn(FeedError)
  case resumed(AccountSession)
  case renewed(AccountSession)
  case notRenewed(FeedError)
  case connecting(attempt: Int)
  case open
  case lost(FeedError, Duration)
  case givenUp(FeedError)
  case wallet
  case noWallet(FeedError)
  case posting(BalanceUpdate)
  case duplicate(posting: String)
  case stray(String)
  case unknown(type: String)
  case undecodable(AccountFault)
  case tooLong(most: Int)
  case ended(SessionEnd)
  case leaving

  var level: Logger.Level {
    switch self {
    case .connecting, .wallet, .posting, .duplicate, .renewed: .debug
    case .loggingIn, .loggedIn, .resumed, .open, .unknown, .leaving: .info
    case .notLoggedIn, .lost, .ended: .notice
    case .notRenewed, .givenUp, .noWallet, .stray, .tooLong: .warning
    case .undecodable: .error
    }
  }

  var text: String {
    switch self {
    case .loggingIn(let user): "logging in as '\(user.masked)'"
    case .loggedIn(let account): "logged in as '\(account.userID.masked)'\(Self.until(account))"
    case .notLoggedIn(let problem): "not logged in: \(problem)"
    case .resumed(let account): "the stored session of '\(account.userID.masked)' goes on\(Self.until(account))"
    case .renewed(let account): "the token is renewed\(Self.until(account))"
    case .notRenewed(let problem): "the token is not renewed: \(problem)"
    case .connecting(let attempt): "attempt \(attempt) to open the stream"
    case .open: "the stream is open"
    case .lost(let problem, let delay): "the stream is lost, and tried again in \(delay): \(problem)"
    case .givenUp(let problem): "the stream is given up: \(problem)"
    case .wallet: "the wallet is in"
    case .noWallet(let problem): "the wallet is not in: \(problem)"
    case .posting(let update): "event: \(update.operation), posting '\(update.postingID.loggable)'"
    case .duplicate(let posting): "event: posting '\(posting.loggable)' once more, ignored"
    case .stray(let type): "event: a \(type) about another user or session, ignored"
    case .unknown(let type): "event: the unknown type '\(type.loggable)', ignored"
    case .undecodable(let fault): "event: \(fault)"
    case .tooLong(let most): "event: longer than \(most) bytes, ignored"
    case .ended(let end): "the session is over: \(Self.why(end))"
    case .leaving: "the user logs out"
    }
  }

  private static func until(_ account: AccountSession) -> String {
    account.expiresAt.map { ", until \(ISOTime.text($0))" } ?? ""
  }

  private static func why(_ end: SessionEnd) -> String {
    let source = end.sourceName.map { " by '\($0.loggable)'" } ?? ""
    if case .other(let word) = end.cause { return "'\(word.loggable)'\(source)" }
    return "\(end.cause)\(source)"
  }
}

extension String {
  /// The first 64 scalars of a text from the feed, without control characters and non-ASCII.
  fileprivate var loggable: String {
    String(String.UnicodeScalarView(unicodeScalars.prefix(64).filter { 0x20...0x7E ~= $0.value }))
  }
}
