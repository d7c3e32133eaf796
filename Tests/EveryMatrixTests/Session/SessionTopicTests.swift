import Testing

@testable import EveryMatrix
@testable import OddsModel

/// The topics of a session.
struct SessionTopicTests {
  typealias URI = WAMPMessage.URI
  typealias Code = WAMPMessage.Code

  let a = SessionBench.subscription("/a")

  @Test("A topic is registered, then its dump is requested; updates before the dump are delivered at once")
  func subscribe() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.subscribe("/b")
    #expect(bench.open().sent == [.register(1, "/a"), .register(2, "/b")])
    #expect(bench.say(.registered(request: 1, registration: 7)) == [.send(.dump(3, "/a"))])
    let update = bench.say(.invocation(request: 40, registration: 7, payload: 5..<9))
    #expect(update == [.send(.yield(request: 40)), .deliver(a, 5..<9)])
    #expect(bench.say(.result(request: 3, payload: 2..<4)) == [.deliver(a, 2..<4), .topic(a, .live)])
    #expect(bench.subscribe("/c").sent == [.register(4, "/c")])
    #expect(bench.machine.deadline == .seconds(5))
  }

  @Test("An invocation of an unknown or removed registration is answered and dropped")
  func unknownInvocations() {
    var bench = SessionBench.live()
    #expect(bench.say(.invocation(request: 9, registration: 8, payload: 1..<2)) == [.send(.yield(request: 9))])
    bench.unsubscribe("/a")
    #expect(bench.say(.invocation(request: 10, registration: 7, payload: 1..<2)) == [.send(.yield(request: 10))])
    #expect(bench.machine.counters.unknownInvocations == 2)
  }

  @Test("After a loss every topic is registered again, and the state is recovering until each is live or refused")
  func recovering() {
    var bench = SessionBench.live()
    bench.subscribe("/b")
    bench.answer(3, registration: 8)
    bench.passSoundly(4)
    bench.line(SessionBench.lost())
    bench.line(.opened)
    let welcomed = bench.say(.welcome(session: 2))
    #expect(welcomed.lines == [.recovering])
    #expect(welcomed.topics == [.requested, .requested])
    #expect(welcomed.sent == [.register(1, "/a"), .register(2, "/b")])
    #expect(bench.say(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered.isEmpty)
    #expect(bench.answer(1, registration: 1).topics == [.live])
    #expect(bench.state == .recovering)
    let refused = bench.say(.failure(Code.register, 2, URI.notAuthorized))
    #expect(refused.lines == [.live])
    #expect(bench.passSoundly(1000).isEmpty)
  }

  @Test("A refused topic is requested again after a reconnect")
  func refused() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.say(.registered(request: 1, registration: 7))
    let refusal = bench.say(.failure(Code.call, 2, URI.notAuthorized))
    #expect(refusal.sent == [.unregister(request: 3, registration: 7)])
    let why = FeedError.refused(Topic(path: "/a"), .init(uri: URI.notAuthorized, text: ""))
    #expect(refusal.topics == [.refused(why)])
    #expect(bench.passSoundly(100).isEmpty)
    bench.line(SessionBench.lost())
    bench.line(.opened)
    #expect(bench.say(.welcome(session: 2)).sent == [.register(1, "/a")])
  }

  @Test(
    "A temporary error is reported, and the topic is requested with growing delays until it is live",
    arguments: [
      "wamp.error.runtime_error", URI.noSuchProcedure, URI.procedureAlreadyExists, URI.invalidArgument, URI.limit, "",
    ])
  func passingErrors(uri: String) {
    let why = FeedError.failed(Topic(path: "/a"), .init(uri: uri, text: ""))
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    #expect(bench.say(.failure(Code.register, 1, uri)).topics == [.retrying(why, at: 200)])
    #expect(bench.passSoundly(0.2).sent == [.register(2, "/a"), .dump(3, "/a")])
    // An answer to the call before REGISTERED does not count.
    #expect(bench.say(.failure(Code.register, 2, uri)).topics == [.retrying(why, at: 600)])
    #expect(bench.passSoundly(0.4).sent == [.register(4, "/a"), .dump(5, "/a")])
    bench.say(.registered(request: 4, registration: 7))
    #expect(bench.say(.failure(Code.call, 5, uri)).topics == [.retrying(why, at: 1400)])
    #expect(bench.passSoundly(0.8).sent == [.dump(6, "/a")])
    for _ in 0..<20 {
      bench.say(.failure(Code.call, bench.machine.table.lastRequest, uri))
      let deadline = bench.now + .seconds(30)
      while bench.passSoundly(0.1).sent.isEmpty { #expect(bench.now < deadline) }
    }
    let live = bench.say(.result(request: bench.machine.table.lastRequest, payload: 1..<2))
    #expect(live == [.deliver(a, 1..<2), .topic(a, .live)])
  }

  @Test("An answer that is not a dump is not delivered; it is reported, and the call is repeated")
  func noDump() {
    let why = FeedError.noDump(Topic(path: "/a"), "{}")
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.say(.registered(request: 1, registration: 7))
    let told = bench.line(.noDump(request: 2, excerpt: "{}"))
    #expect(told == [.topic(a, .retrying(why, at: 200))])
    #expect(bench.passSoundly(0.2).sent == [.dump(3, "/a")])
    #expect(bench.say(.result(request: 3, payload: 1..<2)) == [.deliver(a, 1..<2), .topic(a, .live)])
    // In place of an audit's dump, such an answer only ends the audit.
    #expect(bench.machine.requestDump(a, at: bench.moment)?.sent == [.dump(4, "/a")])
    #expect(bench.line(.noDump(request: 4, excerpt: "{}")).isEmpty)
    #expect(bench.machine.requestDump(a, at: bench.moment)?.sent == [.dump(5, "/a")])
    #expect(bench.line(.noDump(request: 99, excerpt: "{}")).isEmpty)
  }

  @Test("A missing dump is requested again with growing delays, and a late dump is accepted")
  func lateDump() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.say(.registered(request: 1, registration: 7))
    #expect(bench.passSoundly(10).topics == [.late])
    var calls: [Duration] = []
    for _ in 0..<12 {
      while bench.passSoundly(0.1).sent.isEmpty {}
      calls.append(bench.now)
    }
    let gaps = zip(calls.dropFirst(), calls).map { ($0 - $1) / .seconds(1) }
    #expect(zip(gaps, [10.4, 10.8, 11.6, 13.2, 16.4, 22.8, 35.6, 40, 40, 40, 40]).allSatisfy { abs($0 - $1) < 0.2 })
    #expect(bench.machine.table.entries[0].calls.count == 8)
    let late = bench.say(.result(request: bench.machine.table.entries[0].calls[3], payload: 1..<2))
    #expect(late == [.deliver(a, 1..<2), .topic(a, .live)])
    #expect(bench.say(.result(request: 14, payload: 1..<2)).isEmpty)
  }

  @Test("If maintenance ignores REGISTER, the call sent with the next one reports it, and is repeated every 10 s")
  func maintenance() {
    var bench = SessionBench(chance: 0.5)
    bench.subscribe("/a")
    bench.open()
    #expect(bench.passSoundly(10).topics == [.late])
    #expect(bench.passSoundly(0.1).sent == [.register(2, "/a"), .dump(3, "/a")])
    #expect(bench.say(.failure(Code.call, 3, URI.noBackend)).topics == [.maintenance(retryAt: 20_100)])
    #expect(bench.passSoundly(9.9).isEmpty)
    #expect(bench.passSoundly(0.1).sent == [.register(4, "/a"), .dump(5, "/a")])
    #expect(bench.say(.failure(Code.call, 5, URI.noBackend)).topics == [.maintenance(retryAt: 30_100)])
    bench.passSoundly(10)
    #expect(bench.say(.registered(request: 6, registration: 7)).isEmpty)
    let live = bench.say(.result(request: 7, payload: 1..<2))
    #expect(live == [.deliver(a, 1..<2), .topic(a, .live)])
    // During maintenance, a new topic sends its dump call together with its registration.
    bench.subscribe("/b")
    bench.say(.failure(Code.register, 8, URI.noBackend))
    #expect(bench.subscribe("/c").sent == [.register(9, "/c"), .dump(10, "/c")])
  }

  @Test("If only the call fails with maintenance, only the call is repeated")
  func maintainedCall() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.say(.registered(request: 1, registration: 7))
    #expect(bench.say(.failure(Code.call, 2, URI.noBackend)).topics == [.maintenance(retryAt: 12_000)])
    #expect(bench.passSoundly(12.1).sent == [.dump(3, "/a")])
  }

  @Test("A dump before REGISTERED is ignored, because it could lack updates")
  func earlyDump() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.passSoundly(10.3)
    #expect(bench.say(.result(request: 3, payload: 1..<2)).isEmpty)
    #expect(bench.say(.registered(request: 2, registration: 7)) == [.send(.dump(4, "/a"))])
  }

  @Test("A late REGISTERED is accepted, and the registration of a second one is removed")
  func lateRegistered() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.passSoundly(10.3)
    #expect(bench.say(.registered(request: 1, registration: 7)).isEmpty)
    #expect(bench.say(.result(request: 3, payload: 1..<2)).topics == [.live])
    #expect(bench.say(.registered(request: 2, registration: 8)).sent == [.unregister(request: 4, registration: 8)])
    #expect(bench.say(.unregistered(request: 4)).isEmpty)
    #expect(bench.say(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered == [a])
  }
}
