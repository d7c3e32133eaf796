import OddsFeed
import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsModel

@Suite("A session with a feed that has several addresses", .timeLimit(.minutes(45)))
struct SessionAddressTests {
  private static func harness(_ names: [String] = ["a", "b", "c"]) -> SessionMachineHarness {
    var harness = SessionMachineHarness()
    // With 0, the first available address is chosen.
    harness.chance = 0
    harness.machine = SessionMachine(
      addresses: names.map { SessionMachine.Address(realm: "realm of \($0)", name: $0) }, chance: 0)
    return harness
  }

  /// Refuses the attempt with an error that names the address, as a connector does.
  @discardableResult
  private func refuse(
    _ harness: inout SessionMachineHarness, _ kind: ConnectionError.Kind = .unreachable, retryAfter: Duration? = nil
  ) -> [SessionAction] {
    let name = harness.machine.addresses[harness.machine.rotation.current].name
    let why = FeedError("\(name) is away", remedy: "wait")
    return harness.receiveEvent(.closed(ConnectionError(kind, why, retryAfter: retryAfter)))
  }

  @Test("tries each address at once, then waits, with the errors of all addresses")
  func round() {
    var harness = Self.harness()
    #expect(harness.apply(.start).last == .connect(link: 1))
    #expect(harness.machine.rotation.current == 0)
    #expect(refuse(&harness) == [.line(.connecting(attempt: 2)), .connect(link: 2)])
    #expect(harness.machine.rotation.current == 1)
    #expect(refuse(&harness) == [.line(.connecting(attempt: 3)), .connect(link: 3)])
    harness.chance = 1
    let why = FeedError("a is away; b is away; c is away", remedy: "wait")
    let lines = refuse(&harness).connectionStates
    guard case .waiting(let retry)? = lines.first, lines.count == 1 else {
      Issue.record("no wait: \(lines)")
      return
    }
    #expect(retry.attempt == 4 && retry.time == 200 && "\(retry.reason)" == "\(why)")
    harness.chance = 0
    #expect(harness.advance(by: 0.2).last == .connect(link: 4))
    // The second round begins with another address than the last one.
    #expect(harness.machine.rotation.current == 0)
    for _ in 0..<2 { #expect(refuse(&harness).last == .connect(link: harness.machine.link)) }
    harness.chance = 1
    refuse(&harness)
    harness.chance = 0
    #expect(harness.advance(by: 0.39).isEmpty)
    #expect(harness.advance(by: 0.02).last == .connect(link: 7))
  }

  @Test("waits at least for the shortest of the addresses' retry times")
  func retryAfter() {
    func harness(refusedWith times: [Int?]) -> SessionMachineHarness {
      var harness = Self.harness()
      harness.apply(.start)
      for time in times { refuse(&harness, .protocolMismatch, retryAfter: time.map { .seconds($0) }) }
      return harness
    }
    // An address without a retry time may be tried again at once.
    let another = harness(refusedWith: [nil, 9, 4])
    #expect(another.machine.deadline == another.now)
    var harness = harness(refusedWith: [6, 9, 4])
    #expect(harness.machine.deadline == harness.now + .seconds(4))
    harness.advance(by: 4)
    for _ in 0..<2 { refuse(&harness) }
    harness.chance = 1
    refuse(&harness)
    #expect(harness.machine.deadline == harness.now + .milliseconds(400))
  }

  @Test("goes to another address at once when one is lost, falls silent, shuts down or breaks the protocol")
  func losses() {
    let losses: [(inout SessionMachineHarness) -> [SessionAction]] = [
      { $0.receiveEvent(SessionMachineHarness.lost()) }, { $0.advance(by: 15) },
      { $0.receiveMessage(.goodbye(reason: WAMPMessage.URI.systemShutdown)) },
      { $0.receiveMessage(.welcome(session: 2)) },
    ]
    for loss in losses {
      var harness = Self.harness(["a", "b"])
      harness.open()
      harness.advanceAnsweringPings(by: 4)
      for next in [1, 0, 1] {
        let actions = loss(&harness)
        #expect(
          actions.connectionStates.last == .connecting(attempt: 1)
            && actions.last == .connect(link: harness.machine.link))
        #expect(harness.machine.rotation.current == next)
        #expect(harness.receiveEvent(.opened).sent == [.hello(realm: next == 0 ? "realm of a" : "realm of b")])
        harness.receiveMessage(.welcome(session: 1))
        harness.advanceAnsweringPings(by: 4)
      }
    }
  }

