import OddsFeed
import Platform
import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsModel

@Suite("A session with a feed that has several addresses", .timeLimit(.minutes(45)))
struct SessionAddressTests {
  private static func bench(_ names: [String] = ["a", "b", "c"]) -> SessionBench {
    var bench = SessionBench()
    // With 0, the first available address is chosen.
    bench.chance = 0
    bench.machine = SessionMachine(
      addresses: names.map { SessionMachine.Address(realm: "realm of \($0)", name: $0) }, chance: 0)
    return bench
  }

  /// Refuses the attempt with an error that names the address, as a connector does.
  @discardableResult
  private func refuse(_ bench: inout SessionBench, _ kind: ConnectionError.Kind = .unreachable) -> [SessionAction] {
    let name = bench.machine.addresses[bench.machine.rotation.current].name
    return bench.line(.closed(ConnectionError(kind, FeedError("\(name) is away", remedy: "wait"))))
  }

  @Test("tries each address at once, then waits, with the errors of all addresses")
  func round() {
    var bench = Self.bench()
    #expect(bench.happen(.start).last == .connect(link: 1))
    #expect(bench.machine.rotation.current == 0)
    #expect(refuse(&bench) == [.line(.connecting(attempt: 2)), .connect(link: 2)])
    #expect(bench.machine.rotation.current == 1)
    #expect(refuse(&bench) == [.line(.connecting(attempt: 3)), .connect(link: 3)])
    bench.chance = 1
    let why = FeedError("a is away; b is away; c is away", remedy: "wait")
    let lines = refuse(&bench).lines
    guard case .waiting(let retry)? = lines.first, lines.count == 1 else {
      Issue.record("no wait: \(lines)")
      return
    }
    #expect(retry.attempt == 4 && retry.time == 200 && "\(retry.reason)" == "\(why)")
    bench.chance = 0
    #expect(bench.pass(0.2).last == .connect(link: 4))
    // The second round begins with another address than the last one.
    #expect(bench.machine.rotation.current == 0)
    for _ in 0..<2 { #expect(refuse(&bench).last == .connect(link: bench.machine.link)) }
    bench.chance = 1
    refuse(&bench)
    bench.chance = 0
    #expect(bench.pass(0.39).isEmpty)
    #expect(bench.pass(0.02).last == .connect(link: 7))
  }

  @Test("waits at least for the shortest of the addresses' retry times")
  func retryAfter() {
    func bench(refusedWith times: [Int?]) -> SessionBench {
      var bench = Self.bench()
      bench.happen(.start)
      for time in times {
        bench.line(
          .closed(ConnectionError(.protocolMismatch, SessionBench.problem, retryAfter: time.map { .seconds($0) })))
      }
      return bench
    }
    // An address without a retry time may be tried again at once.
    let another = bench(refusedWith: [nil, 9, 4])
    #expect(another.machine.deadline == another.now)
    var bench = bench(refusedWith: [6, 9, 4])
    #expect(bench.machine.deadline == bench.now + .seconds(4))
    bench.pass(4)
    for _ in 0..<2 { refuse(&bench) }
    bench.chance = 1
    refuse(&bench)
    #expect(bench.machine.deadline == bench.now + .milliseconds(400))
  }

  @Test("goes to another address at once when one is lost, falls silent, shuts down or breaks the protocol")
  func losses() {
    let losses: [(inout SessionBench) -> [SessionAction]] = [
      { $0.line(SessionBench.lost()) }, { $0.pass(15) },
      { $0.say(.goodbye(reason: WAMPMessage.URI.systemShutdown)) }, { $0.say(.welcome(session: 2)) },
    ]
    for loss in losses {
      var bench = Self.bench(["a", "b"])
      bench.open()
      bench.passSoundly(4)
      for next in [1, 0, 1] {
        let actions = loss(&bench)
        #expect(actions.lines.last == .connecting(attempt: 1) && actions.last == .connect(link: bench.machine.link))
        #expect(bench.machine.rotation.current == next)
        #expect(bench.line(.opened).sent == [.hello(realm: next == 0 ? "realm of a" : "realm of b")])
        bench.say(.welcome(session: 1))
        bench.passSoundly(4)
      }
    }
  }

  @Test("counts a short session as a failed attempt, and waits after all addresses have failed")
  func short() {
    var bench = Self.bench(["a", "b"])
    bench.chance = 1
    bench.happen(.start)
    for attempt in 1...2 {
      #expect(bench.state == .connecting(attempt: attempt))
      bench.line(.opened)
      bench.say(.welcome(session: 1))
      bench.passSoundly(1.9)
      bench.say(.goodbye(reason: WAMPMessage.URI.systemShutdown))
    }
    guard case .waiting(let retry) = bench.state else {
      Issue.record("no wait: \(bench.state)")
      return
    }
    #expect(retry.reason.what == "a: the feed is shutting down; b: the feed is shutting down")
    #expect(retry.reason.remedy == "retrying automatically")
  }

  @Test("skips an address that refuses the token until the user reconnects, and fails only if all refuse it")
  func refused() {
    var bench = Self.bench()
    bench.happen(.start)
    #expect(refuse(&bench, .unauthorized).last == .connect(link: 2))
    refuse(&bench)
    refuse(&bench)
    guard case .waiting(let retry) = bench.state else {
      Issue.record("no wait: \(bench.state)")
      return
    }
    #expect(retry.reason.what == "a is away; b is away; c is away")
    bench.pass(1)
    // This round skips `a`.
    #expect(bench.machine.rotation.current == 1)
    #expect(refuse(&bench, .untrusted).last == .connect(link: 5))
    #expect(bench.machine.rotation.current == 2)
    #expect(refuse(&bench, .unauthorized).lines == [.failed(retry.reason)])
    #expect(bench.pass(1000).isEmpty)
    #expect(bench.happen(.reconnect).last == .connect(link: 6))
    #expect(bench.machine.rotation.current == 0)
    refuse(&bench, .unauthorized)
    refuse(&bench)
    refuse(&bench)
    #expect(bench.happen(.reconnect).last == .connect(link: 9))
    #expect(bench.machine.rotation.current == 0)
  }

  @Test("reconnects to the same address with new credentials")
  func renewed() {
    var bench = Self.bench()
    bench.open()
    bench.passSoundly(4)
    bench.line(SessionBench.lost())
    bench.line(.opened)
    bench.say(.welcome(session: 1))
    #expect(bench.machine.rotation.current == 1)
    #expect(bench.happen(.renew).last == .connect(link: 3))
    #expect(bench.machine.rotation.current == 1)
    #expect(refuse(&bench).last == .connect(link: 4))
    #expect(bench.machine.rotation.current == 0)
  }

  @Test("shows no live price from the loss of one address to the dump of the next, in one attempt")
  func prices() async {
    let peers = [ScriptedPeer(), ScriptedPeer()]
    let clock = ManualClock()
    let addresses = zip(peers, ["a", "b"]).map { FeedSession.Address(connector: $0, realm: "realm", name: $1) }
    let session = FeedSession(addresses: addresses, world: clock.clientClock)
    let provider = Provider(transport: session, world: clock.clientClock)
    let running = Task.detached { await provider.run() }
    let share = await provider.subscribe(to: Topic(path: "/a"))
    var changes = await share.changes().makeAsyncIterator()
    let first = session.currentAddress
    let connection = await peers[first].attempt().accept()
    await connection.greet()
    await connection.serve(FeedText.dump(FeedText.football()))
    while let set = await changes.next() { if set.staleness.grade == .live, set.topic == .live { break } }
    clock.advance(by: .seconds(3))
    connection.reset()
    let second = await peers[1 - first].attempt()
    #expect(session.currentAddress == 1 - first)
    while let set = await changes.next() { if set.staleness.grade == .locked { break } }
    let other = second.accept()
    await other.greet()
    guard case .register(let request, _)? = await other.next() else {
      Issue.record("no topic is asked for")
      return
    }
    other.say(.registered(request: request, registration: 1))
    #expect(await share.store.staleness.grade == .locked)
    await other.answerCall(FeedText.dump(FeedText.football()))
    while let set = await changes.next() { if set.staleness.grade == .live { break } }
    #expect(peers.map(\.count) == [1, 1])
    await share.cancel()
    await provider.stop()
    await running.value
    #expect(peers.map(\.open) == [0, 0])
  }
}
