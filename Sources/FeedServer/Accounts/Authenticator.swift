import AccountModel
import FeedSimulator
import NIOCore
import NIOPosix
import Platform

/// Checks logins and tokens.
final class Authenticator: Sendable {
  enum Refusal: String, CaseIterable {
    case password, limit, busy, sessions, form
  }

  private struct Counts {
    var logins = 0
    var refused: [Refusal: Int] = [:]
    /// The number of passwords that are being checked or are queued for it.
    var waiting = 0
  }

  let hub: AccountHub
  private let users: UserList
  private let issuer: TokenIssuer
  private let clock: @Sendable () -> Int64
  private let mostWaiting: Int
  private let limit: Locked<LoginLimit>
  private let counts = Locked(Counts())

  init(_ options: AccountOptions, limits: ServerLimits) async throws {
    (users, clock, mostWaiting) = (options.users, options.clock, limits.waitingLogins)
    issuer = try await TokenIssuer(key: options.tokenKey)
    limit = Locked(LoginLimit(rates: limits.logins))
    hub = AccountHub(
      SimulatedAccounts(seed: options.seed, timeToLive: options.sessionTime, pace: options.pace),
      limits: limits.accounts, clock: options.clock)
    for name in users.names { hub.addPlayer(named: name) }
  }

  /// Returns the open session of the token in an Authorization header, or nil if the header has no valid token.
  func session(shownBy header: String?) -> PlayerSession? {
    guard let header, header.prefix(7).lowercased() == "bearer ",
      let claims = issuer.read(header.dropFirst(7), now: clock()), let session = hub.session(claims.sessionID),
      session.playerID == claims.playerID
    else { return nil }
    return session
  }

  private func answer(_ session: PlayerSession) async throws -> AccountAnswer {
    .login(session, token: try await issuer.token(of: session, now: clock()))
  }

  func logIn(_ body: [UInt8], from address: String) async throws -> AccountAnswer {
    guard let credentials = AccountCredentials(json: body) else { return refuse(.form, .badCredentials) }
    let user = credentials.user
    if let wait = limit.withLock({ $0.attempt(of: user, from: address, now: clock()) }) {
      let seconds = Int((wait + 999) / 1000)
      return refuse(
        .limit,
        .refusal(429, "too many login attempts", remedy: "try again in '\(seconds)' seconds", retryAfter: seconds))
    }
    switch try await check(credentials) {
    case true?: limit.withLock { $0.takeBack(user, from: address) }
    case false?: return refuse(.password, .wrongCredentials)
    case nil:
      limit.withLock { $0.takeBack(user, from: address) }
      return refuse(
        .busy, .refusal(503, "too many logins are in progress", remedy: "try again in a moment", retryAfter: 1))
    }
    guard let session = hub.logIn(user: user) else {
      return refuse(.sessions, .refusal(503, "too many sessions are open", remedy: "try again later", retryAfter: 60))
    }
    counts.withLock { $0.logins += 1 }
    return try await answer(session)
  }

  func renew(_ session: PlayerSession) async throws -> AccountAnswer {
    guard let renewed = hub.renew(session.id) else { return .sessionOver }
    return try await answer(renewed)
  }

  /// Returns true if the password is right, or nil if too many checks are pending. Runs on a thread pool.
  private func check(_ credentials: AccountCredentials) async throws -> Bool? {
    let isTaken = counts.withLock { counts in
      if counts.waiting >= mostWaiting { return false }
      counts.waiting += 1
      return true
    }
    guard isTaken else { return nil }
    defer { counts.withLock { $0.waiting -= 1 } }
    return try await NIOThreadPool.singleton.runIfActive { [users] in
      users.accepts(credentials.password, of: credentials.user)
    }
  }

  private func refuse(_ reason: Refusal, _ answer: AccountAnswer) -> AccountAnswer {
    counts.withLock { $0.refused[reason, default: 0] += 1 }
    return answer
  }

  var figures: String {
    let (logins, hub) = (counts.withLock { $0 }, hub.counts)
    var text = FiguresText()
    text.gauge("account_sessions", "Open user sessions.", hub.sessions)
    text.gauge("account_streams", "Open account streams.", hub.streams)
    text.counter("account_streams_total", "Account streams opened since the start.", hub.streamsBegun)
    text.counter(
      "account_streams_behind_total", "Account streams ended because the client was too slow.", hub.streamsBehind)
    text.counter("logins_total", "Successful logins.", logins.logins)
    text.add(
      "logins_refused_total", "counter", "Refused logins, by reason.",
      Refusal.allCases.map { ("{reason=\"\($0.rawValue)\"}", logins.refused[$0] ?? 0) })
    return text.text
  }
}
