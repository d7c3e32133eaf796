package import AccountModel

/// The user's account, as the board uses it.
package protocol AccountService: Sendable {
  /// True if the session can be ended from the board, to show the effect.
  var canEndSession: Bool { get }
  /// Starts the service, and logs in if it has credentials. `onNews` is called from any thread when a status becomes
  /// available.
  func start(onNews: @escaping @Sendable () -> Void) async
  /// Returns the account's status; nil if it has not changed since the last call.
  func drain() -> AccountStatus?
  /// Logs in. Progress is reported as status.
  func logIn(user: String, password: Secret) async
  /// Ends the session at the user's request.
  func logOut() async
  /// Retries at once an attempt that is pending or was given up.
  func retry() async
  /// Continues without an account after the user has seen that the session has ended.
  func goHome() async
  /// Makes the server end the session, if it supports that.
  func endSession() async
  /// Closes the connections to the server before the program is suspended. Returns when they are closed.
  func suspend() async
  /// Opens the connections that `suspend` closed.
  func resume() async
  /// Stops the service and returns when all is closed. A stored session stays valid.
  func stop() async
}
