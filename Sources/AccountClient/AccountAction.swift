import AccountModel

/// An action that the account machine requests. Actions are performed in order.
enum AccountAction: Hashable {
  /// Publishes the status to the readers.
  case publish(AccountStatus)
  /// Logs in. The result is reported with the session number.
  case logIn(user: String, password: Secret, session: Int)
  /// Uses the stored token for the session.
  case adopt(session: Int)
  case renew(session: Int)
  /// Removes the token from memory and storage, and notifies the feed of the end of the session.
  case logOut(session: Int)
  case fetchWallet(userID: String, fetch: Int)
  case openStream(userID: String, lastEventID: String?, link: Int)
  /// Cancels the stream, the attempt to open it and the request for the wallet. Their results are ignored.
  case close
  /// Saves the last known wallet of a user; removes the saved one if nil.
  case save(DatedWallet?, user: String)
  case note(AccountNote)
}
