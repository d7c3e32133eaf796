package import AccountModel
import Dispatch
import JSONText
import Logging
import OddsModel
import Platform

/// Logs in, renews and logs out. Only this type holds the token; connections and requests get it here.
package final class AuthManager: Sendable {
  typealias Login = Result<AccountSession, AccountRequestError>

  private struct State {
    /// The number of the current session. Answers for other sessions are ignored.
    var session = 0
    var token: Secret?
    var account: AccountSession?
    var login: Task<Login, Never>?
    /// The session found in storage, until it is adopted.
    var stored: StoredSession?
  }

  private let transport: any AccountTransport
  private let storage: TokenStorage?
  private let clock: ClientClock
  private let log: Logger
  private let state = Locked(State())
  /// The queue on which the account's files are written, in order. No lock is held while the disk works.
  let files = DispatchQueue(label: "toteboard.account")

  init(transport: any AccountTransport, storage: TokenStorage?, clock: ClientClock, log: Logger) {
    self.transport = transport
    self.storage = storage
    self.clock = clock
    self.log = log
  }

  /// True if sessions are stored across runs of the program.
  var isStored: Bool { storage != nil }

  /// Returns the current token. Nil if no user is logged in. Waits for the result of a login in progress.
  package func token() async -> Secret? {
    _ = await state.withLock { $0.login }?.value
    return state.withLock { $0.token }
  }

  // MARK: Sessions

  /// Returns the stored session. Nil if there is none, it has expired or it cannot be read.
  func find() -> AccountSession? {
    guard let storage else { return nil }
    do throws(FeedError) {
      guard let stored = try storage.read() else { return nil }
      if let end = stored.session.expiresAt, end <= clock.wall() {
        log.info("the stored session of '\(stored.session.userID.masked)' is over")
        storage.remove(stored.session.user)
        return nil
      }
      state.withLock { $0.stored = stored }
      return stored.session
    } catch {
      log.warning("the stored session is ignored: \(error)")
      return nil
    }
  }

  /// Adopts the session that `find()` returned.
  func adopt(session: Int) {
    state.withLock { state in
      guard let stored = state.stored.take() else { return }
      state.session = session
      state.token = stored.token
      state.account = stored.session
    }
  }

  /// Logs in; `token()` waits for the result. A token that arrives after the session has ended is revoked at the feed.
  func logIn(user: String, password: Secret, session: Int) -> Task<Login, Never> {
    state.withLock { state in
      let task = Task { await self.askForLogin(user, password, session) }
      state.session = session
      state.token = nil
      state.account = nil
      state.login = task
      return task
    }
  }

  private func askForLogin(_ user: String, _ password: Secret, _ session: Int) async -> Login {
    var json = JSONWriter()
    json.object { json in
      json.field("user", user)
      json.field("password", password.text)
    }
    let body = Secret(String(decoding: json.bytes, as: UTF8.self))
    let result = await ask(AccountRequest(.post, AccountPath.login, body: body), FeedError.noLogin)
      .flatMap { self.readLogin($0, user: user, session: session) }
    await filesWritten()
    state.withLock { state in
      if state.session == session { state.login = nil }
    }
    return result
  }

  func renew(session: Int) async -> Login {
    let (token, account) = current(session)
    guard let token, let account else { return .failure(.passing(.streamEnded)) }
    let answer = await ask(AccountRequest(.post, AccountPath.renew, token: token), FeedError.refusal)
    let result = answer.flatMap { self.readLogin($0, user: account.user, session: session) }
    await filesWritten()
    return result
  }

  /// Ends the session and removes its token from memory and storage. Returns the token, for the notification of the
  /// feed. Nil if the session is not the current one.
  func end(session: Int) -> Secret? {
    state.withLock { state in
      guard state.session == session else { return nil }
      if let account = state.account { files.async { [storage] in storage?.remove(account.user) } }
      state.login?.cancel()
      defer { state = State() }
      return state.token
    }
  }

  /// Returns after all changes of files so far are on disk.
  func filesWritten() async { await withCheckedContinuation { continuation in files.async { continuation.resume() } } }

  /// Notifies the feed of the end of a session, whose file is removed first. Waits for a short time at most.
  func sendLogout(_ token: Secret) async {
    await filesWritten()
    let deadline = clock.uptime() + AccountTiming.closeTimeout
    let isAcknowledged = await withTaskGroup(of: Bool?.self) { group in
      group.addTask {
        let answer = try? await self.transport.ask(AccountRequest(.post, AccountPath.logout, token: token))
        return answer.map { 200..<300 ~= $0.status } ?? false
      }
      group.addTask { [clock] in
        await clock.sleep(deadline)
        return nil
      }
      defer { group.cancelAll() }
      return await group.next() ?? nil
    }
    log.info("the feed has \(isAcknowledged == true ? "" : "not ")confirmed the logout")
  }

  // MARK: Requests with the token

  func wallet(of userID: String) async -> Result<Wallet, AccountRequestError> {
    let request = AccountRequest(
      .get, AccountPath.wallet(of: userID.percentEncoded), token: state.withLock { $0.token })
    return await ask(request, FeedError.refusal).flatMap { body in
      Result { () throws(AccountError) in try Wallet(json: body) }.mapError { .passing(.oddAnswer($0)) }
    }
  }

  func open(of userID: String, lastEventID: String?) async throws(ConnectionError) -> any EventStreamConnection {
    try await transport.open(
      AccountRequest(
        .get, AccountPath.updates(of: userID.percentEncoded), token: state.withLock { $0.token },
        lastEventID: lastEventID))
  }

  // MARK: Answers

  private func current(_ session: Int) -> (Secret?, AccountSession?) {
    state.withLock { $0.session == session ? ($0.token, $0.account) : (nil, nil) }
  }

  /// Returns the body of a successful answer.
  private func ask(
    _ request: AccountRequest, _ problem: (AccountAnswer) -> FeedError
  ) async -> Result<[UInt8], AccountRequestError> {
    let answer: AccountAnswer
    do throws(ConnectionError) { answer = try await transport.ask(request) } catch {
      // The transport returns answers of every status, so a denial here is a proxy's and does not concern the token.
      return .failure(error.isTerminal ? .lasting(error.problem) : .passing(error.problem))
    }
    switch answer.status {
    case 200..<300: return .success(answer.body)
    case 401, 403: return .failure(.refused(problem(answer)))
    case 404: return .failure(.lasting(problem(answer)))
    default: return .failure(.passing(problem(answer)))
    }
  }

  /// Stores a new token, unless the session has ended in the meantime.
  private func readLogin(_ body: [UInt8], user: String, session: Int) -> Login {
    let answer: LoginAnswer
    do throws(AccountError) { answer = try LoginAnswer(json: body) } catch {
      return .failure(.passing(.oddAnswer(error)))
    }
    let account = AccountSession(
      user: user, userID: answer.userID, sessionID: answer.sessionID, since: clock.wall(), expiresAt: answer.expiresAt)
    let isTaken = state.withLock { state in
      guard state.session == session else { return false }
      state.token = answer.token
      state.account = account
      // NB: Enqueued while holding the lock, so that the file is not left behind by a logout that comes in between.
      files.async { [storage, log] in
        do throws(FeedError) { try storage?.save(account, answer.token) } catch {
          log.warning("the session is not kept: \(error)")
        }
      }
      return true
    }
    if !isTaken { Task { await self.sendLogout(answer.token) } }
    return .success(account)
  }
}
