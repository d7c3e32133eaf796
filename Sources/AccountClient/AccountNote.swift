import AccountModel
import Logging
import OddsModel

/// A log message of the account. It contains no token, no password and at most two characters of a user's name or id.
struct AccountNote: Hashable {
  let level: Logger.Level
  let text: String

  private init(_ level: Logger.Level, _ text: String) {
    self.level = level
    self.text = text
  }

  static func loggingIn(user: String) -> Self { Self(.info, "logging in as '\(user.masked)'") }
  static func loggedIn(_ account: AccountSession) -> Self {
    Self(.info, "logged in as '\(account.userID.masked)'\(until(account))")
  }
  static func notLoggedIn(_ problem: FeedError) -> Self { Self(.notice, "not logged in: \(problem)") }
  static func resumed(_ account: AccountSession) -> Self {
    Self(.info, "the stored session of '\(account.userID.masked)' is resumed\(until(account))")
  }
  static func renewed(_ account: AccountSession) -> Self { Self(.debug, "the token is renewed\(until(account))") }
  static func notRenewed(_ problem: FeedError) -> Self { Self(.warning, "the token is not renewed: \(problem)") }
  static let leaving = Self(.info, "the user logs out")
  static func ended(_ end: SessionEnd) -> Self { Self(.notice, "the session is over: \(cause(of: end))") }

  static func connecting(attempt: Int) -> Self { Self(.debug, "attempt \(attempt) to open the stream") }
  static let open = Self(.info, "the stream is open")
  static func lost(_ problem: FeedError, _ delay: Duration) -> Self {
    Self(.notice, "the stream is lost, and tried again in \(delay): \(problem)")
  }
  static func givenUp(_ problem: FeedError) -> Self { Self(.warning, "the stream is given up: \(problem)") }
  static let wallet = Self(.debug, "the wallet has arrived")
  static func noWallet(_ problem: FeedError) -> Self { Self(.warning, "the wallet has not arrived: \(problem)") }

  static func posting(_ update: BalanceUpdate) -> Self {
    Self(.debug, "event: \(update.operation), posting '\(update.postingID.loggable)'")
  }
  static func duplicate(posting: String) -> Self {
    Self(.debug, "event: posting '\(posting.loggable)' once more, ignored")
  }
  static func stray(_ type: String) -> Self {
    Self(.warning, "event: a \(type) about another user or session, ignored")
  }
  static func unknown(type: String) -> Self { Self(.info, "event: the unknown type '\(type.loggable)', ignored") }
  static func undecodable(_ fault: AccountError) -> Self { Self(.error, "event: \(fault)") }
  static func tooLong(most: Int) -> Self { Self(.warning, "event: longer than \(most) bytes, ignored") }

  private static func until(_ account: AccountSession) -> String {
    account.expiresAt.map { ", until \(ISOTime.text($0))" } ?? ""
  }

  private static func cause(of end: SessionEnd) -> String {
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
