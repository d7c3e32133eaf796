package import FoundationCore

/// A message of the account stream (AccountStream.md). The type of the message determines the form of its body.
package enum AccountMessage: Hashable, Sendable {
  /// `BALANCE_UPDATE`, `BALANCE_UPDATE_V2`.
  case balance(BalanceUpdate)
  /// `SESSION_EXPIRATION`, `SESSION_EXPIRATION_V2`, `SESSION_TERMINATED`.
  case sessionEnd(SessionEnd)
  /// An unknown type, which is not an error.
  case unknown(type: String)
}

/// A posting to a player's wallet.
package struct BalanceUpdate: Hashable, Sendable {
  /// The operation of a posting (AccountStream.md: 0 to 3).
  package enum Operation: Int, Hashable, Sendable, CaseIterable {
    case debit, credit, reserve, release
  }

  /// The change of one part of the wallet.
  package struct Change: Hashable, Sendable {
    /// The changed amount. Its sign depends on the operation.
    package var affected: Decimal
    /// The amount after the posting, which is authoritative.
    package var after: Decimal

    package init(affected: Decimal, after: Decimal) {
      self.affected = affected
      self.after = after
    }
  }

  package var userID: String
  package var currency: String
  package var operation: Operation
  /// The purpose of the posting, a code of the operator. Nil if missing.
  package var transType: Int?
  /// The id of the posting. An update with a known id is a duplicate.
  package var postingID: String
  package var changes: [WalletPart: Change]

  package init(
    userID: String, currency: String, operation: Operation, transType: Int? = nil, postingID: String,
    changes: [WalletPart: Change]
  ) {
    self.userID = userID
    self.currency = currency
    self.operation = operation
    self.transType = transType
    self.postingID = postingID
    self.changes = changes
  }
}

/// The end of a session, as the feed or the client reports it (AccountStream.md).
package struct SessionEnd: Hashable, Sendable {
  /// The cause of the end, from the feed's code or, without a known code, from its word.
  package enum Cause: Hashable, Sendable {
    /// Code 1, "Expired": the session reached its time limit.
    case expired
    /// Code 2, "Kicked": the operator ended the session.
    case kicked
    /// `SESSION_TERMINATED`, or code 3: ended from elsewhere, such as by a login on another machine.
    case terminated
    /// Another word or code, as the feed sent it.
    case other(String)
    /// The server refuses the token, and no message gave a reason.
    case refused
  }

  package var cause: Cause
  package var userID: String?
  package var sessionID: String?
  /// The time of the login, in milliseconds since 1970.
  package var loginTime: Int64?
  /// The time of the end, in milliseconds since 1970.
  package var logoutTime: Int64?
  /// The name of the source that reported the end.
  package var sourceName: String?

  package init(
    _ cause: Cause, userID: String? = nil, sessionID: String? = nil, loginTime: Int64? = nil,
    logoutTime: Int64? = nil, sourceName: String? = nil
  ) {
    self.cause = cause
    self.userID = userID
    self.sessionID = sessionID
    self.loginTime = loginTime
    self.logoutTime = logoutTime
    self.sourceName = sourceName
  }
}
