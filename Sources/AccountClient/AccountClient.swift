package import AccountModel
package import FeedClient
package import Logging
package import OddsFeed
import Platform

/// The user's account at a feed: who is logged in, what he has, and how the stream that tells of it does.
///
/// What happens is decided by `AccountMachine`; one task reads the stream, and another sleeps to when time changes something.
package final class AccountClient: Sendable {
  private struct State {
    var machine = AccountMachine()
    var readers: [WeakReference<AccountReader>] = []
    var connection: (any EventStreamConnection)?
    var alarm = DeadlineTimer()
    /// Opens the stream and reads it.
    var stream: Task<Void, Never>?
    /// Asks for the wallet.
    var wallet: Task<Void, Never>?
    var login: Task<Void, Never>?
    var renewal: Task<Void, Never>?
    /// Tells the feed of a logout.
    var closeTimeout: Task<Void, Never>?
  }

  /// What WebSocket and REST interface ask for a token before each connection.
  package let tokens: AuthManager

  private let cache: BalanceCache?
  private let world: ClientClock
  private let log: Logger
  private let state = Locked(State())

  /// An account over a transport; nothing happens before it is asked for. Without a storage a session does not outlive the
  /// program, without a cache no wallet does.
  package init(
    transport: any AccountTransport, storage: TokenStorage? = nil, cache: BalanceCache? = nil,
    world: ClientClock = .live,
    logger: Logger = Logger(label: "toteboard.account")
  ) {
    var log = logger
    log[metadataKey: "category"] = "account"
    (self.cache, self.world, self.log) = (cache, world, log)
    tokens = AuthManager(transport: transport, storage: storage, world: world, log: log)
  }

  deinit {
    state.withLock { state in
      close(&state)
      for task in [state.alarm.cancel(), state.login, state.renewal] { task?.cancel() }
    }
  }

  /// What came in that was of no use.
  package var counters: AccountCounters { state.withLock { $0.machine.counters } }

  /// A reader, who sees how the account does now and each time that changes. `onPending` is called from anywhere when there
  /// is something to take after there was nothing.
  package func statuses(onPending: @escaping @Sendable () -> Void = {}) -> AccountReader {
    state.withLock { state in
      let reader = AccountReader(state.machine.status, onPending: onPending)
      state.readers.removeAll { $0.value == nil }
      state.readers.append(WeakReference(reader))
      return reader
    }
  }

  // MARK: What its user asks for

  /// Whether there is a stored session to go on with: nobody need be asked for a password.
  package var canStart: Bool { tokens.find() != nil }

  /// Goes on with the session that is stored, where there is one; false where there is none, or its time is up.
  @discardableResult
  package func start() async -> Bool {
    guard let session = tokens.find() else { return false }
    apply(.found(session, known: cache?.read(session.user)))
    return true
  }

  /// Logs in, in place of whoever is logged in. Returns when the feed has answered, or could not be asked.
  package func logIn(user: String, password: Secret) async {
    apply(.logIn(user: user, password: password, known: cache?.read(user)))
    await state.withLock { $0.login }?.value
  }

  /// Ends the session because its user asks for it. Returns when the feed has heard of it, or does not answer for a moment.
  package func logOut() async {
    apply(.logOut)
    await state.withLock { $0.closeTimeout }?.value
  }

  /// Goes on without an account: the user has read that the session is over, or that he was not let in.
  package func acknowledgeEnd() async { apply(.acknowledge) }

  /// Tries the stream again at once where it waits, or anew where it has been given up: the user asks for it, or the network
  /// is back.
  package func retryNow() async { apply(.retry) }

  /// Closes what is open to the feed, and returns then.
  package func suspend() async {
    apply(.suspend)
    for task in state.withLock({ [$0.stream, $0.wallet] }) { await task?.value }
  }

  /// Opens again what `suspend` closed.
  package func resume() async { apply(.resume) }

  /// Puts everything away, and returns then. A session that is stored goes on; another is logged out.
  package func stop() async {
    apply(.stop(isStored: tokens.isStored))
    let tasks = state.withLock { state in
      state.renewal?.cancel()
      return [state.alarm.cancel(), state.stream, state.wallet, state.login, state.renewal, state.closeTimeout]
    }
    for task in tasks { await task?.value }
  }

  // MARK: What happens

  private var moment: AccountMoment { AccountMoment(uptime: world.uptime(), wall: world.wall()) }

  private func apply(_ event: AccountMachine.Event) {
    state.withLock { state in
      perform(state.machine.apply(event, at: moment), &state)
    }
  }

  /// Opens the stream and reads it to its end. A client that nobody holds ends, whatever this waits for.
  private static func read(
    _ userID: String, _ lastEventID: String?, _ link: Int, _ tokens: AuthManager, _ client: WeakReference<AccountClient>
  ) async {
    let connection: any EventStreamConnection
    do throws(ConnectionError) { connection = try await tokens.open(of: userID, lastEventID: lastEventID) } catch {
      client.value?.apply(.stream(.closed(AccountTrouble(error)), link: link))
      return
    }
    defer { connection.close() }
    guard client.value?.opened(connection, link) == true else { return }
    do throws(ConnectionError) {
      while let bytes = try await connection.read() {
        guard client.value?.heard(.bytes(bytes), link) == true else { return }
      }
      _ = client.value?.heard(.closed(nil), link)
    } catch { _ = client.value?.heard(.closed(AccountTrouble(error)), link) }
  }

  /// False where the stream comes too late.
  private func opened(_ connection: any EventStreamConnection, _ link: Int) -> Bool {
    state.withLock { state in
      guard link == state.machine.link else { return false }
      state.connection = connection
      perform(state.machine.apply(.stream(.opened, link: link), at: moment), &state)
      return true
    }
  }

  /// False where nothing more is wanted of the stream.
  private func heard(_ event: AccountMachine.StreamEvent, _ link: Int) -> Bool {
    state.withLock { state in
      perform(state.machine.apply(.stream(event, link: link), at: moment), &state)
      return link == state.machine.link
    }
  }

  // MARK: What is to be done

  private func perform(_ actions: [AccountAction], _ state: inout State) {
    for action in actions { perform(action, &state) }
    guard let deadline = state.machine.deadline else { return }
    let client = WeakReference(self)
    state.alarm.set(for: deadline, world) { client.value?.fired($0) }
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
      log.info("logging out: the token is gone")
      state.closeTimeout = Task { await tokens.tellLogout(token) }
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
    case .keep(let wallet?, let user): cache?.save(wallet, of: user)
    case .keep(nil, let user): cache?.remove(user)
    case .note(let note): log.log(level: note.level, "\(note.text)")
    }
  }

  private func close(_ state: inout State) {
    for task in [state.stream, state.wallet] { task?.cancel() }
    state.connection.take()?.close()
  }

  // MARK: Time

  private func fired(_ number: Int) -> Duration? {
    state.withLock { state in
      guard state.alarm.isCurrent(number) else { return nil }
      // NB: what is performed may move the alarm; then this sleep is not the one that counts any more.
      perform(state.machine.apply(.time, at: moment), &state)
      return state.alarm.isCurrent(number) ? state.alarm.fired(next: state.machine.deadline) : nil
    }
  }
}
