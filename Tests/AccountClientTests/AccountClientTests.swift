import AccountModel
import Localization
import Logging
import OddsModel
import Platform
import TestSupport
import Testing

@testable import AccountClient

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

@Suite("The account client", .timeLimit(.minutes(45)))
struct AccountClientTests {
  let server = ScriptedAccountServer()
  let clock = ManualClock()
  let directory = TemporaryDirectory()
  let log = AccountLogRecorder()
  static let password = Secret("pw")

  func client(_ server: ScriptedAccountServer? = nil, isStored: Bool = false) throws -> AccountClient {
    AccountClient(
      transport: server ?? self.server,
      storage: isStored
        ? try TokenStorage(directory: "\(directory.path)/state", address: "wss://odds.example", user: "alice") : nil,
      cache: BalanceCache(directory: "\(directory.path)/cache", address: "wss://odds.example", log: log.logger),
      clock: clock.clientClock, logger: log.logger)
  }

  /// Returns a client that is logged in and has an open stream.
  func live(isStored: Bool = false) async throws -> (AccountClient, StatusRecorder) {
    let client = try client(isStored: isStored)
    let recorder = StatusRecorder(client)
    await client.logIn(user: "alice", password: Self.password)?.value
    try await recorder.waitFor { $0.isLive }
    return (client, recorder)
  }

