import AccountClient
import AccountModel
import FeedNetwork
import FeedServer
import FeedSimulator
import Foundation
import Logging
import Platform
import TestSupport
import Testing

@Suite("Many consecutive sessions", .timeLimit(.minutes(45)))
struct AccountRoundsTests {
  /// True if no other test runs at the same time: then the process's resources are those of this test.
  private static let isAlone = ProcessInfo.processInfo.environment["ACCOUNT_ROUNDS_ALONE"] != nil
  // NB: each login hashes a password, which slows down tests that run at the same time.
  private static let rounds = isAlone ? 1_000 : 100
  /// The number of rounds after which all resources that are allocated only once are allocated.
  private static let warmUpRounds = isAlone ? 300 : 30

  @Test("Rounds of login, stream and expiry leak nothing in the client and the server")
  func rounds() async throws {
    let server = LoopbackServer(rate: 1)
    server.freeze()
    var users = UserList()
    users.add("anna", try PasswordHash(of: Secret("pw"), cost: .light))
    let accounts = AccountOptions(users: users, clock: ClientClock.wallTime)
    try await server.start { $0.accounts = accounts }
    let hub = try #require(server.accounts)
    let network = try FeedConnections(FeedEndpoint(address: FeedAddress(server.url)), agent: "toteboard-tests")
    let client = AccountClient(
      transport: network.account, logger: Logger(label: "rounds", factory: { _ in SwiftLogNoOpLogHandler() }))
    let (news, onNews) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reader = client.statuses { onNews.yield() }
    var waiting = news.makeAsyncIterator()
    func waitFor(_ isReached: (AccountStatus) -> Bool) async throws {
      while true {
        if let status = reader.drain(), isReached(status) { return }
        guard await waiting.next() != nil else { throw CancellationError() }
      }
    }
    var before = Usage()
    for round in 0..<Self.rounds {
      if round == Self.warmUpRounds { before = Usage() }
      try await client.logIn(user: "anna", password: Secret("pw"))?.cancellableValue
      try await waitFor { $0.stream == .live && $0.wallet != nil && $0.walletAsOf == nil }
      #expect(hub.endAll(.expired) == 1)
      try await waitFor { if case .ended(_, let end) = $0.phase { end.cause == .expired } else { false } }
    }
    let after = Usage()
    #expect(hub.counts.sessions == 0)
    #expect(hub.counts.streams == 0)
    #expect(hub.counts.streamsBegun == Self.rounds)
    if Self.isAlone {
      print("after \(Self.warmUpRounds) rounds \(before), after \(Self.rounds) \(after)")
      #expect(after.kilobytes - before.kilobytes < 4_000 && after.files <= before.files + 2)
      #expect(after.threads <= before.threads + 2)
    }
    await client.stop()
    await network.shutDown()
    await server.stop()
  }

  /// The memory, files and threads of the process.
  private struct Usage {
    let kilobytes: Int
    let files: Int
    let threads: Int

    init() {
      let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")[1]
      kilobytes = (pages.flatMap { Int($0) } ?? 0) * Int(getpagesize()) / 1024
      files = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
      threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
  }
}