  @Test("counts a short session as a failed attempt, and waits after all addresses have failed")
  func short() {
    var harness = Self.harness(["a", "b"])
    harness.chance = 1
    harness.apply(.start)
    for attempt in 1...2 {
      #expect(harness.state == .connecting(attempt: attempt))
      harness.receiveEvent(.opened)
      harness.receiveMessage(.welcome(session: 1))
      harness.advanceAnsweringPings(by: 1.9)
      harness.receiveMessage(.goodbye(reason: WAMPMessage.URI.systemShutdown))
    }
    guard case .waiting(let retry) = harness.state else {
      Issue.record("no wait: \(harness.state)")
      return
    }
    #expect(retry.reason.message == "a: the feed is shutting down; b: the feed is shutting down")
    #expect(retry.reason.remedy == "retrying automatically")
  }

  @Test("skips an address that refuses the token until the user reconnects, and fails only if all refuse it")
  func refused() {
    var harness = Self.harness()
    harness.apply(.start)
    #expect(refuse(&harness, .unauthorized).last == .connect(link: 2))
    refuse(&harness)
    refuse(&harness)
    guard case .waiting(let retry) = harness.state else {
      Issue.record("no wait: \(harness.state)")
      return
    }
    #expect(retry.reason.message == "a is away; b is away; c is away")
    harness.advance(by: 1)
    // This round skips `a`.
    #expect(harness.machine.rotation.current == 1)
    #expect(refuse(&harness, .untrusted).last == .connect(link: 5))
    #expect(harness.machine.rotation.current == 2)
    #expect(refuse(&harness, .unauthorized).connectionStates == [.failed(retry.reason)])
    #expect(harness.advance(by: 1000).isEmpty)
    #expect(harness.apply(.reconnect).last == .connect(link: 6))
    #expect(harness.machine.rotation.current == 0)
    refuse(&harness, .unauthorized)
    refuse(&harness)
    refuse(&harness)
    #expect(harness.apply(.reconnect).last == .connect(link: 9))
    #expect(harness.machine.rotation.current == 0)
  }

  @Test("reconnects to the same address with new credentials")
  func renewed() {
    var harness = Self.harness()
    harness.open()
    harness.advanceAnsweringPings(by: 4)
    harness.receiveEvent(SessionMachineHarness.lost())
    harness.receiveEvent(.opened)
    harness.receiveMessage(.welcome(session: 1))
    #expect(harness.machine.rotation.current == 1)
    #expect(harness.apply(.renew).last == .connect(link: 3))
    #expect(harness.machine.rotation.current == 1)
    #expect(refuse(&harness).last == .connect(link: 4))
    #expect(harness.machine.rotation.current == 0)
  }

  @Test("ignores the retry times from before a change of the credentials")
  func renewedRetryAfter() {
    var harness = Self.harness(["a", "b"])
    harness.apply(.start)
    refuse(&harness)
    harness.receiveEvent(.opened)
    harness.receiveMessage(.welcome(session: 1))
    harness.advanceAnsweringPings(by: 4)
    harness.apply(.renew)
    for _ in 0..<2 { refuse(&harness, .protocolMismatch, retryAfter: .seconds(60)) }
    #expect(harness.machine.deadline == harness.now + .seconds(60))
  }

  @Test("shows no live price from the loss of one address to the dump of the next, in one attempt")
  func prices() async throws {
    let peers = [ScriptedPeer(), ScriptedPeer()]
    let clock = ManualClock()
    let addresses = zip(peers, ["a", "b"]).map { FeedSession.Address(connector: $0, realm: "realm", name: $1) }
    let session = FeedSession(addresses: addresses, clock: clock.clientClock)
    let provider = Provider(transport: session, clock: clock.clientClock)
    let running = Task.detached { await provider.run() }
    let share = await provider.subscribe(to: Topic(path: "/a"))
    var changes = await share.changes().makeAsyncIterator()
    let first = session.currentAddress
    let connection = await peers[first].nextAttempt().accept()
    await connection.acceptHello()
    await connection.acceptRegistration(FeedText.dump(FeedText.football()))
    while let set = await changes.next() { if set.freshness.grade == .live, set.topic == .live { break } }
    clock.advance(by: .seconds(3))
    connection.reset()
    let second = await peers[1 - first].nextAttempt()
    #expect(session.currentAddress == 1 - first)
    while let set = await changes.next() { if set.freshness.grade == .locked { break } }
    let other = second.accept()
    await other.acceptHello()
    guard case .register(let request, _)? = await other.next() else {
      Issue.record("no topic is asked for")
      return
    }
    other.sendMessages(.registered(request: request, registration: 1))
    #expect(await share.store.freshness.grade == .locked)
    await other.answerCall(FeedText.dump(FeedText.football()))
    while let set = await changes.next() { if set.freshness.grade == .live { break } }
    #expect(peers.map(\.attemptCount) == [1, 1])
    await share.cancel()
    await provider.stop()
    try await running.cancellableValue
    #expect(peers.map(\.openCount) == [0, 0])
  }
}
