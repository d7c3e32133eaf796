import AccountClient
import AccountModel
import FeedSimulator
import Testing

@testable import OddsModel
@testable import Platform
@testable import toteboard

@Suite(.timeLimit(.minutes(45)))
struct ClientAccountServiceTests {
  /// Accounts whose streams never open, even if the attempt is cancelled.
  private final class StuckTransport: AccountTransport {
    private let inner = SimulatedAccountTransport(clock: ClientClock.wallTime)
    private let attempts = Locked<[CheckedContinuation<Void, Never>]>([])
    /// The attempts to open a stream.
    let opened = Mailbox<Void, Never>()

    func ask(_ request: AccountRequest) async throws(ConnectionError) -> AccountAnswer { try await inner.ask(request) }

    func open(_ request: AccountRequest) async throws(ConnectionError) -> any EventStreamConnection {
      await withCheckedContinuation { attempt in
        attempts.withLock { $0.append(attempt) }
        opened.send(())
      }
      throw ConnectionError(.lost, FeedError("given up", remedy: "wait"))
    }

    func resumeAll() { for attempt in attempts.withLock({ $0 }) { attempt.resume() } }
  }

  @Test("Requests take effect in order, and none waits for a suspension that does not end")
  func order() async {
    let transport = StuckTransport()
    let login = ClientAccountService.Login(user: SimulatedAccountTransport.user, password: Secret("x"))
    let service = ClientAccountService(AccountClient(transport: transport), login: login)
    service.start {}
    #expect(await transport.opened.next() != nil)
    let closed = Locked(0)
    // NB: A resumption before its suspension would open no stream.
    let turns = 500
    for _ in 0..<turns {
      service.suspend { closed.withLock { $0 += 1 } }
      service.resume()
    }
    for _ in 0..<turns { #expect(await transport.opened.next() != nil) }
    #expect(closed.withLock { $0 } == 0)
    transport.resumeAll()
    await service.stop()
  }
}
