import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

// Sessions that are denied, ended by the feed or the user, or timed out.
extension SessionConnectionTests {
  @Test(
    "When access is denied, the session fails with the reason and does not retry until the user reconnects",
    arguments: [
      URI.notAuthorized, "wamp.error.authentication_failed", "wamp.error.authorization_failed",
      "wamp.error.no_auth_method", "wamp.error.no_such_role",
    ])
  func terminal(_ reason: String) {
    var harness = SessionMachineHarness()
    harness.apply(.start)
    harness.receiveEvent(.opened)
    let actions = harness.receiveMessage(.abort(reason: reason, text: "no"))
    #expect(actions.first == .close(code: 1000))
    guard case .failed(let why) = harness.state else {
      Issue.record("\(harness.state)")
      return
    }
    #expect(why.message.hasSuffix(": no"))
    #expect(harness.machine.deadline == nil)
    #expect(harness.apply(.reconnect) == [.line(.connecting(attempt: 1)), .connect(link: 2)])
  }

  @Test("A refused token or an untrusted certificate is not retried; other connection errors are")
  func faults() {
    let fatal = [ConnectionError.Kind.unauthorized, .untrusted]
    for kind in fatal + [.unreachable, .protocolMismatch, .closed(code: 1008), .lost, .protocolViolation] {
      var harness = SessionMachineHarness()
      harness.apply(.start)
      harness.receiveEvent(SessionMachineHarness.lost(kind))
      if fatal.contains(kind) {
        #expect(harness.state == .failed(SessionMachineHarness.problem))
      } else {
        #expect(harness.state == .waiting(Retry(attempt: 2, time: 200, reason: SessionMachineHarness.problem)))
      }
    }
  }

  @Test("A missing realm is retried, and the reason names it")
  func noRealm() {
    var harness = SessionMachineHarness()
    harness.apply(.start)
    harness.receiveEvent(.opened)
    harness.receiveMessage(.abort(reason: URI.noSuchRealm, text: ""))
    guard case .waiting(let retry) = harness.state else {
      Issue.record("\(harness.state)")
      return
    }
    #expect(retry.reason.message == "the feed has no realm 'realm'")
    #expect(harness.advanceAnsweringPings(by: 0.2).connectionStates == [.connecting(attempt: 2)])
  }