  @Test("A session from login to logout sends its requests in order")
  func whole() async throws {
    let (client, recorder) = try await live()
    server.sendPosting(1, real: "99.949999999999989")
    try await recorder.waitFor { $0.wallet?.real.description == "99.949999999999989" }
    await client.logOut()?.value
    #expect(recorder.statuses.last == AccountStatus())
    #expect(
      server.requests == [
        "POST /api/login", "GET /v2/player/alice-id/wallet", "GET /v2/player/alice-id/information/updates",
        "GET /v2/player/alice-id/wallet", "POST /api/logout",
      ])
    #expect(server.openStreams.isEmpty && server.state.withLock { $0.tokens.isEmpty })
    #expect(await client.tokens.token() == nil)
  }

  @Test("Any number of readers receive the latest status, once each")
  func readers() async throws {
    let (client, _) = try await live()
    let readers = (0..<5).map { _ in client.statuses() }
    #expect(readers.allSatisfy { $0.drain()?.isLive == true && $0.drain() == nil })
    let recorder = StatusRecorder(client)
    server.sendPosting(1, real: "1")
    server.sendPosting(2, real: "2")
    try await recorder.waitFor { $0.wallet?.real == 2 }
    #expect(readers.allSatisfy { $0.drain()?.postings.map(\.update.postingID) == ["2", "1"] })
    await client.stop()
  }

  @Test(
    "The reason of a session's end is published before the logout, and the token is removed from memory and disk")
  func orderOfEnd() async throws {
    let (client, recorder) = try await live(isStored: true)
    #expect(directory.names(in: "state").count == 1)
    let phase = Locked<AccountStatus.Phase?>(nil)
    server.state.withLock { state in
      state.answer = { request in
        if request.path == AccountPath.logout {
          #expect(request.token != nil)
          phase.withLock { $0 = recorder.statuses.last?.phase }
        }
        return nil
      }
    }
    server.expireSessions("Kicked", code: 2)
    try await server.waitForRequests { $0.last == "POST /api/logout" }
    #expect(phase.withLock { $0 } == .ended(user: "alice", SessionEnd(.kicked, userID: "alice-id")))
    #expect(await client.tokens.token() == nil)
    #expect(directory.names(in: "state").isEmpty && server.openStreams.isEmpty)
    client.acknowledgeEnd()
    #expect(recorder.statuses.last == AccountStatus())
    #expect(recorder.statuses.count { $0.isEnded } == 1)
    await client.stop()
  }

  @Test("Errors of unreadable answers and of failed saves are localized")
  func faults() throws {
    let wallet = FeedError.oddAnswer(AccountError(kind: "wallet", field: "Bonus"))
    #expect(
      Catalog(.traditionalChinese).text(wallet.sentence) == "無法讀取伺服器的回應：「wallet」沒有有效的「Bonus」：請確認位址屬於提供帳戶的資料源")
    let storage = try TokenStorage(directory: "/dev/null/state", address: "wss://odds.example", user: "alice")
    let account = AccountSession(user: "alice", userID: "7", sessionID: nil, since: 0, expiresAt: nil)
    let problem = try #require(throws: FeedError.self) { try storage.save(account, Secret("t")) }
    #expect(Catalog(.french).text(problem.localizedMessage).hasSuffix("«\u{202F}mkdir: Not a directory\u{202F}»"))
  }

  @Test(
    "A refused login reports the reason",
    arguments: [
      (AccountAnswer(status: 401), "wrong user name or password: check both and log in again"),
      (AccountAnswer(status: 400), "wrong user name or password: check both and log in again"),
      (
        AccountAnswer(status: 429, retryAfter: 1), "too many login attempts: wait 1 second and log in again"
      ),
      (
        AccountAnswer(status: 429, retryAfter: 30), "too many login attempts: wait 30 seconds and log in again"
      ),
      (
        AccountAnswer(status: 404),
        "this server has no accounts: check that the address belongs to a feed with accounts"
      ),
      (
        AccountAnswer(status: 503),
        "the account service is unavailable (status 503): log in again later"
      ),
      (
        AccountAnswer(status: 200, body: Array(#"{"token":"a b","userId":"u"}"#.utf8)),
        "the server's answer cannot be read: 'login' has no valid 'token': check that the address belongs to a feed with accounts"
      ),
    ])
  func refusals(answer: AccountAnswer, text: String) async throws {
    server.state.withLock { $0.answer = { _ in .success(answer) } }
    let client = try client()
    await client.logIn(user: "alice", password: Secret("wrong"))?.value
    guard case .refused("alice", let problem)? = client.statuses().drain()?.phase else { return #expect(Bool(false)) }
    #expect("\(problem)" == text)
    #expect(await client.tokens.token() == nil)
  }

  @Test("A user id is percent-encoded in request paths")
  func paths() async throws {
    server.state.withLock {
      $0.answer = { request in
        request.path == AccountPath.login
          ? .success(AccountAnswer(status: 200, body: Array(#"{"token":"t","userId":"a/../b ?"}"#.utf8))) : nil
      }
    }
    let client = try client()
    await client.logIn(user: "alice", password: Self.password)?.value
    try await server.waitForRequests { $0.contains("GET /v2/player/a%2F..%2Fb%20%3F/wallet") }
    await client.stop()
  }

  @Test("An unreachable feed is reported, and the last known wallet is shown with its date")
  func unreachable() async throws {
    let (first, _) = try await live()
    await first.stop()
    clock.advance(by: .seconds(60))
    server.state.withLock { $0.answer = { _ in .failure(ScriptedAccountServer.unreachableError) } }
    let client = try client()
    await client.logIn(user: "alice", password: Self.password)?.value
    let status = client.statuses().drain()
    #expect(status?.phase == .refused(user: "alice", ScriptedAccountServer.unreachableError.problem))
    #expect(status?.wallet?.total.description == "101.5" && status?.walletAsOf == ManualClock.wallStart)
  }

  @Test("A stored session resumes at the next start, and shows the last wallet while offline")
  func stored() async throws {
    let (first, _) = try await live(isStored: true)
    await first.stop()
    #expect(!server.requests.contains("POST /api/logout"))
    server.state.withLock { $0.answer = { _ in .failure(ScriptedAccountServer.unreachableError) } }
    let client = try client(isStored: true)
    let recorder = StatusRecorder(client)
    #expect(client.start())
    try await recorder.waitFor { if case .waiting = $0.stream { true } else { false } }
    #expect(
      recorder.statuses.last?.wallet?.real.description == "100.5"
        && recorder.statuses.last?.walletAsOf == ManualClock.wallStart)
    #expect(await client.tokens.token() == Secret("sEcrEt-1"))
    server.state.withLock { $0.answer = nil }
    clock.advance(by: .milliseconds(200))
    try await recorder.waitFor { $0.isLive }
    await client.stop()
  }

  @Test("A client without a stored session, or with an expired one, does not resume")
  func notStored() async throws {
    #expect(try client().start() == false)
    #expect(try client(isStored: true).start() == false)
    let server = ScriptedAccountServer(sessionDuration: 1000, wall: clock.clientClock.wall)
    let first = try client(server, isStored: true)
    await first.logIn(user: "alice", password: Self.password)?.value
    await first.stop()
    clock.advance(by: .seconds(1))
    #expect(try client(server, isStored: true).start() == false)
    #expect(directory.names(in: "state").isEmpty)
  }

  @Test("A token request during a login waits for the new token")
  func tokenWaits() async throws {
    let client = try client()
    let started = AsyncStream.makeStream(of: Void.self)
    server.state.withLock {
      $0.answer = { _ in
        started.continuation.yield(); return nil
      }
    }
    let login = client.logIn(user: "alice", password: Self.password)
    for await _ in started.stream { break }
    #expect(await client.tokens.token() == Secret("sEcrEt-1"))
    await login?.value
    await client.stop()
  }

  @Test("A token is renewed in time, and later requests use the new one")
  func renewal() async throws {
    let server = ScriptedAccountServer(sessionDuration: 10_000, wall: clock.clientClock.wall)
    let client = try client(server)
    let recorder = StatusRecorder(client)
    await client.logIn(user: "alice", password: Self.password)?.value
    try await recorder.waitFor { $0.isLive }
    clock.advance(by: .seconds(8))
    try await server.waitForRequests { $0.last == "POST /api/renew" }
    while !Task.isCancelled, await client.tokens.token() != Secret("sEcrEt-2") { await Task.yield() }
    #expect(recorder.statuses.last?.isLive == true)
    await client.stop()
  }

  @Test("A lost stream is opened again after 0.2 s, and a suspended client has none")
  func reconnects() async throws {
    let (client, recorder) = try await live()
    server.openStreams.first?.close()
    try await recorder.waitFor { if case .waiting = $0.stream { true } else { false } }
    var deadlines = clock.deadlines.makeAsyncIterator()
    let deadline = await deadlines.next()
    #expect(deadline == .milliseconds(200))
    clock.advance(by: .milliseconds(200))
    try await recorder.waitFor { $0.isLive }
    await client.suspend().value
    #expect(server.openStreams.isEmpty)
    client.resume()
    try await recorder.waitFor { $0.isLive }
    #expect(server.openStreams.count == 1)
    await client.stop()
    #expect(server.openStreams.isEmpty)
  }

  @Test("A released client closes its stream")
  func dropped() async throws {
    let reference = Locked<AccountClient?>(try await live().0)
    let stream = try #require(server.openStreams.first)
    let client = WeakReference(try #require(reference.withLock { $0 }))
    reference.withLock { $0 = nil }
    while !Task.isCancelled, !stream.isOver || client.value != nil { await Task.yield() }
  }
}
