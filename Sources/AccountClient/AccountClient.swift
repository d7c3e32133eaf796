package import AccountModel
import Dispatch
package import Logging
import OddsModel
package import Platform

/// The user's account at a feed: the session, the wallet and the state of the account stream.
///
/// `AccountMachine` makes all decisions. One task reads the stream, another sleeps until the machine's next deadline.
package final class AccountClient: Sendable {
  private struct State {
    var machine = AccountMachine()
    var readers: [WeakReference<AccountReader>] = []
    var connection: (any EventStreamConnection)?
    var alarm = DeadlineTimer()
    /// The task that opens and reads the stream.
    var stream: Task<Void, Never>?
    /// The task that requests the wallet.
    var wallet: Task<Void, Never>?
    var login: Task<Void, Never>?
    var renewal: Task<Void, Never>?
    /// The task that notifies the feed of a logout.
    var logoutTask: Task<Void, Never>?
  }

  /// The provider of the current token, used by the WebSocket and the REST interface before each connection.
  package let tokens: AuthManager

  private let cache: BalanceCache?
  private let clock: ClientClock
  private let log: Logger
  private let state = Locked(State())

  /// Creates an account client, which sends nothing until it is asked to.
  ///
  /// - Parameter storage: Keeps the session across runs of the program; not kept if nil.
  /// - Parameter cache: Keeps the wallet across runs of the program; not kept if nil.
  package init(
    transport: any AccountTransport, storage: TokenStorage? = nil, cache: BalanceCache? = nil,
    clock: ClientClock = .live, logger: Logger = Logger(label: "toteboard.account")
  ) {
    var log = logger
    log[metadataKey: "category"] = "account"
    self.cache = cache
    self.clock = clock
    self.log = log
    tokens = AuthManager(transport: transport, storage: storage, clock: clock, log: log)
  }

  deinit {
    state.withLock { state in
      close(&state)
      for task in [state.alarm.cancel(), state.login, state.renewal] { task?.cancel() }
    }
  }

  /// Returns a reader of the status, which receives the current status and each change.
  ///
  /// - Parameter onPending: Called on any thread when a status becomes pending after the reader had none. The current
  ///   status is pending at once, without a call. NB: must not call the client, whose lock is held.
  package func statuses(onPending: @escaping @Sendable () -> Void = {}) -> AccountReader {
    state.withLock { state in
      let reader = AccountReader(state.machine.status, onPending: onPending)
      state.readers.removeAll { $0.value == nil }
      state.readers.append(WeakReference(reader))
      return reader
    }
  }

  // MARK: Requests of the user

  /// True if there is a stored session to resume, so that no password is needed.
  package var canStart: Bool { tokens.find() != nil }

  // Requests take effect in the order of the calls. None waits for the feed.

  /// Resumes the stored session. Returns false if there is none or if it has expired.
  @discardableResult
  package func start() -> Bool {
    guard let session = tokens.find() else { return false }
    apply(.found(session, known: knownWallet(of: session.user)))
    return true
  }

  /// Logs in and replaces the current session. The returned task ends after the feed's answer or a failure.
  @discardableResult
  package func logIn(user: String, password: Secret) -> Task<Void, Never>? {
    apply(.logIn(user: user, password: password, known: knownWallet(of: user)))
    return state.withLock { $0.login }
  }

  /// Ends the session at the user's request. The returned task ends after the feed's answer or a short timeout.
  @discardableResult
  package func logOut() -> Task<Void, Never>? {
    apply(.logOut)
    return state.withLock { $0.logoutTask }
  }

  /// Continues without an account after the user has read that the session ended or that the login was refused.
  package func acknowledgeEnd() { apply(.acknowledge) }

  /// Retries the stream at once, at the user's request or when the network is back, if it waits or has given up.
  package func retryNow() { apply(.retry) }

  /// Closes the stream and cancels a pending wallet request. The returned task ends after both have ended.
  @discardableResult
  package func suspend() -> Task<Void, Never> {
    apply(.suspend)
    let tasks = state.withLock { [$0.stream, $0.wallet] }
    return Task { for task in tasks { await task?.value } }
  }

  /// Reopens the stream after `suspend()`.
  package func resume() { apply(.resume) }

  /// Stops the client and waits for its tasks. A stored session stays valid; any other session is logged out.
  package func stop() async {
    apply(.stop(isStored: tokens.isStored))
    let tasks = state.withLock { state in
      state.renewal?.cancel()
      return [state.alarm.cancel(), state.stream, state.wallet, state.login, state.renewal, state.logoutTask]
    }
    for task in tasks { await task?.value }
    await tokens.filesWritten()
  }

  private func knownWallet(of user: String) -> DatedWallet? { tokens.files.sync { cache?.read(user) } }

  // MARK: Events

  private var moment: SessionMoment { SessionMoment(clock) }

  private func apply(_ event: AccountMachine.Event) {
    state.withLock { state in
      perform(state.machine.apply(event, at: moment), &state)
    }
  }

  /// Opens the stream and reads it to its end. Holds the client weakly, so that an abandoned one is released.
  private static func read(
    _ userID: String, _ lastEventID: String?, _ link: Int, _ tokens: AuthManager, _ client: WeakReference<AccountClient>
  ) async {
    let connection: any EventStreamConnection
    do throws(ConnectionError) { connection = try await tokens.open(of: userID, lastEventID: lastEventID) } catch {
      client.value?.apply(.stream(.closed(AccountRequestError(error)), link: link))
      return
    }
    defer { connection.close() }
    guard client.value?.opened(connection, link) == true else { return }
    do throws(ConnectionError) {
      while let bytes = try await connection.read() {
        guard client.value?.apply(.bytes(bytes), link) == true else { return }
      }
      _ = client.value?.apply(.closed(nil), link)
    } catch { _ = client.value?.apply(.closed(AccountRequestError(error)), link) }
  }

  /// Accepts an opened stream. Returns false if the stream is outdated.
  private func opened(_ connection: any EventStreamConnection, _ link: Int) -> Bool {
    state.withLock { state in
      guard link == state.machine.link else { return false }
      state.connection = connection
      perform(state.machine.apply(.stream(.opened, link: link), at: moment), &state)
      return true
    }
  }

  /// Applies an event of the stream. Returns false if the stream is no longer wanted.
  private func apply(_ event: AccountMachine.StreamEvent, _ link: Int) -> Bool {
    state.withLock { state in
      perform(state.machine.apply(.stream(event, link: link), at: moment), &state)
      return link == state.machine.link
    }
  }

  // MARK: Actions

  private func perform(_ actions: [AccountAction], _ state: inout State) {
    for action in actions { perform(action, &state) }
    guard let deadline = state.machine.deadline else { return }
    let client = WeakReference(self)
    state.alarm.set(for: deadline, clock) { client.value?.fired($0) }
  }

  private func perform(_ action: AccountAction, _ state: inout State) {
    let (tokens, client) = (tokens, WeakReference(self))
    switch action {
    case .publish(let status): for reader in state.readers { reader.value?.post(status) }
    case .logIn(let user, let password, let session):
      let login = tokens.logIn(user: user, password: password, session: session)
      state.login = Task {
        let result = await login.value
        client.value?.apply(.loggedIn(result, session: session))
      }
    case .adopt(let session): tokens.adopt(session: session)
    case .renew(let session):
      state.renewal = Task {
        let result = await tokens.renew(session: session)
        client.value?.apply(.renewed(result, session: session))
      }
    case .logOut(let session):
      guard let token = tokens.end(session: session) else { return }
      log.info("logging out: the token is deleted")
      state.logoutTask = Task { await tokens.sendLogout(token) }
    case .fetchWallet(let userID, let fetch):
      state.wallet?.cancel()
      state.wallet = Task {
        let result = await tokens.wallet(of: userID)
        client.value?.apply(.wallet(result, fetch: fetch))
      }
    case .openStream(let userID, let lastEventID, let link):
      state.stream = Task { await Self.read(userID, lastEventID, link, tokens, client) }
    case .close:
      close(&state)
      log.debug("the stream is closed")
    case .save(let wallet, let user):
      tokens.files.async { [cache] in
        if let wallet { cache?.save(wallet, of: user) } else { cache?.remove(user) }
      }
    case .note(let note): log.log(level: note.level, "\(note.text)")
    }
  }

  private func close(_ state: inout State) {
    for task in [state.stream, state.wallet] { task?.cancel() }
    state.connection.take()?.close()
  }

  private func fired(_ number: Int) -> Duration? {
    state.withLock { state in
      guard state.alarm.isCurrent(number) else { return nil }
      // NB: an action may reschedule the alarm; this sleep is then no longer the current one.
      perform(state.machine.apply(.time, at: moment), &state)
      return state.alarm.isCurrent(number) ? state.alarm.fired(next: state.machine.deadline) : nil
    }
  }
}
