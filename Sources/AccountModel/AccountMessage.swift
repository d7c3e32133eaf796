#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// A message of the account stream (AccountStream.md): its body is decoded by its type.
package enum AccountMessage: Hashable, Sendable {
  /// `BALANCE_UPDATE`, `BALANCE_UPDATE_V2`.
  case balance(BalanceUpdate)
  /// `SESSION_EXPIRATION`, `SESSION_EXPIRATION_V2`, `SESSION_TERMINATED`.
  case sessionEnd(SessionEnd)
  /// A type that nobody has seen yet: no error.
  case unknown(type: String)
}

/// A posting to a player's wallet.
package struct BalanceUpdate: Hashable, Sendable {
  /// What the posting does (AccountStream.md: 0 to 3).
  package enum Operation: Int, Hashable, Sendable, CaseIterable {
    case debit, credit, reserve, release
  }

  /// What it does to a part of the wallet.
  package struct Change: Hashable, Sendable {
    /// By how much; the sign is the operation's business.
    package var affected: Decimal
    /// What is there then: absolute, and what counts.
    package var after: Decimal

    package init(affected: Decimal, after: Decimal) { (self.affected, self.after) = (affected, after) }
  }

  package var userID: String
  package var currency: String
  package var operation: Operation
  /// What it is for, by the operator's own numbers; may be missing.
  package var transType: Int?
  /// The same id again is the same posting again.
  package var postingID: String
  package var changes: [WalletPart: Change]

  package init(
    userID: String, currency: String, operation: Operation, transType: Int? = nil, postingID: String,
    changes: [WalletPart: Change]
  ) {
    (self.userID, self.currency, self.operation) = (userID, currency, operation)
    (self.transType, self.postingID, self.changes) = (transType, postingID, changes)
  }
}

/// That a session is over, and why.
package struct SessionEnd: Hashable, Sendable {
  /// What ended it, by the feed's code and, where it has none, its word.
  package enum Cause: Hashable, Sendable {
    /// 1, "Expired": its time was up.
    case expired
    /// 2, "Kicked": by the operator.
    case kicked
    /// `SESSION_TERMINATED`, or 3: from elsewhere, such as a login on another machine.
    case terminated
    /// Another word, as the feed has it.
    case other(String)
    /// The server refuses the token, and no message has said why.
    case refused
  }

  package var cause: Cause
  package var userID: String?
  package var sessionID: String?
  /// In milliseconds since 1970.
  package var loginTime: Int64?
  package var logoutTime: Int64?
  /// Who says so.
  package var sourceName: String?

  package init(
    _ cause: Cause, userID: String? = nil, sessionID: String? = nil, loginTime: Int64? = nil,
    logoutTime: Int64? = nil, sourceName: String? = nil
  ) {
    (self.cause, self.userID, self.sessionID) = (cause, userID, sessionID)
    (self.loginTime, self.logoutTime, self.sourceName) = (loginTime, logoutTime, sourceName)
  }
}
