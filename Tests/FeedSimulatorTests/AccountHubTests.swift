import AccountModel
import Platform
import Testing

@testable import FeedSimulator

@Suite("The account hub", .timeLimit(.minutes(45)))
struct AccountHubTests {
  private let now = Locked(startTime)

  /// Returns a hub with a manual clock, and a session.
  private func hub(_ change: (inout AccountHub.Limits) -> Void = { _ in }) throws -> (AccountHub, PlayerSession) {
    var limits = AccountHub.Limits()
    limits.interval = 1 << 62
    change(&limits)
    let now = now
    let hub = AccountHub(SimulatedAccounts(seed: 1, timeToLive: 60_000), limits: limits) { now.withLock { $0 } }
    hub.addPlayer(named: "anna")
    return (hub, try #require(hub.logIn(user: "anna")))
  }

  private func advance(by milliseconds: Int64, _ hub: AccountHub) {
    now.withLock { $0 += milliseconds }
    hub.tick()
  }

  private func text(_ stream: EventStreamQueue) async throws -> String {
    String(decoding: try await stream.read() ?? [], as: UTF8.self)
  }

  private func lastID(_ text: String) -> UInt64? {
    text.split(separator: "\n").last { $0.hasPrefix("id: ") }.flatMap { UInt64($0.dropFirst(4)) }
  }

  @Test("all streams of a player receive the same events, and a resumed stream receives those that it missed")
  func replay() async throws {
    let (hub, session) = try hub()
    let (one, other) = (try hub.open(session.id), try hub.open(session.id))
    _ = (try await one.read(), try await other.read())
    advance(by: 10_000, hub)
    let received = try await text(one)
    #expect(try await text(other) == received)
    other.close()
    advance(by: 10_000, hub)
    let missed = try await text(one)
    let again = try hub.open(session.id, after: lastID(received))
    #expect(try await text(again) == "retry: 200\n\n" + missed)
    let fresh = try hub.open(session.id, after: 1)
    #expect(try await text(fresh) == "retry: 200\n\n")
  }

  @Test("a resumed stream with too many missed events receives the newest of them without a gap")
  func longReplay() async throws {
    let (hub, session) = try hub { $0.unreadBytes = 8_000 }
    let first = try hub.open(session.id)
    _ = try await first.read()
    hub.post(1, to: "anna")
    let seen = try #require(lastID(try await text(first)))
    for _ in 1...100 { hub.post(1, to: "anna") }
    let again = try hub.open(session.id, after: seen)
    let missed = try await text(again)
    let ids = missed.split(separator: "\n").filter { $0.hasPrefix("id: ") }.compactMap { UInt64($0.dropFirst(4)) }
    #expect(ids.last == seen + 100 && missed.utf8.count <= 4_000 + 20 && ids.count > 5)
    #expect(ids == Array(ids[0]...ids.last!))
    hub.post(1, to: "anna")
    #expect(lastID(try await text(again)) == seen + 101)
  }

  @Test("a stream without events sends keep-alive comments")
  func keepAlive() async throws {
    let (hub, session) = try hub { $0.keepAlive = 5 }
    let stream = try hub.open(session.id)
    _ = try await stream.read()
    advance(by: 4, hub)
    advance(by: 1, hub)
    #expect(try await text(stream) == ": keep-alive\n\n")
  }

  @Test("a stream whose reader is too far behind is ended and reported; other streams continue")
  func behind() async throws {
    let (hub, session) = try hub { $0.unreadBytes = 8_000 }
    let behind = Locked(0)
    let slow = try hub.open(session.id) { behind.withLock { $0 += 1 } }
    let quick = try hub.open(session.id)
    for _ in 0..<40 {
      advance(by: 10_000, hub)
      _ = try await quick.read()
      _ = hub.renew(session.id)
    }
    #expect(behind.withLock { $0 } == 1 && hub.counts.streamsBehind == 1 && hub.counts.streams == 1)
    #expect(try await slow.read()?.count ?? 0 <= 8_000)
    #expect(try await slow.read() == nil)
  }

  @Test("the number of streams is limited, and a stream counts until it is closed or dropped")
  func bounded() throws {
    let (hub, session) = try hub { $0.streams = 2 }
    var streams = [try hub.open(session.id), try hub.open(session.id)]
    #expect(throws: AccountHub.Refusal.tooMany) { try hub.open(session.id) }
    #expect(throws: AccountHub.Refusal.noSession) { try hub.open("x") }
    streams[0].close()
    #expect(hub.counts.streams == 1)
    streams = []
    #expect(hub.counts.streams == 0 && hub.counts.streamsBegun == 2)
  }

  @Test("the number of streams per session is limited")
  func shared() throws {
    let (hub, session) = try hub { $0.streamsOfSession = 1 }
    let stream = try hub.open(session.id)
    #expect(throws: AccountHub.Refusal.tooMany) { try hub.open(session.id) }
    let other = try #require(hub.logIn(user: "anna"))
    _ = try hub.open(other.id)
    stream.close()
    _ = try hub.open(session.id)
  }

  @Test("an observer of a session is notified once of its end, with the cause, or with none after a logout")
  func dependents() throws {
    let (hub, session) = try hub()
    let received = Locked<[SessionEnd.Cause?]>([])
    let number = try #require(hub.attach(session.id) { cause in received.withLock { $0.append(cause) } })
    _ = hub.attach(session.id) { cause in received.withLock { $0.append(cause) } }
    hub.detach(number)
    advance(by: 60_000, hub)
    hub.logOut(session.id)
    #expect(received.withLock { $0 } == [.expired])
    #expect(hub.attach(session.id) { _ in } == nil)
    let next = try #require(hub.logIn(user: "anna"))
    _ = hub.attach(next.id) { cause in received.withLock { $0.append(cause) } }
    hub.logOut(next.id)
    #expect(received.withLock { $0 } == [.expired, nil])
  }

  @Test("a stream ends with its hub")
  func release() async throws {
    var hub: AccountHub?
    let session: PlayerSession
    (hub, session) = try self.hub()
    let stream = try #require(try hub?.open(session.id))
    hub = nil
    _ = try await stream.read()
    #expect(try await stream.read() == nil)
  }

  @Test("draining the hub ends all streams, and refuses new ones")
  func drain() async throws {
    let (hub, session) = try hub()
    let stream = try hub.open(session.id)
    _ = try await stream.read()
    hub.drain()
    #expect(try await stream.read() == nil)
    #expect(throws: AccountHub.Refusal.tooMany) { try hub.open(session.id) }
    #expect(hub.session(session.id) == session)
  }
}
