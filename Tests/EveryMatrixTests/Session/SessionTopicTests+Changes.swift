import OddsModel
import Testing

@testable import EveryMatrix

// Topics that are added and removed during a request.
extension SessionTopicTests {
  @Test("A topic cancelled during its registration is unregistered when REGISTERED arrives")
  func unsubscribedEarly() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    #expect(harness.unsubscribe("/a").isEmpty)
    #expect(
      harness.receiveMessage(.registered(request: 1, registration: 7)).sent == [
        .unregister(request: 2, registration: 7)
      ])
    #expect(harness.receiveMessage(.unregistered(request: 2)).isEmpty)
    #expect(harness.machine.table.entries.isEmpty)
  }

  @Test("A cancelled topic whose request has timed out is still unregistered at a late REGISTERED")
  func forgotten() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.unsubscribe("/a")
    harness.advanceAnsweringPings(by: 11)
    #expect(harness.machine.table.entries.isEmpty)
    #expect(
      harness.receiveMessage(.registered(request: 1, registration: 7)).sent == [
        .unregister(request: 2, registration: 7)
      ])
  }

  @Test("A reconnect by the user retries refused topics and topics in maintenance at once")
  func reconnected() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.subscribe("/b")
    harness.open()
    harness.receiveMessage(.failure(Code.register, 1, URI.notAuthorized))
    harness.receiveMessage(.registered(request: 2, registration: 7))
    harness.receiveMessage(.failure(Code.call, 3, URI.noBackend))
    let actions = harness.apply(.reconnect)
    #expect(actions.sent == [.register(4, "/a"), .dump(5, "/a"), .dump(6, "/b")])
    #expect(actions.topicStates == [.requested])
    #expect(harness.apply(.reconnect).isEmpty)
    #expect(harness.state == .live)
  }

  @Test("A topic subscribed again while it is unregistered is registered after an answer or a timeout")
  func resubscribedLate() {
    let b = SessionMachineHarness.subscription("/a", 2)
    for answer in [WAMPMessage.unregistered(request: 3), .failure(Code.unregister, 3, URI.noSuchRegistration), nil] {
      var harness = SessionMachineHarness.live()
      #expect(harness.unsubscribe("/a").sent == [.unregister(request: 3, registration: 7)])
      #expect(harness.subscribe("/a", 2).isEmpty)
      let actions = answer.map { harness.receiveMessage($0) } ?? harness.advanceAnsweringPings(by: 10)
      #expect(actions.sent == [.register(4, "/a")])
      #expect(harness.acceptRegistration(4, registration: 8).delivered == [b])
    }
  }

  @Test("A new subscription of a registered topic takes over the registration, and gets its own dump")
  func takenOver() {
    var harness = SessionMachineHarness.live()
    let b = SessionMachineHarness.subscription("/a", 2)
    #expect(harness.subscribe("/a", 2) == [.send(.dump(3, "/a"))])
    #expect(harness.unsubscribe("/a", 1).isEmpty)
    #expect(harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2)).delivered == [b])
    #expect(harness.receiveMessage(.result(request: 2, payload: 1..<2)).isEmpty)
    #expect(harness.receiveMessage(.result(request: 3, payload: 1..<2)) == [.deliver(b, 1..<2), .topic(b, .live)])
  }

  @Test("A fresh dump is requested only for a live topic, one at a time, and may be lost or refused")
  func audits() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    func ask() -> [WAMPMessage]? {
      harness.machine.requestDump(a, at: harness.moment)?.sent
    }
    #expect(ask() == nil)
    harness.acceptRegistration(1, registration: 7)
    #expect(ask() == [.dump(3, "/a")])
    #expect(ask() == nil)
    #expect(harness.receiveMessage(.result(request: 3, payload: 1..<2)) == [.deliver(a, 1..<2)])
    #expect(ask() == [.dump(4, "/a")])
    #expect(harness.advanceAnsweringPings(by: 10).isEmpty)
    #expect(harness.receiveMessage(.result(request: 4, payload: 1..<2)).isEmpty)
    #expect(ask() == [.dump(5, "/a")])
    #expect(harness.receiveMessage(.failure(Code.call, 5, URI.limit)).isEmpty)
    #expect(ask() == [.dump(6, "/a")])
    #expect(
      harness.receiveMessage(.failure(Code.call, 6, URI.noBackend)).topicStates == [.maintenance(retryAt: 22_000)])
    #expect(ask() == nil)
    #expect(harness.advanceAnsweringPings(by: 12.1).sent == [.dump(7, "/a")])
    #expect(harness.receiveMessage(.result(request: 7, payload: 1..<2)).topicStates == [.live])
    harness.receiveEvent(SessionMachineHarness.lost())
    #expect(ask() == nil)
  }
}