  @Test("When the feed ends the session, the next attempt waits, even after a long session")
  func ended() {
    var harness = SessionMachineHarness.live()
    harness.advanceAnsweringPings(by: 60)
    let goodbye = harness.receiveMessage(.goodbye(reason: URI.systemShutdown))
    #expect(goodbye.prefix(2) == [.send(.goodbye(reason: URI.goodbyeAndOut)), .close(code: 1000)])
    let why = FeedError.ended(URI.systemShutdown, "", realm: "realm")
    #expect(harness.state == .waiting(Retry(attempt: 2, time: 60_200, reason: why)))
    harness.advance(by: 0.2)
    harness.receiveEvent(.opened)
    #expect(harness.receiveMessage(.abort(reason: URI.limit, text: "full")).first == .close(code: 1000))
    #expect(
      harness.state == .waiting(Retry(attempt: 3, time: 60_600, reason: .ended(URI.limit, "full", realm: "realm"))))
  }

  @Test("A ping is sent every 5 s; after two pings without any answer or data, the session reconnects at once")
  func halfOpen() {
    var harness = SessionMachineHarness.live()
    #expect(harness.advance(by: 4.9).isEmpty)
    #expect(harness.advance(by: 0.1) == [.ping(1)])
    #expect(harness.receiveEvent(.pong(1)) == [.alive])
    #expect(harness.advance(by: 10) == [.ping(2), .ping(3)])
    harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2))
    #expect(harness.advance(by: 10) == [.ping(4), .ping(5)])
    #expect(harness.advance(by: 5) == [.close(code: 1000), .line(.connecting(attempt: 1)), .connect(link: 2)])
  }

  @Test("While received data is unread, silence does not end the connection")
  func unread() {
    var harness = SessionMachineHarness.live()
    for number in 1...20 as ClosedRange<UInt64> {
      harness.apply(.unread)
      #expect(harness.advance(by: 5) == [.ping(number)])
    }
  }

  @Test("A pause of the reader within a message does not count towards the message's time limit")
  func unreadMessage() {
    var harness = SessionMachineHarness.live()
    for _ in 0..<60 {
      harness.receiveEvent(.progress)
      harness.advance(by: 1)
    }
    for _ in 0..<20 {
      harness.apply(.unread)
      #expect(harness.advance(by: 5).connectionStates.isEmpty)
    }
    for _ in 0..<100 {
      harness.receiveEvent(.progress)
      #expect(harness.advance(by: 1).connectionStates.isEmpty)
    }
  }

  @Test("Malformed messages are counted, and unexpected answers are ignored")
  func garbage() {
    var harness = SessionMachineHarness.live()
    #expect(harness.receiveEvent(.garbage).isEmpty)
    #expect(harness.receiveMessage(.other(type: 33)).isEmpty)
    #expect(harness.receiveMessage(.result(request: 99, payload: nil)).isEmpty)
    #expect(harness.receiveMessage(.result(request: 99, payload: 1..<2)).isEmpty)
    #expect(harness.receiveMessage(.unregistered(request: 99)).isEmpty)
    #expect(harness.receiveMessage(.failure(33, 1, "x")).isEmpty)
    #expect(harness.machine.counters.garbage == 2)
    #expect(harness.state == .live)
  }

  @Test(
    "A message that a server must not send closes the connection, and the next attempt waits",
    arguments: [
      .welcome(session: 2), .hello(realm: "x"), .yield(request: 1), .register(1, "/x"), .dump(1, "/x"),
      .unregister(request: 1, registration: 1),
    ] as [WAMPMessage])
  func violations(_ message: WAMPMessage) {
    var harness = SessionMachineHarness.live()
    harness.advanceAnsweringPings(by: 60)
    let actions = harness.receiveMessage(message)
    #expect(actions.contains(.close(code: 1002)))
    #expect(harness.machine.counters.violations == 1)
    if case .waiting(let retry) = harness.state {
      #expect(retry.attempt == 2)
    } else {
      Issue.record("\(harness.state)")
    }
  }

  @Test("A message before the WELCOME closes the connection")
  func tooEarly() {
    var harness = SessionMachineHarness()
    harness.apply(.start)
    harness.receiveEvent(.opened)
    #expect(harness.receiveMessage(.registered(request: 1, registration: 1)).contains(.close(code: 1002)))
  }

  @Test("A reconnect by the user ends a delay, a silent connection or a failure at once; otherwise it does nothing")
  func reconnect() {
    var harness = SessionMachineHarness()
    #expect(harness.apply(.reconnect).isEmpty)
    harness.apply(.start)
    #expect(harness.apply(.reconnect).isEmpty)
    harness.receiveEvent(SessionMachineHarness.lost())
    #expect(harness.apply(.reconnect) == [.line(.connecting(attempt: 2)), .connect(link: 2)])
    harness.receiveEvent(.opened)
    #expect(harness.apply(.reconnect).isEmpty)
    harness.receiveMessage(.welcome(session: 1))
    #expect(harness.apply(.reconnect).isEmpty)
    harness.advance(by: 10)
    #expect(harness.apply(.reconnect).last == .connect(link: 3))
    harness.receiveEvent(SessionMachineHarness.lost(.unauthorized))
    #expect(harness.apply(.reconnect).last == .connect(link: 4))
    harness.apply(.disconnect)
    #expect(harness.apply(.reconnect).isEmpty)
  }

  @Test("With new credentials, an open connection is replaced at once, and a failed one is retried at once")
  func renew() {
    var harness = SessionMachineHarness()
    #expect(harness.apply(.renew).isEmpty)
    harness.apply(.start)
    #expect(harness.apply(.renew) == [.close(code: 1000), .connect(link: 2)])
    harness.receiveEvent(.opened)
    harness.receiveMessage(.welcome(session: 1))
    let actions = harness.apply(.renew)
    #expect(actions.first == .send(.goodbye(reason: URI.closeRealm)) && actions.contains(.close(code: 1000)))
    #expect(actions.last == .connect(link: 3) && harness.state == .connecting(attempt: 1))
    harness.receiveEvent(SessionMachineHarness.lost(.unauthorized))
    #expect(harness.apply(.renew) == [.line(.connecting(attempt: 1)), .connect(link: 4)])
    harness.apply(.disconnect)
    #expect(harness.apply(.renew).isEmpty)
  }

  @Test("Disconnecting ends any phase, and no further actions follow")
  func disconnect() {
    let setups: [(inout SessionMachineHarness) -> Void] = [
      { _ in }, { $0.apply(.start) },
      {
        $0.apply(.start)
        $0.receiveEvent(.opened)
      }, { $0.open() },
      {
        $0.apply(.start)
        $0.receiveEvent(SessionMachineHarness.lost())
      },
      {
        $0.apply(.start)
        $0.receiveEvent(SessionMachineHarness.lost(.unauthorized))
      }, { $0.apply(.disconnect) },
    ]
    let expected: [[SessionAction]] = [
      [], [.close(code: 1000), .line(.idle)], [.close(code: 1000), .line(.idle)],
      [.send(.goodbye(reason: URI.closeRealm)), .close(code: 1000), .line(.idle)], [.line(.idle)], [.line(.idle)], [],
    ]
    for (setUp, actions) in zip(setups, expected) {
      var harness = SessionMachineHarness()
      harness.subscribe("/a")
      setUp(&harness)
      #expect(harness.apply(.disconnect) == actions)
      #expect(harness.machine.deadline == nil)
      harness.subscribe("/b")
      harness.receiveEvent(.opened)
      harness.receiveEvent(SessionMachineHarness.lost())
      #expect(harness.apply(.start).isEmpty && harness.advance(by: 100).isEmpty)
      #expect(harness.state == .idle)
    }
  }
}
