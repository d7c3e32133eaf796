import AccountClient
import AccountModel
import Dashboard
import FeedSimulator
import Platform

/// The account service of the dashboard, on a client of a feed's account server or of the simulated one.
final class ClientAccountService: AccountService {
  private let client: AccountClient
  private let simulated: SimulatedAccountTransport?
  /// The login for the start; nil after its use.
  private let login: Locked<Login?>
  private let reader = Locked<AccountReader?>(nil)
  /// The requests that have not begun.
  private let requests = Mailbox<@Sendable (AccountClient) -> Void, Never>()
  /// Begins the requests in order. None waits for the end of the one before.
  private let beginning: Task<Void, Never>
  private let stopTimeout: Duration

  struct Login: Sendable {
    var user: String
    var password: Secret
  }

  /// Creates the service. Without a login, it resumes the stored session, if there is one. `stopTimeout` is the longest
  /// wait for the server when the service stops.
  init(
    _ client: AccountClient, login: Login? = nil, simulated: SimulatedAccountTransport? = nil,
    stopTimeout: Duration = .milliseconds(500)
  ) {
    self.client = client
    self.simulated = simulated
    self.login = Locked(login)
    self.stopTimeout = stopTimeout
    beginning = Task { [requests] in
      while let begin = await requests.next() { begin(client) }
    }
  }

  deinit { requests.finish() }

  var canEndSession: Bool { simulated != nil }

  func start(onChange: @escaping @Sendable () -> Void) {
    let reader = client.statuses(onPending: onChange)
    self.reader.withLock { $0 = reader }
    onChange()
    let login = login.withLock { $0.take() }
    requests.send { client in
      if let login { client.logIn(user: login.user, password: login.password) } else { client.start() }
    }
  }

  func drain() -> AccountStatus? { reader.withLock { $0 }?.drain() }

  func logIn(user: String, password: Secret) { requests.send { $0.logIn(user: user, password: password) } }

  func logOut() { requests.send { $0.logOut() } }

  func retry() { requests.send { $0.retryNow() } }

  func goHome() { requests.send { $0.acknowledgeEnd() } }

  func endSession() { requests.send { [simulated] _ in simulated?.endSession(.expired) } }

  func suspend(onClosed: @escaping @Sendable () -> Void) {
    requests.send { client in
      let closing = client.suspend()
      Task {
        await closing.value
        onClosed()
      }
    }
  }

  func resume() { requests.send { $0.resume() } }

  func stop() async {
    requests.finish()
    await within(stopTimeout) { [client, beginning] in
      await beginning.value
      await client.stop()
    }
  }
}

/// Returns when the work is done or the time has passed, whichever is first. The work is not cancelled.
func within(_ time: Duration, _ work: @escaping @Sendable () async -> Void) async {
  let (ends, end) = AsyncStream.makeStream(of: Void.self)
  Task.detached {
    await work()
    end.finish()
  }
  Task.detached {
    try? await Task.sleep(for: time)
    end.finish()
  }
  for await _ in ends {}
}
