import Testing

@testable import EveryMatrix
@testable import OddsModel

/// The topics of a session.
struct SessionTopicTests {
  typealias URI = WAMPMessage.URI
  typealias Code = WAMPMessage.Code

  let a = SessionMachineHarness.subscription("/a")

  @Test("A topic is registered, then its dump is requested; updates before the dump are delivered at once")
  func subscribe() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.subscribe("/b")
    #expect(harness.open().sent == [.register(1, "/a"), .register(2, "/b")])
    #expect(harness.receiveMessage(.registered(request: 1, registration: 7)) == [.send(.dump(3, "/a"))])
    let update = harness.receiveMessage(.invocation(request: 40, registration: 7, payload: 5..<9))
    #expect(update == [.send(.yield(request: 40)), .deliver(a, 5..<9)])
    #expect(harness.receiveMessage(.result(request: 3, payload: 2..<4)) == [.deliver(a, 2..<4), .topic(a, .live)])
    #expect(harness.subscribe("/c").sent == [.register(4, "/c")])
    #expect(harness.machine.deadline == .seconds(5))
  }

  @Test("An invocation of an unknown or removed registration is answered and dropped")
  func unknownInvocations() {
    var harness = SessionMachineHarness.live()
    #expect(
      harness.receiveMessage(.invocation(request: 9, registration: 8, payload: 1..<2)) == [.send(.yield(request: 9))])
    harness.unsubscribe("/a")
    #expect(
      harness.receiveMessage(.invocation(request: 10, registration: 7, payload: 1..<2)) == [.send(.yield(request: 10))])
    #expect(harness.machine.counters.unknownInvocations == 2)
  }

  @Test("After a loss every topic is registered again, and the state is recovering until each is live or refused")
  func recovering() {
    var harness = SessionMachineHarness.live()
    harness.subscribe("/b")
    harness.acceptRegistration(3, registration: 8)
    harness.advanceAnsweringPings(by: 4)
    harness.receiveEvent(SessionMachineHarness.lost())
    harness.receiveEvent(.opened)
    let welcomed = harness.receiveMessage(.welcome(session: 2))
    #expect(welcomed.connectionStates == [.recovering])
    #expect(welcomed.topicStates == [.requested, .requested])
    #expect(welcomed.sent == [.register(1, "/a"), .register(2, "/b")])
    #expect(harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered.isEmpty)
    #expect(harness.acceptRegistration(1, registration: 1).topicStates == [.live])
    #expect(harness.state == .recovering)
    let refused = harness.receiveMessage(.failure(Code.register, 2, URI.notAuthorized))
    #expect(refused.connectionStates == [.live])
    #expect(harness.advanceAnsweringPings(by: 1000).isEmpty)
  }

  @Test("A refused topic is requested again after a reconnect")
  func refused() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.receiveMessage(.registered(request: 1, registration: 7))
    let refusal = harness.receiveMessage(.failure(Code.call, 2, URI.notAuthorized))
    #expect(refusal.sent == [.unregister(request: 3, registration: 7)])
    let why = FeedError.refused(Topic(path: "/a"), .init(uri: URI.notAuthorized, text: ""))
    #expect(refusal.topicStates == [.refused(why)])
    #expect(harness.advanceAnsweringPings(by: 100).isEmpty)
    harness.receiveEvent(SessionMachineHarness.lost())
    harness.receiveEvent(.opened)
    #expect(harness.receiveMessage(.welcome(session: 2)).sent == [.register(1, "/a")])
  }

  @Test(
    "A temporary error is reported, and the topic is requested with growing delays until it is live",
    arguments: [
      "wamp.error.runtime_error", URI.noSuchProcedure, URI.procedureAlreadyExists, URI.invalidArgument, URI.limit, "",
    ])
  func passingErrors(uri: String) {
    let why = FeedError.failed(Topic(path: "/a"), .init(uri: uri, text: ""))
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    #expect(harness.receiveMessage(.failure(Code.register, 1, uri)).topicStates == [.retrying(why, at: 200)])
    #expect(harness.advanceAnsweringPings(by: 0.2).sent == [.register(2, "/a"), .dump(3, "/a")])
    // An answer to the call before REGISTERED does not count.
    #expect(harness.receiveMessage(.failure(Code.register, 2, uri)).topicStates == [.retrying(why, at: 600)])
    #expect(harness.advanceAnsweringPings(by: 0.4).sent == [.register(4, "/a"), .dump(5, "/a")])
    harness.receiveMessage(.registered(request: 4, registration: 7))
    #expect(harness.receiveMessage(.failure(Code.call, 5, uri)).topicStates == [.retrying(why, at: 1400)])
    #expect(harness.advanceAnsweringPings(by: 0.8).sent == [.dump(6, "/a")])
    for _ in 0..<20 {
      harness.receiveMessage(.failure(Code.call, harness.machine.table.lastRequest, uri))
      let isRepeated = (1...300).contains { _ in !harness.advanceAnsweringPings(by: 0.1).sent.isEmpty }
      #expect(isRepeated, "not within 30 s")
    }
    let live = harness.receiveMessage(.result(request: harness.machine.table.lastRequest, payload: 1..<2))
    #expect(live == [.deliver(a, 1..<2), .topic(a, .live)])
  }

  @Test("An answer that is not a dump is not delivered; it is reported, and the call is repeated")
  func noDump() {
    let why = FeedError.noDump(Topic(path: "/a"), "{}")
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.receiveMessage(.registered(request: 1, registration: 7))
    let actions = harness.receiveEvent(.noDump(request: 2, excerpt: "{}"))
    #expect(actions == [.topic(a, .retrying(why, at: 200))])
    #expect(harness.advanceAnsweringPings(by: 0.2).sent == [.dump(3, "/a")])
    #expect(harness.receiveMessage(.result(request: 3, payload: 1..<2)) == [.deliver(a, 1..<2), .topic(a, .live)])
    // In place of an audit's dump, such an answer only ends the audit.
    #expect(harness.machine.requestDump(a, at: harness.moment)?.sent == [.dump(4, "/a")])
    #expect(harness.receiveEvent(.noDump(request: 4, excerpt: "{}")).isEmpty)
    #expect(harness.machine.requestDump(a, at: harness.moment)?.sent == [.dump(5, "/a")])
    #expect(harness.receiveEvent(.noDump(request: 99, excerpt: "{}")).isEmpty)
  }

  @Test("A missing dump is requested again with growing delays, and a late dump is accepted")
  func lateDump() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.receiveMessage(.registered(request: 1, registration: 7))
    #expect(harness.advanceAnsweringPings(by: 10).topicStates == [.late])
    var calls: [Duration] = []
    for _ in 0..<12 {
      let isRepeated = (1...500).contains { _ in !harness.advanceAnsweringPings(by: 0.1).sent.isEmpty }
      #expect(isRepeated, "not within 50 s")
      calls.append(harness.now)
    }
    let gaps = zip(calls.dropFirst(), calls).map { ($0 - $1) / .seconds(1) }
    #expect(zip(gaps, [10.4, 10.8, 11.6, 13.2, 16.4, 22.8, 35.6, 40, 40, 40, 40]).allSatisfy { abs($0 - $1) < 0.2 })
    #expect(harness.machine.table.entries[0].calls.count == 8)
    let late = harness.receiveMessage(.result(request: harness.machine.table.entries[0].calls[3], payload: 1..<2))
    #expect(late == [.deliver(a, 1..<2), .topic(a, .live)])
    #expect(harness.receiveMessage(.result(request: 14, payload: 1..<2)).isEmpty)
  }

  @Test("If maintenance ignores REGISTER, the call sent with the next one reports it, and is repeated every 10 s")
  func maintenance() {
    var harness = SessionMachineHarness(chance: 0.5)
    harness.subscribe("/a")
    harness.open()
    #expect(harness.advanceAnsweringPings(by: 10).topicStates == [.late])
    #expect(harness.advanceAnsweringPings(by: 0.1).sent == [.register(2, "/a"), .dump(3, "/a")])
    #expect(
      harness.receiveMessage(.failure(Code.call, 3, URI.noBackend)).topicStates == [.maintenance(retryAt: 20_100)])
    #expect(harness.advanceAnsweringPings(by: 9.9).isEmpty)
    #expect(harness.advanceAnsweringPings(by: 0.1).sent == [.register(4, "/a"), .dump(5, "/a")])
    #expect(
      harness.receiveMessage(.failure(Code.call, 5, URI.noBackend)).topicStates == [.maintenance(retryAt: 30_100)])
    harness.advanceAnsweringPings(by: 10)
    #expect(harness.receiveMessage(.registered(request: 6, registration: 7)).isEmpty)
    let live = harness.receiveMessage(.result(request: 7, payload: 1..<2))
    #expect(live == [.deliver(a, 1..<2), .topic(a, .live)])
    // During maintenance, a new topic sends its dump call together with its registration.
    harness.subscribe("/b")
    harness.receiveMessage(.failure(Code.register, 8, URI.noBackend))
    #expect(harness.subscribe("/c").sent == [.register(9, "/c"), .dump(10, "/c")])
  }

  @Test("If only the call fails with maintenance, only the call is repeated")
  func maintainedCall() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.receiveMessage(.registered(request: 1, registration: 7))
    #expect(
      harness.receiveMessage(.failure(Code.call, 2, URI.noBackend)).topicStates == [.maintenance(retryAt: 12_000)])
    #expect(harness.advanceAnsweringPings(by: 12.1).sent == [.dump(3, "/a")])
  }

  @Test("A dump before REGISTERED is ignored, because it could lack updates")
  func earlyDump() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.advanceAnsweringPings(by: 10.3)
    #expect(harness.receiveMessage(.result(request: 3, payload: 1..<2)).isEmpty)
    #expect(harness.receiveMessage(.registered(request: 2, registration: 7)) == [.send(.dump(4, "/a"))])
  }

  @Test("A late REGISTERED is accepted, and the registration of a second one is removed")
  func lateRegistered() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.advanceAnsweringPings(by: 10.3)
    #expect(harness.receiveMessage(.registered(request: 1, registration: 7)).isEmpty)
    #expect(harness.receiveMessage(.result(request: 3, payload: 1..<2)).topicStates == [.live])
    #expect(
      harness.receiveMessage(.registered(request: 2, registration: 8)).sent == [
        .unregister(request: 4, registration: 8)
      ])
    #expect(harness.receiveMessage(.unregistered(request: 4)).isEmpty)
    #expect(harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered == [a])
  }
}
