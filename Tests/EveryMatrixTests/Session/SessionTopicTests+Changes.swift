import OddsModel
import Testing

@testable import EveryMatrix

// Topics that are added and removed during a request.
extension SessionTopicTests {
  @Test("What is given up while it is being registered is unregistered when it is known what by")
  func unsubscribedEarly() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    #expect(bench.unsubscribe("/a").isEmpty)
    #expect(bench.say(.registered(request: 1, registration: 7)).sent == [.unregister(request: 2, registration: 7)])
    #expect(bench.say(.unregistered(request: 2)).isEmpty)
    #expect(bench.machine.table.entries.isEmpty)
  }

  @Test("What was given up and is forgotten is still unregistered when REGISTERED comes at last")
  func forgotten() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.unsubscribe("/a")
    bench.passSoundly(11)
    #expect(bench.machine.table.entries.isEmpty)
    #expect(bench.say(.registered(request: 1, registration: 7)).sent == [.unregister(request: 2, registration: 7)])
  }

  @Test("Who asks to connect again has what was refused asked for anew, and what rests at once")
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

  @Test("A topic that is wanted again while it is unregistered is registered when that is done, or never was")
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

  @Test("Who wants a topic anew takes its registration over, and gets a dump of his own")
  func takenOver() {
    var bench = SessionBench.live()
    let b = SessionBench.subscription("/a", 2)
    #expect(bench.subscribe("/a", 2) == [.send(.dump(3, "/a"))])
    #expect(bench.unsubscribe("/a", 1).isEmpty)
    #expect(bench.say(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered == [b])
    #expect(bench.say(.result(request: 2, payload: 1..<2)).isEmpty)
    #expect(bench.say(.result(request: 3, payload: 1..<2)) == [.deliver(b, 1..<2), .topic(b, .live)])
  }

  @Test("A fresh dump is asked for where the first is in, one at a time, and what becomes of it harms nobody")
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
