import AccountModel
import CoreMetrics
import FeedSimulator
import NIOCore
import NIOPosix
import Platform
import ServiceLifecycle

/// Checks logins and tokens.
final class Authenticator: Sendable {
  let hub: any AccountService
  private let users: UserList
  private let issuer: TokenIssuer
  private let clock: @Sendable () -> Int64
  private let sleep: @Sendable (Duration) async throws -> Void
  /// The threads that check passwords.
  private let threads: NIOThreadPool
  private let limiter: any LoginLimiter
  private let places: Locked<LoginPlaces>
  private let metrics: LoginMetrics

  init(
    _ options: AccountOptions, limits: ServerLimits, registry: PrometheusRegistry, work: WorkBudget,
    threads: NIOThreadPool = .singleton
  ) async throws {
    users = options.users
    clock = options.clock
    sleep = options.sleep
    self.threads = threads
    places = Locked(LoginPlaces(limit: limits.waitingLogins))
    issuer = try await TokenIssuer(key: options.tokenKey)
    if let cluster = options.cluster {
      limiter = RemoteLoginLimiter(cluster, work: work, clock: options.clock)
    } else {
      limiter = LocalLoginLimiter(rates: limits.logins, clock: options.clock)
    }
    hub =
      options.cluster
      ?? AccountHub(
        SimulatedAccounts(seed: options.seed, timeToLive: options.sessionTime, pace: options.pace),
        limits: limits.accounts, clock: options.clock)
    metrics = LoginMetrics(registry)
    for name in users.names { hub.addPlayer(named: name) }
    registry.addCollector(of: self) { $0.metrics.update($0.hub.counts, waiting: $0.waiting) }
  }

  /// Returns the status of the session of the token in an Authorization header; `over` without a valid token.
  func session(shownBy header: String?) -> SessionStatus {
    guard let header, header.prefix(7).lowercased() == "bearer ",
      let claims = issuer.read(header.dropFirst(7), now: clock())
    else { return .over }
    let status = hub.status(of: claims.sessionID, issuedAt: claims.issuedAt)
    if case .open(let session) = status, session.playerID != claims.playerID { return .over }
    return status
  }

  /// The number of passwords that are being checked or are queued for it.
  var waiting: Int { places.withLock { $0.taken } }

  private func answer(_ session: PlayerSession) async throws -> AccountAnswer {
    .login(session, token: try await issuer.token(of: session, now: clock()))
  }

  /// Begins a session if the credentials in a JSON body are right.
  ///
  /// - Parameters:
  ///   - address: The address by which failures are counted.
  ///   - closed: Completed when the client's connection is closed. Ends the delay of an attempt.
  func logIn(_ body: [UInt8], from address: String, until closed: EventLoopFuture<Void>) async throws -> AccountAnswer {
    guard let credentials = AccountCredentials(json: body) else { return refuse(.form, .badCredentials) }
    let verdict: LoginVerdict
    do { verdict = try await limiter.attempt(of: credentials.user, from: address) } catch {
      return refuse(.book, .unavailable)
    }
    let attempt: LoginAttempt
    switch verdict {
    case .attempt(let counted): attempt = counted
    case .refused(let wait):
      let seconds = Int((wait + 999) / 1000)
      return refuse(
        .limit,
        .refusal(429, "too many login attempts", remedy: "try again in '\(seconds)' seconds", retryAfter: seconds))
    }
    let isRight: Bool?
    do {
      try await delay(attempt, until: closed)
      isRight = try await check(credentials, from: address)
    } catch {
      attempt.takeBack()
      return refuse(
        .busy,
        .refusal(503, "the login was interrupted, or the server is shutting down", remedy: "try again", retryAfter: 5))
    }
    switch isRight {
    case true?: attempt.takeBack()
    case false?:
      attempt.fail()
      return refuse(.password, .wrongCredentials)
    case nil:
      attempt.takeBack()
      return refuse(
        .busy, .refusal(503, "too many logins are in progress", remedy: "try again in a moment", retryAfter: 1))
    }
    let begun: PlayerSession?
    do { begun = try await hub.logIn(user: credentials.user) } catch { return refuse(.book, .unavailable) }
    guard let session = begun else {
      return refuse(.sessions, .refusal(503, "too many sessions are open", remedy: "try again later", retryAfter: 60))
    }
    metrics.logins.increment()
    return try await answer(session)
  }

  func renew(_ session: PlayerSession) async throws -> AccountAnswer {
    guard let renewed = try await hub.renew(session.id) else { return .sessionOver }
    return try await answer(renewed)
  }

  /// Waits for the delay of an attempt. Takes no place in the queue of checks meanwhile.
  ///
  /// - Throws: `CancellationError` if the task is cancelled, the connection is closed or the server shuts down.
  private func delay(_ attempt: LoginAttempt, until closed: EventLoopFuture<Void>) async throws {
    guard attempt.delay > 0 else { return }
    metrics.delayed.increment()
    let wait = Task { [sleep] in
      try await cancelWhenGracefulShutdown { try await sleep(.milliseconds(attempt.delay)) }
    }
    closed.whenComplete { _ in wait.cancel() }
    try await withTaskCancellationHandler {
      try await wait.value
    } onCancel: {
      wait.cancel()
    }
  }

  /// Returns true if the password is right, or nil if there is no place for the address in the queue of checks.
  private func check(_ credentials: AccountCredentials, from address: String) async throws -> Bool? {
    guard let place = places.withLock({ $0.reserve(for: address, now: clock()) }) else { return nil }
    defer { places.withLock { $0.release(place) } }
    let isRight = try await threads.runIfActive { [users] in
      users.accepts(credentials.password, of: credentials.user)
    }
    if !isRight { places.withLock { $0.failed(from: address, now: clock()) } }
    return isRight
  }

  private func refuse(_ reason: LoginMetrics.Refusal, _ answer: AccountAnswer) -> AccountAnswer {
    metrics.refused(reason)
    return answer
  }
}
