package import AccountModel
package import OddsFeed

/// The user's account as the board sees it.
package protocol AccountService: Sendable {
  /// Whether the session can be ended from here, to show what happens then.
  var canEndSession: Bool { get }
  /// Begins: logs in where there is something to do so with. `onNews` is called from anywhere when there is something to
  /// take after there was nothing.
  func start(onNews: @escaping @Sendable () -> Void) async
  /// How the account does; nil where that has not changed since the last call.
  func take() -> AccountStatus?
  /// Logs in; how that goes is told as status.
  func logIn(user: String, password: Secret) async
  /// Ends the session because its user asks for it.
  func logOut() async
  /// Tries at once what waits to be tried again, or has been given up.
  func retry() async
  /// Has read that the session has ended: goes on without an account.
  func goHome() async
  /// Has the server end the session, where it is one that can be asked to.
  func endSession() async
  /// Closes what is open to the server: the program is about to be stopped. Returns when it is closed.
  func suspend() async
  /// Opens again what `suspend` closed.
  func resume() async
  /// Puts everything away, and returns then. The session stays, where it is stored.
  func stop() async
}
