package import AccountModel
import Localization
import OddsFeed
package import OddsModel
import Platform

/// An account service without a network. Requests and answers are the same as over HTTP.
///
/// No timer runs while no stream is open.
package final class SimulatedAccountTransport: AccountTransport {
  /// The name of the only user, who can log in with any password.
  package static let user = "demo"
  private static let timeToLive: Int64 = 12 * 3_600_000

  private let hub: AccountHub
  /// The ids of the sessions by token.
  private let tokens = Locked<[Secret: String]>([:])

  /// Creates a service with the user `user`. `clock` returns the time in milliseconds since 1970.
  package init(
    seed: UInt64 = .random(in: 0 ... .max), pace: Int64 = SimulatedAccounts.usualPace,
    limits: AccountHub.Limits = AccountHub.Limits(), clock: @escaping @Sendable () -> Int64
  ) {
    hub = AccountHub(
      SimulatedAccounts(seed: seed, timeToLive: Self.timeToLive, pace: pace), limits: limits, clock: clock)
    hub.addPlayer(named: Self.user)
  }

  /// Ends all sessions as the server would. Returns false if there is none.
  @discardableResult
  package func endSession(_ cause: SessionEnd.Cause) -> Bool { hub.endAll(cause) > 0 }

  package func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer {
    switch (request.method, request.path) {
    case (.post, AccountPath.login): return logIn(request.body)
    case (.post, AccountPath.renew):
      guard let token = request.token, let session = session(of: request).flatMap({ hub.renew($0.id) }) else {
        return .sessionOver
      }
      return .login(session, token: token)
    case (.post, AccountPath.logout):
      guard let session = session(of: request) else { return .sessionOver }
      hub.logOut(session.id)
      forgetEnded()
      return .done
    default:
      guard let session = session(of: request) else { return .sessionOver }
      guard request.method == .get, request.path == AccountPath.wallet(of: session.playerID) else {
        return request.path.hasPrefix("/v2/player/") ? .notYours : AccountAnswer(status: 404)
      }
      return hub.wallet(of: session.playerID).map { .wallet($0, of: session.playerID) } ?? .sessionOver
    }
  }

  package func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection {
    guard let session = session(of: request), request.path == AccountPath.updates(of: session.playerID) else {
      throw Self.unauthorized
    }
    do throws(AccountHub.Refusal) {
      return try hub.open(session.id, after: request.lastEventID.flatMap { UInt64($0) })
    } catch {
      switch error {
      case .noSession: throw Self.unauthorized
      case .tooMany, .unavailable:
        throw ConnectionError(.protocolMismatch, FeedError(.accountCannotNow, "503", remedy: .remedyTriedAgain))
      }
    }
  }

  private func logIn(_ body: Secret?) -> AccountAnswer {
    guard let body, let credentials = AccountCredentials(json: Array(body.text.utf8)) else { return .badCredentials }
    guard credentials.user == Self.user, let session = hub.logIn(user: Self.user) else { return .wrongCredentials }
    forgetEnded()
    let token = Secret((0..<4).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }.joined())
    tokens.withLock { $0[token] = session.id }
    return .login(session, token: token)
  }

  private func session(of request: AccountRequest) -> PlayerSession? {
    guard let token = request.token else { return nil }
    return tokens.withLock { $0[token] }.flatMap { hub.session($0) }
  }

  private func forgetEnded() {
    let open = Set(hub.sessions.map(\.id))
    tokens.withLock { tokens in tokens = tokens.filter { open.contains($0.value) } }
  }

  private static let unauthorized = ConnectionError(
    .unauthorized, FeedError(.accountSessionRefused, remedy: .accountLogInAgain))
}
