import FeedFanOut
import FeedServer
import NIOCore
import OddsModel
import Platform
import Testing

@testable import FeedSimulator
@testable import toteboard_server

/// A book of the accounts with dumps that the test sets, and a gateway.
private struct GivenDumps {
  static let session = PlayerSession(
    id: "s", playerID: "7", user: "anna", loginTime: 1, expiresAt: ClientClock.wallTime() + 3_600_000)
  static let sessionDump = AccountOutbox.json(SessionDump(sessions: [session], ended: []))
  static let player = AccountTopics.player("7")

  let server: NATSServer
  let publisher: BookPublisher
  let accounts: ClusterAccounts
  private let dumps: Locked<[Topic: [UInt8]]>

  init(_ given: [Topic: [UInt8]]) throws {
    server = try NATSServer()
    let subjects = try Subjects(name: "test")
    let dumps = Locked(given)
    self.dumps = dumps
    let origin = BookOrigin(
      interval: .milliseconds(5), open: { _ in true }, close: { _ in },
      dump: { topic in
        guard let dump = dumps.withLock({ $0[topic] }) else { return nil }
        return { dump }
      }, advance: { _ in [] })
    var timing = BookTiming()
    timing.dumpReuse = .zero
    publisher = BookPublisher(
      try server.connect(name: "book"), subjects.accounts, origin: origin, timing: timing)
    accounts = ClusterAccounts(try server.connect(name: "gateway"), subjects, logger: silent)
    accounts.start()
    publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
  }

  func give(_ dump: [UInt8], of topic: Topic) { dumps.withLock { $0[topic] = dump } }

  func stop() {
    accounts.stop()
    publisher.deactivate()
  }
}

extension RealServerTests {
  @Suite(.timeLimit(.minutes(2))) struct MalformedDumpTests {
    private static let malformed: [[UInt8]] = [
      [], Array("{".utf8), AccountOutbox.json(PlayerDump(last: .max, events: [])),
    ]

    @Test("With a malformed player dump, a stream is refused; the next one requests a new dump", arguments: malformed)
    func player(malformed: [UInt8]) async throws {
      let given = try GivenDumps([AccountTopics.sessions: GivenDumps.sessionDump, GivenDumps.player: malformed])
      while !Task.isCancelled, !given.accounts.isAvailable { await Task.yield() }
      for _ in 0..<2 {
        await #expect(throws: AccountHub.Refusal.unavailable) {
          try await given.accounts.open("s", after: nil, onBehind: {})
        }
      }
      given.give(AccountOutbox.json(PlayerDump(last: 7, events: [])), of: GivenDumps.player)
      let stream = try await given.accounts.open("s", after: nil, onBehind: {})
      stream.close()
      given.stop()
    }

    @Test("After a malformed dump of the sessions, the gateway requests another and is unavailable until it arrives")
    func sessions() async throws {
      let given = try GivenDumps([AccountTopics.sessions: Array("{".utf8)])
      // The gateway requests the dump again.
      while !Task.isCancelled, given.publisher.counters.dumps < 3 { await Task.yield() }
      #expect(!given.accounts.isAvailable)
      given.give(GivenDumps.sessionDump, of: AccountTopics.sessions)
      while !Task.isCancelled, !given.accounts.isAvailable { await Task.yield() }
      #expect(given.accounts.sessions == [GivenDumps.session])
      given.stop()
    }
  }
}
