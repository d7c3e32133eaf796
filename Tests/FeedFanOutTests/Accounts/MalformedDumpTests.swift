import FeedFanOut
import FeedServer
import NIOCore
import OddsModel
import Platform
import Testing

@testable import FeedSimulator
@testable import toteboard_server

/// A book of the accounts with dumps that the test sets, and a gateway.
private struct DumpFixture {
  static let session = PlayerSession(
    id: "s", playerID: "7", user: "anna", loginTime: 1, expiresAt: ClientClock.wallTime() + 3_600_000)
  static let sessionDump = AccountJSON.encode(SessionDump(sessions: [session], ended: []))
  static let player = AccountTopics.player("7")

  let server: NATSServer
  let publisher: BookPublisher
  let accounts: ClusterAccounts
  private let dumps: Locked<[Topic: [UInt8]]>

  init(_ initialDumps: [Topic: [UInt8]]) throws {
    server = try NATSServer()
    let subjects = try Subjects(name: "test")
    let dumps = Locked(initialDumps)
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
    accounts = ClusterAccounts(try server.connect(name: "gateway"), subjects, logger: noOpLogger)
    accounts.start()
    publisher.activate(BookIdentity(epoch: 1, book: 7), until: ClientClock.live.uptime() + .seconds(3600))
  }

  func setDump(_ dump: [UInt8], of topic: Topic) { dumps.withLock { $0[topic] = dump } }

  func stop() {
    accounts.stop()
    publisher.deactivate()
  }
}

extension RealServerTests {
  @Suite(.timeLimit(.minutes(2))) struct MalformedDumpTests {
    private static let malformed: [[UInt8]] = [
      [], Array("{".utf8), AccountJSON.encode(PlayerDump(last: .max, events: [])),
    ]

    @Test("With a malformed player dump, a stream is refused; the next one requests a new dump", arguments: malformed)
    func player(malformed: [UInt8]) async throws {
      let fixture = try DumpFixture([AccountTopics.sessions: DumpFixture.sessionDump, DumpFixture.player: malformed])
      while !Task.isCancelled, !fixture.accounts.isAvailable { await Task.yield() }
      for _ in 0..<2 {
        await #expect(throws: AccountHub.Refusal.unavailable) {
          try await fixture.accounts.open("s", after: nil, onBehind: {})
        }
      }
      fixture.setDump(AccountJSON.encode(PlayerDump(last: 7, events: [])), of: DumpFixture.player)
      let stream = try await fixture.accounts.open("s", after: nil, onBehind: {})
      stream.close()
      fixture.stop()
    }

    @Test("After a malformed dump of the sessions, the gateway requests another and is unavailable until it arrives")
    func sessions() async throws {
      let fixture = try DumpFixture([AccountTopics.sessions: Array("{".utf8)])
      // The gateway requests the dump again.
      while !Task.isCancelled, fixture.publisher.counters.dumps < 3 { await Task.yield() }
      #expect(!fixture.accounts.isAvailable)
      fixture.setDump(DumpFixture.sessionDump, of: AccountTopics.sessions)
      while !Task.isCancelled, !fixture.accounts.isAvailable { await Task.yield() }
      #expect(fixture.accounts.sessions == [DumpFixture.session])
      fixture.stop()
    }
  }
}
