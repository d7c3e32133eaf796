import AccountModel
import Dispatch
import FeedSimulator
import NIOCore
import NIOPosix
import Platform
import Testing

@testable import FeedServer

@Suite("Logins while others guess passwords", .timeLimit(.minutes(45)))
struct AuthenticatorTests {
  /// An authenticator with the user anna, whose password is "pw". Its clock does not advance.
  private struct Fixture {
    let authenticator: Authenticator
    let registry: PrometheusRegistry
    let closed: EventLoopFuture<Void>

    func status(_ user: String, _ password: String, from address: String) async throws -> Int {
      let body = Array(#"{"user":"\#(user)","password":"\#(password)"}"#.utf8)
      return try await authenticator.logIn(body, from: address, until: closed).status
    }
  }

  private func with(
    sleep: @escaping @Sendable (Duration) async throws -> Void = { _ in }, limits: ServerLimits = ServerLimits(),
    threads: NIOThreadPool = .singleton, _ body: (Fixture, EventLoopPromise<Void>) async throws -> Void
  ) async throws {
    var users = UserList()
    users.add("anna", try PasswordHash(of: Secret("pw"), cost: .light))
    var options = AccountOptions(users: users) { AccountServer.startTime }
    options.sleep = sleep
    let registry = PrometheusRegistry()
    let authenticator = try await Authenticator(
      options, limits: limits, registry: registry, work: WorkBudget(limits: limits), threads: threads)
    let promise = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
    defer { promise.succeed() }
    try await body(Fixture(authenticator: authenticator, registry: registry, closed: promise.futureResult), promise)
  }

  @Test("wrong passwords from one address do not refuse or delay the user at another address")
  func lockout() async throws {
    let delays = Locked<[Duration]>([])
    try await with(sleep: { delay in delays.withLock { $0.append(delay) } }) { fixture, _ in
      for number in 1...33 {
        let status = try await fixture.status("anna", "guess", from: "evil")
        #expect(status == (number <= 5 ? 401 : 429))
      }
      #expect(try await fixture.status("anna", "pw", from: "home") == 200)
    }
    #expect(delays.withLock { $0 }.isEmpty)
  }

  @Test("wrong passwords from many addresses delay a login, but do not refuse it; unknown names are delayed equally")
  func distributed() async throws {
    let expected = [250, 500, 1000, 2000, 4000, 8000, 8000, 8000, 8000, 8000].map { Duration.milliseconds($0) }
    for user in ["anna", "nobody"] {
      let delays = Locked<[Duration]>([])
      try await with(sleep: { delay in delays.withLock { $0.append(delay) } }) { fixture, _ in
        for number in 0..<20 {
          let status = try await fixture.status(user, "guess", from: "bot \(number)")
          #expect(status == 401)
        }
        let status = try await fixture.status(user, "pw", from: "home")
        #expect(status == (user == "anna" ? 200 : 401))
        #expect(fixture.registry.text.contains("toteboard_logins_delayed_total 10\n"))
      }
      #expect(delays.withLock { $0 } == expected)
    }
  }

  @Test("a delayed login ends when its connection closes; its password is not checked, and it does not count")
  func closed() async throws {
    let (delays, started) = AsyncStream.makeStream(of: Void.self)
    var limits = ServerLimits()
    limits.logins.undelayed = 0
    limits.logins.user = 2
    try await with(
      sleep: { _ in
        started.yield()
        try await Task.sleep(for: .seconds(86_400))
      }, limits: limits
    ) { fixture, promise in
      let first = try await fixture.status("anna", "guess", from: "home")
      #expect(first == 401)
      var iterator = delays.makeAsyncIterator()
      for round in 1...3 {
        // In the second and third round, the connection is already closed.
        async let status = fixture.status("anna", "pw", from: "home")
        await iterator.next()
        if round == 1 { promise.succeed() }
        #expect(try await status == 503)
      }
      #expect(fixture.registry.text.contains("toteboard_logins_total 0\n"))
    }
  }

  @Test("logins of unknown names from many addresses leave room in the queue for a valid user")
  func queue() async throws {
    let threads = NIOThreadPool(numberOfThreads: 1)
    threads.start()
    var limits = ServerLimits()
    limits.waitingLogins = 8
    try await with(limits: limits, threads: threads) { fixture, _ in
      for number in 0..<8 { #expect(try await fixture.status("nobody", "x", from: "bot \(number)") == 401) }
      let gate = DispatchSemaphore(value: 0)
      threads.submit { _ in gate.wait() }
      let finished = Locked(0)
      let status = try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            let status = try await fixture.status("x\(number)", "x", from: "bot \(number % 8)")
            #expect(status == 503 || status == 401)
            finished.withLock { $0 += 1 }
          }
        }
        // Each login is refused or waits in the queue, whose thread is blocked.
        while !Task.isCancelled, finished.withLock({ $0 }) + fixture.authenticator.waiting < 40 { await Task.yield() }
        let (queued, isOver) = (fixture.authenticator.waiting, Locked(false))
        #expect(queued == 4)
        async let right = {
          defer { isOver.withLock { $0 = true } }
          return try await fixture.status("anna", "pw", from: "home")
        }()
        while !Task.isCancelled, fixture.authenticator.waiting == queued, !isOver.withLock({ $0 }) {
          await Task.yield()
        }
        gate.signal()
        try await group.waitForAll()
        return try await right
      }
      #expect(status == 200)
      #expect(fixture.authenticator.waiting == 0)
    }
    try await threads.shutdownGracefully()
  }
}
