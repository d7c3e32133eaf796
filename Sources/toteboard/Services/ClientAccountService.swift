import AccountClient
import AccountModel
import Dashboard
import FeedSimulator
import Platform

/// The account service of the dashboard, on a client of a feed's account server or of the simulated one.
final class ClientAccountService: AccountService {
  /// The longest wait for the server when the service stops.
  private static let patience = Duration.milliseconds(500)

  private let client: AccountClient
  private let simulated: SimulatedAccountTransport?
  /// The login for the start; nil after its use.
  private let login: Locked<Login?>
  private let reader = Locked<AccountReader?>(nil)

  struct Login: Sendable {
    var user: String
    var password: Secret
  }

  /// Creates the service. Without a login, it resumes the stored session, if there is one.
  init(_ client: AccountClient, login: Login? = nil, simulated: SimulatedAccountTransport? = nil) {
    (self.client, self.simulated) = (client, simulated)
    self.login = Locked(login)
  }

  var canEndSession: Bool { simulated != nil }

  func start(onChange: @escaping @Sendable () -> Void) async {
    let reader = client.statuses(onPending: onChange)
    self.reader.withLock { $0 = reader }
    onChange()
    guard let login = login.withLock({ $0.take() }) else {
      await client.start()
      return
    }
    await client.logIn(user: login.user, password: login.password)
  }

  func drain() -> AccountStatus? { reader.withLock { $0 }?.drain() }

  func logIn(user: String, password: Secret) async { await client.logIn(user: user, password: password) }

  func logOut() async { await client.logOut() }

  func retry() async { await client.retryNow() }

  func goHome() async { await client.acknowledgeEnd() }

  func endSession() async { simulated?.endSession(.expired) }

  func suspend() async { await client.suspend() }

  func resume() async { await client.resume() }

  func stop() async { await within(Self.patience) { [client] in await client.stop() } }
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
