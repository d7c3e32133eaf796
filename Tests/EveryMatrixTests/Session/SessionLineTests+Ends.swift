import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

// Sessions that are denied, ended by the feed or the user, or timed out.
extension SessionLineTests {
  @Test(
    "When access is denied, the session fails with the reason and does not retry until the user reconnects",
    arguments: [
      URI.notAuthorized, "wamp.error.authentication_failed", "wamp.error.authorization_failed",
      "wamp.error.no_auth_method", "wamp.error.no_such_role",
    ])
  func terminal(_ reason: String) {
    var bench = SessionBench()
    bench.happen(.start)
    bench.line(.opened)
    let actions = bench.say(.abort(reason: reason, text: "no"))
    #expect(actions.first == .close(code: 1000))
    guard case .failed(let why) = bench.state else {
      Issue.record("\(bench.state)")
      return
    }
    #expect(why.what.hasSuffix(": no"))
    #expect(bench.machine.deadline == nil)
    #expect(bench.happen(.reconnect) == [.line(.connecting(attempt: 1)), .connect(link: 2)])
  }

  @Test("A refused token or an untrusted certificate is not retried; other connection errors are")
  func faults() {
    let fatal = [ConnectionError.Kind.unauthorized, .untrusted]
    for kind in fatal + [.unreachable, .protocolMismatch, .closed(code: 1008), .lost, .protocolViolation] {
      var bench = SessionBench()
      bench.happen(.start)
      bench.line(SessionBench.lost(kind))
      if fatal.contains(kind) {
        #expect(bench.state == .failed(SessionBench.problem))
      } else {
        #expect(bench.state == .waiting(Retry(attempt: 2, time: 200, reason: SessionBench.problem)))
      }
    }
  }

  @Test("A missing realm is retried, and the reason names it")
  func noRealm() {
    var bench = SessionBench()
    bench.happen(.start)
    bench.line(.opened)
    bench.say(.abort(reason: URI.noSuchRealm, text: ""))
    guard case .waiting(let retry) = bench.state else {
      Issue.record("\(bench.state)")
      return
    }
    #expect(retry.reason.what == "the feed has no realm 'realm'")
    #expect(bench.passSoundly(0.2).lines == [.connecting(attempt: 2)])
  }

  @Test("When the feed ends the session, the next attempt waits, even after a long session")
  func ended() {
    var bench = SessionBench.live()
    bench.passSoundly(60)
    let goodbye = bench.say(.goodbye(reason: URI.systemShutdown))
    #expect(goodbye.prefix(2) == [.send(.goodbye(reason: URI.goodbyeAndOut)), .close(code: 1000)])
    let why = FeedError.ended(URI.systemShutdown, "", realm: "realm")
    #expect(bench.state == .waiting(Retry(attempt: 2, time: 60_200, reason: why)))
    bench.pass(0.2)
    bench.line(.opened)
    #expect(bench.say(.abort(reason: URI.limit, text: "full")).first == .close(code: 1000))
    #expect(bench.state == .waiting(Retry(attempt: 3, time: 60_600, reason: .ended(URI.limit, "full", realm: "realm"))))
  }

  @Test("A ping is sent every 5 s; after two pings without any answer or data, the session reconnects at once")
  func halfOpen() {
    var bench = SessionBench.live()
    #expect(bench.pass(4.9).isEmpty)
    #expect(bench.pass(0.1) == [.ping(1)])
    #expect(bench.line(.pong(1)) == [.alive])
    #expect(bench.pass(10) == [.ping(2), .ping(3)])
    bench.say(.invocation(request: 1, registration: 7, payload: 1..<2))
    #expect(bench.pass(10) == [.ping(4), .ping(5)])
    #expect(bench.pass(5) == [.close(code: 1000), .line(.connecting(attempt: 1)), .connect(link: 2)])
  }

  @Test("While received data is unread, silence does not end the connection")
  func unread() {
    var bench = SessionBench.live()
    for number in 1...20 as ClosedRange<UInt64> {
      bench.happen(.unread)
      #expect(bench.pass(5) == [.ping(number)])
    }
  }

  @Test("A pause of the reader within a message does not count towards the message's time limit")
  func unreadMessage() {
    var bench = SessionBench.live()
    for _ in 0..<60 {
      bench.line(.progress)
      bench.pass(1)
    }
    for _ in 0..<20 {
      bench.happen(.unread)
      #expect(bench.pass(5).lines.isEmpty)
    }
    for _ in 0..<100 {
      bench.line(.progress)
      #expect(bench.pass(1).lines.isEmpty)
    }
  }

