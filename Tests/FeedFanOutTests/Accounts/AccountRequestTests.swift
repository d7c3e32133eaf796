import AccountModel
import Dispatch
import FeedFanOut
import FeedServer
import FeedSimulator
import FoundationCore
import NIOCore
import OddsModel
import Platform
import TestSupport
import Testing

@testable import toteboard_server

/// A book with the accounts and its gateways, connected through a real server.
private struct AccountRequests {
  static let identity = BookIdentity(epoch: 7, book: 7)

  let server: NATSServer
  let subjects: Subjects

  init() throws {
    server = try NATSServer()
    subjects = try Subjects(name: "test")
  }

  var end: Duration { ClientClock.live.uptime() + .seconds(3600) }

  /// Players do not bet. Without requests, the book reads the clock only when its term begins.
  func book(clock: @escaping @Sendable () -> Int64 = ClientClock.wallTime) throws -> AccountBook {
    var options = AccountBook.Options()
    options.pace = 1 << 40
    options.interval = .seconds(3600)
    options.clock = clock
    return AccountBook(try server.connect(name: "book"), subjects, options: options, logger: noOpLogger)
  }

  func gateway(requestTimeout: Duration = .seconds(60)) throws -> ClusterAccounts {
    var options = ClusterAccounts.Options()
    options.requestTimeout = requestTimeout
    let accounts = ClusterAccounts(try server.connect(name: "gateway"), subjects, options: options, logger: noOpLogger)
    accounts.addPlayer(named: "anna")
    accounts.start()
    return accounts
  }
}

extension ClusterAccounts {
  fileprivate func waitUntilAvailable() async { while !Task.isCancelled, !isAvailable { await Task.yield() } }

  /// Posts to anna until a book answers. Returns the balance of real money in hundredths.
  fileprivate func balance(_ hundredths: Int64, key: String? = nil) async throws -> Decimal {
    while true {
      try Task.checkCancellation()
      guard let posted = try? await post(hundredths, to: "anna", key: key) else { continue }
      guard case .posted(let wallet) = posted else { return -1 }
      return wallet.real * 100
    }
  }
}

extension RealServerTests {
  @Suite(.timeLimit(.minutes(5))) struct AccountRequestTests {
    @Test("A request that timed out at the gateway is not executed later, so a repeated posting counts once")
    func givenUp() async throws {
      let requests = try AccountRequests()
      let book = try requests.book()
      book.activate(AccountRequests.identity, until: requests.end)
      let (hasty, patient) = (try requests.gateway(requestTimeout: .milliseconds(300)), try requests.gateway())
      for gateway in [hasty, patient] { await gateway.waitUntilAvailable() }
      let before = try await patient.balance(100)
      let gate = DispatchGate()
      book.queue.async { gate.wait() }
      await #expect(throws: AccountServiceError.self) { try await hasty.post(500, to: "anna", key: nil) }
      gate.open()
      #expect(try await patient.balance(500) == before + 500)
      book.deactivate()
      for gateway in [hasty, patient] { gateway.stop() }
    }

    @Test("After a bucket with too many entries, the next load is 30 s later; after other errors, 250 ms later")
    func loadDelay() {
      #expect(AccountBook.delay(after: NATSError(.tooManyEntries, "'test-accounts'")) == .seconds(30))
      #expect(AccountBook.delay(after: NATSError(.timedOut, "'test-accounts'")) == .milliseconds(250))
    }

    @Test("A request is not answered with its result if the term ends while it is executed")
    func endOfTerm() async throws {
      let requests = try AccountRequests()
      let ending = Locked<AccountBook?>(nil)
      let book = try requests.book {
        ending.withLock { $0.take() }?.deactivate()
        return ClientClock.wallTime()
      }
      book.activate(AccountRequests.identity, until: requests.end)
      let gateway = try requests.gateway()
      await gateway.waitUntilAvailable()
      _ = try await gateway.balance(100)
      // The book reads the clock at the beginning of a request.
      ending.withLock { $0 = book }
      await #expect(throws: AccountServiceError.self) { try await gateway.post(500, to: "anna", key: nil) }
      #expect(ending.withLock { $0 } == nil)
      gateway.stop()
    }

    @Test("A request for another term is not executed and is answered with the current term")
    func otherTerm() async throws {
      let requests = try AccountRequests()
      let book = try requests.book()
      book.activate(AccountRequests.identity, until: requests.end)
      let connection = try requests.server.connect()
      let gateway = try requests.gateway()
      await gateway.waitUntilAvailable()
      let before = try await gateway.balance(100)
      for epoch in [6, 8] as [UInt64] {
        let deadline = BookTime(epoch: epoch, time: 1 << 53)
        let call = BookCall(.post(user: "anna", hundredths: 500, key: nil), deadline: deadline)
        let result = try await completionValue { completion in
          connection.request(
            call.encoded, to: requests.subjects.accountRequest, timeout: .seconds(60), completion: completion)
        }
        let answer = try result.get()
        guard case .otherTerm(let now)? = BookReply(answer) else {
          Issue.record("the answer is \(String(buffer: answer))")
          continue
        }
        #expect(now.epoch == 7 && abs(now.time - ClientClock.wallTime()) < 3_600_000)
      }
      #expect(try await gateway.balance(100) == before + 100)
      book.deactivate()
      gateway.stop()
    }

    @Test("A posting that is repeated with the same key counts once, even after another book has taken over")
    func key() async throws {
      let requests = try AccountRequests()
      let first = try requests.book()
      first.activate(AccountRequests.identity, until: requests.end)
      let gateway = try requests.gateway()
      await gateway.waitUntilAvailable()
      let before = try await gateway.balance(100)
      #expect(try await gateway.balance(500, key: "a") == before + 500)
      #expect(try await gateway.balance(500, key: "a") == before + 500)
      first.deactivate()
      let second = try requests.book()
      second.activate(BookIdentity(epoch: 8, book: 8), until: requests.end)
      #expect(try await gateway.balance(500, key: "a") == before + 500)
      #expect(try await gateway.post(400, to: "anna", key: "a") == .differs)
      #expect(try await gateway.balance(500, key: "b") == before + 1000)
      second.deactivate()
      gateway.stop()
    }
  }
}
