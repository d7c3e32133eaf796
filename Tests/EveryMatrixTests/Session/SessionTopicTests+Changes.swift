import OddsModel
import Testing

@testable import EveryMatrix

// Topics that are added and removed during a request.
extension SessionTopicTests {
  @Test("A topic cancelled during its registration is unregistered when REGISTERED arrives")
  func unsubscribedEarly() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    #expect(bench.unsubscribe("/a").isEmpty)
    #expect(bench.say(.registered(request: 1, registration: 7)).sent == [.unregister(request: 2, registration: 7)])
    #expect(bench.say(.unregistered(request: 2)).isEmpty)
    #expect(bench.machine.table.entries.isEmpty)
  }

  @Test("A cancelled topic whose request has timed out is still unregistered at a late REGISTERED")
  func forgotten() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.unsubscribe("/a")
    bench.passSoundly(11)
    #expect(bench.machine.table.entries.isEmpty)
    #expect(bench.say(.registered(request: 1, registration: 7)).sent == [.unregister(request: 2, registration: 7)])
  }

  @Test("A reconnect by the user retries refused topics and topics in maintenance at once")
  func reconnected() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.subscribe("/b")
    bench.open()
    bench.say(.failure(Code.register, 1, URI.notAuthorized))
    bench.say(.registered(request: 2, registration: 7))
    bench.say(.failure(Code.call, 3, URI.noBackend))
    let actions = bench.happen(.reconnect)
    #expect(actions.sent == [.register(4, "/a"), .dump(5, "/a"), .dump(6, "/b")])
    #expect(actions.topics == [.requested])
    #expect(bench.happen(.reconnect).isEmpty)
    #expect(bench.state == .live)
  }

  @Test("A topic subscribed again while it is unregistered is registered after an answer or a timeout")
  func resubscribedLate() {
    let b = SessionBench.subscription("/a", 2)
    for answer in [WAMPMessage.unregistered(request: 3), .failure(Code.unregister, 3, URI.noSuchRegistration), nil] {
      var bench = SessionBench.live()
      #expect(bench.unsubscribe("/a").sent == [.unregister(request: 3, registration: 7)])
      #expect(bench.subscribe("/a", 2).isEmpty)
      let actions = answer.map { bench.say($0) } ?? bench.passSoundly(10)
      #expect(actions.sent == [.register(4, "/a")])
      #expect(bench.answer(4, registration: 8).delivered == [b])
    }
  }

  @Test("A new subscription of a registered topic takes over the registration, and gets its own dump")
  func takenOver() {
    var bench = SessionBench.live()
    let b = SessionBench.subscription("/a", 2)
    #expect(bench.subscribe("/a", 2) == [.send(.dump(3, "/a"))])
    #expect(bench.unsubscribe("/a", 1).isEmpty)
    #expect(bench.say(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered == [b])
    #expect(bench.say(.result(request: 2, payload: 1..<2)).isEmpty)
    #expect(bench.say(.result(request: 3, payload: 1..<2)) == [.deliver(b, 1..<2), .topic(b, .live)])
  }

  @Test("A fresh dump is requested only for a live topic, one at a time, and may be lost or refused")
  func audits() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    func ask() -> [WAMPMessage]? {
      bench.machine.requestDump(a, at: bench.moment)?.sent
    }
    #expect(ask() == nil)
    bench.answer(1, registration: 7)
    #expect(ask() == [.dump(3, "/a")])
    #expect(ask() == nil)
    #expect(bench.say(.result(request: 3, payload: 1..<2)) == [.deliver(a, 1..<2)])
    #expect(ask() == [.dump(4, "/a")])
    #expect(bench.passSoundly(10).isEmpty)
    #expect(bench.say(.result(request: 4, payload: 1..<2)).isEmpty)
    #expect(ask() == [.dump(5, "/a")])
    #expect(bench.say(.failure(Code.call, 5, URI.limit)).isEmpty)
    #expect(ask() == [.dump(6, "/a")])
    #expect(bench.say(.failure(Code.call, 6, URI.noBackend)).topics == [.maintenance(retryAt: 22_000)])
    #expect(ask() == nil)
    #expect(bench.passSoundly(12.1).sent == [.dump(7, "/a")])
    #expect(bench.say(.result(request: 7, payload: 1..<2)).topics == [.live])
    bench.line(SessionBench.lost())
    #expect(ask() == nil)
  }
}