  @Test("Malformed messages are counted, and unexpected answers are ignored")
  func garbage() {
    var bench = SessionBench.live()
    #expect(bench.line(.garbage).isEmpty)
    #expect(bench.say(.other(type: 33)).isEmpty)
    #expect(bench.say(.result(request: 99, payload: nil)).isEmpty)
    #expect(bench.say(.result(request: 99, payload: 1..<2)).isEmpty)
    #expect(bench.say(.unregistered(request: 99)).isEmpty)
    #expect(bench.say(.failure(33, 1, "x")).isEmpty)
    #expect(bench.machine.counters.garbage == 2)
    #expect(bench.state == .live)
  }

  @Test(
    "A message that a server must not send closes the connection, and the next attempt waits",
    arguments: [
      .welcome(session: 2), .hello(realm: "x"), .yield(request: 1), .register(1, "/x"), .dump(1, "/x"),
      .unregister(request: 1, registration: 1),
    ] as [WAMPMessage])
  func violations(_ message: WAMPMessage) {
    var bench = SessionBench.live()
    bench.passSoundly(60)
    let actions = bench.say(message)
    #expect(actions.contains(.close(code: 1002)))
    #expect(bench.machine.counters.violations == 1)
    if case .waiting(let retry) = bench.state { #expect(retry.attempt == 2) } else { Issue.record("\(bench.state)") }
  }

  @Test("A message before the WELCOME closes the connection")
  func tooEarly() {
    var bench = SessionBench()
    bench.happen(.start)
    bench.line(.opened)
    #expect(bench.say(.registered(request: 1, registration: 1)).contains(.close(code: 1002)))
  }

  @Test("A reconnect by the user ends a delay, a silent connection or a failure at once; otherwise it does nothing")
  func reconnect() {
    var bench = SessionBench()
    #expect(bench.happen(.reconnect).isEmpty)
    bench.happen(.start)
    #expect(bench.happen(.reconnect).isEmpty)
    bench.line(SessionBench.lost())
    #expect(bench.happen(.reconnect) == [.line(.connecting(attempt: 2)), .connect(link: 2)])
    bench.line(.opened)
    #expect(bench.happen(.reconnect).isEmpty)
    bench.say(.welcome(session: 1))
    #expect(bench.happen(.reconnect).isEmpty)
    bench.pass(10)
    #expect(bench.happen(.reconnect).last == .connect(link: 3))
    bench.line(SessionBench.lost(.unauthorized))
    #expect(bench.happen(.reconnect).last == .connect(link: 4))
    bench.happen(.disconnect)
    #expect(bench.happen(.reconnect).isEmpty)
  }

  @Test("With new credentials, an open connection is replaced at once, and a failed one is retried at once")
  func renew() {
    var bench = SessionBench()
    #expect(bench.happen(.renew).isEmpty)
    bench.happen(.start)
    #expect(bench.happen(.renew) == [.close(code: 1000), .connect(link: 2)])
    bench.line(.opened)
    bench.say(.welcome(session: 1))
    let actions = bench.happen(.renew)
    #expect(actions.first == .send(.goodbye(reason: URI.closeRealm)) && actions.contains(.close(code: 1000)))
    #expect(actions.last == .connect(link: 3) && bench.state == .connecting(attempt: 1))
    bench.line(SessionBench.lost(.unauthorized))
    #expect(bench.happen(.renew) == [.line(.connecting(attempt: 1)), .connect(link: 4)])
    bench.happen(.disconnect)
    #expect(bench.happen(.renew).isEmpty)
  }

  @Test("Disconnecting ends any phase, and no further actions follow")
  func disconnect() {
    let waysThere: [(inout SessionBench) -> Void] = [
      { _ in }, { $0.happen(.start) },
      {
        $0.happen(.start)
        $0.line(.opened)
      }, { $0.open() },
      {
        $0.happen(.start)
        $0.line(SessionBench.lost())
      },
      {
        $0.happen(.start)
        $0.line(SessionBench.lost(.unauthorized))
      }, { $0.happen(.disconnect) },
    ]
    let expected: [[SessionAction]] = [
      [], [.close(code: 1000), .line(.idle)], [.close(code: 1000), .line(.idle)],
      [.send(.goodbye(reason: URI.closeRealm)), .close(code: 1000), .line(.idle)], [.line(.idle)], [.line(.idle)], [],
    ]
    for (way, actions) in zip(waysThere, expected) {
      var bench = SessionBench()
      bench.subscribe("/a")
      way(&bench)
      #expect(bench.happen(.disconnect) == actions)
      #expect(bench.machine.deadline == nil)
      bench.subscribe("/b")
      bench.line(.opened)
      bench.line(SessionBench.lost())
      #expect(bench.happen(.start).isEmpty && bench.pass(100).isEmpty)
      #expect(bench.state == .idle)
    }
  }
}
