package import AccountModel
package import FeedSimulator

/// The sessions, wallets and account streams of users: those of this process (`AccountHub`), or those of a cluster.
///
/// A method without `async` returns at once and reads memory only. The others throw if the accounts cannot be reached.
package protocol AccountService: Sendable {
  /// False while the accounts cannot be reached, so that no token can be checked.
  var isAvailable: Bool { get }
  var counts: AccountHub.Counts { get }
  /// The open sessions, by login time, as far as this process knows.
  var sessions: [PlayerSession] { get }

  /// Allows a user to log in.
  func addPlayer(named name: String)

  /// Returns the status of a session, as far as this process knows it.
  ///
  /// - Parameter issuedAt: The time of issue of the token that names the session, in milliseconds since 1970.
  func status(of id: String, issuedAt: Int64) -> SessionStatus

  /// Begins a session of a known user. Returns nil if the user is unknown or too many sessions are open.
  func logIn(user: String) async throws(AccountServiceError) -> PlayerSession?
  /// Extends a session by its full lifetime, counted from now. Returns the session, or nil if it is over.
  func renew(_ id: String) async throws(AccountServiceError) -> PlayerSession?
  /// Ends a session at the request of its user. Has no effect if it is over.
  func logOut(_ id: String) async throws(AccountServiceError)
  /// Ends all sessions of a user, or of all users if `user` is nil. Returns the number of ended sessions.
  func endAll(of user: String?, _ cause: SessionEnd.Cause) async throws(AccountServiceError) -> Int
  /// Returns the wallet of a player, or nil if the player is unknown.
  func wallet(of playerID: String) async throws(AccountServiceError) -> Wallet?
  /// Credits an amount to a user's real money, or debits it if negative. The amount is in hundredths.
  ///
  /// - Parameter key: The idempotency key of the client, 1 to 64 bytes: a posting that is repeated with it counts once.
  func post(_ hundredths: Int64, to user: String, key: String?) async throws(AccountServiceError) -> AccountHub.Posted

  /// Opens a stream of a session. It begins with the events after `lastEvent` that are still known.
  ///
  /// - Parameter onBehind: Called when the stream is ended because its reader is too far behind.
  func open(
    _ id: String, after lastEvent: UInt64?, onBehind: @escaping @Sendable () -> Void
  ) async throws(AccountHub.Refusal) -> EventStreamQueue
  /// Calls `onEnd` when a session ends, with nil for a logout, and `onLoss` when it is no longer known whether the
  /// session is open. Returns a number for `detach(_:)`, or nil if the session is over or not known.
  func attach(
    _ id: String, onLoss: @escaping @Sendable () -> Void, onEnd: @escaping @Sendable (SessionEnd.Cause?) -> Void
  ) -> UInt64?
  func detach(_ number: UInt64)
  /// Ends all streams and refuses new ones. Sessions continue.
  func drain()
}

/// The state of a session as a process knows it.
package enum SessionStatus: Hashable, Sendable {
  case open(PlayerSession)
  /// It has ended, or there never was one.
  case over
  /// It may be open: the process does not know now. Neither accept the token nor call it wrong.
  case unknown
}

/// The accounts cannot be reached. It is not known whether a request was carried out.
package struct AccountServiceError: Error, Hashable, Sendable {
  package init() {}
}

extension AccountHub: AccountService {
  package var isAvailable: Bool { true }

  package func status(of id: String, issuedAt: Int64) -> SessionStatus { session(id).map { .open($0) } ?? .over }
}

extension AccountAnswer {
  /// The answer while the accounts of a cluster cannot be reached.
  package static let unavailable = refusal(
    503, "the book of the accounts is not reachable", remedy: "try again in a moment", retryAfter: 1)
}
