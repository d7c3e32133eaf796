import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// Connecting, losing the connection and reconnecting.
struct SessionConnectionTests {
  typealias URI = WAMPMessage.URI

  @Test("A long message on a slow connection is not silence, and no request is repeated while it arrives")
  func slow() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.open()
    harness.receiveMessage(.registered(request: 1, registration: 7))
    harness.subscribe("/b")
    for _ in 0..<60 {
      #expect(harness.receiveEvent(.progress).isEmpty)
      #expect(harness.advance(by: 1).allSatisfy { if case .ping = $0 { true } else { false } })
    }
    #expect(harness.receiveMessage(.result(request: 2, payload: 1..<2)).topicStates == [.live])
    #expect(harness.acceptRegistration(3, registration: 8).topicStates == [.live])
    _ = harness.machine.requestDump(SessionMachineHarness.subscription("/a"), at: harness.moment)
    for _ in 0..<20 {
      harness.receiveEvent(.progress)
      harness.advance(by: 1)
    }
    #expect(harness.receiveMessage(.result(request: 5, payload: 1..<2)).delivered.count == 1)
    #expect(harness.advance(by: 15).connectionStates == [.connecting(attempt: 1)])
  }

  @Test("A message that takes longer than 120 s does not keep the connection open")
  func drip() {
    var harness = SessionMachineHarness.live()
    var lines: [ConnectionState] = []
    for second in 0..<140 {
      harness.receiveEvent(.progress)
      lines += harness.advance(by: 1).connectionStates
      #expect(second > 119 || lines.isEmpty)
    }
    #expect(lines.first == .connecting(attempt: 1))
  }

  @Test("Data between complete messages does not extend the timeout of an answer")
  func busy() {
    var harness = SessionMachineHarness.live()
    harness.subscribe("/b")
    harness.receiveMessage(.registered(request: 3, registration: 8))
    var topics: [TopicState] = []
    for _ in 0..<11 {
      harness.receiveEvent(.progress)
      harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2))
      topics += harness.advance(by: 1).topicStates
    }
    #expect(topics == [.late])
  }

  @Test("A session connects at once, sends HELLO, and is live after WELCOME")
  func handshake() {
    var harness = SessionMachineHarness()
    #expect(harness.apply(.start) == [.line(.connecting(attempt: 1)), .connect(link: 1)])
    #expect(harness.apply(.start).isEmpty)
    #expect(harness.receiveEvent(.opened) == [.line(.handshaking), .send(.hello(realm: "realm"))])
    #expect(harness.receiveMessage(.welcome(session: 5)) == [.line(.live)])
    #expect(harness.machine.counters.sessions == 1)
  }

  @Test("An unreachable feed is retried after a random delay of at most 0.2 s, then 0.4 s, … 30 s")
  func backOff() {
    for chance in [1.0, 0.5, 0] {
      var harness = SessionMachineHarness(chance: chance)
      harness.apply(.start)
      for (attempt, bound) in zip(2..., [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30]) {
        harness.receiveEvent(SessionMachineHarness.lost(.unreachable))
        let delay = Duration.seconds(bound) * chance
        let retry = Retry(
          attempt: attempt, time: Int64((harness.now + delay) / .milliseconds(1)), reason: SessionMachineHarness.problem
        )
        #expect(harness.state == .waiting(retry))
        #expect(harness.machine.deadline == harness.now + delay)
        #expect(harness.advance(by: bound * chance).last == .connect(link: attempt))
        #expect(harness.state == .connecting(attempt: attempt))
      }
    }
  }

  @Test("A retry time given by the peer is the minimum of the next delay")
  func retryAfter() {
    for chance in [0, 0.5, 1] {
      var harness = SessionMachineHarness(chance: chance)
      harness.apply(.start)
      for _ in 0..<10 {
        harness.receiveEvent(SessionMachineHarness.lost(.protocolMismatch))
        if let deadline = harness.machine.deadline { harness.advance(by: (deadline - harness.now) / .seconds(1)) }
      }
      harness.receiveEvent(
        .closed(ConnectionError(.protocolMismatch, SessionMachineHarness.problem, retryAfter: .seconds(5))))
      let seconds = max(5 + chance, 30 * chance)
      #expect(harness.machine.deadline == harness.now + .seconds(seconds))
      harness.advance(by: seconds)
      #expect(harness.state == .connecting(attempt: 12))
      // The retry time applies to one delay only. A time of 0 does not shorten the delay.
      harness.receiveEvent(SessionMachineHarness.lost(.protocolMismatch))
      #expect(harness.machine.deadline == harness.now + .seconds(30) * chance)
      harness.advance(by: 30 * chance)
      harness.receiveEvent(
        .closed(ConnectionError(.protocolMismatch, SessionMachineHarness.problem, retryAfter: .zero)))
      #expect(harness.machine.deadline == harness.now + .seconds(30) * chance)
    }
  }

  @Test("After a session that lasted, the reconnect is immediate, and attempts are counted from 1 again")
  func lostAfterSuccess() {
    for kind in [
      ConnectionError.Kind.lost, .closed(code: 1001), .closed(code: 1006), .closed(code: nil), .protocolViolation,
    ] {
      var harness = SessionMachineHarness()
      harness.apply(.start)
      harness.receiveEvent(SessionMachineHarness.lost())
      harness.advance(by: 0.2)
      harness.receiveEvent(.opened)
      harness.receiveMessage(.welcome(session: 1))
      harness.advance(by: 2)
      #expect(
        harness.receiveEvent(SessionMachineHarness.lost(kind)) == [.line(.connecting(attempt: 1)), .connect(link: 3)])
    }
  }

  @Test("A session that is lost at once counts as a failed attempt, and the delays keep growing")
  func lostAtOnce() {
    var harness = SessionMachineHarness()
    harness.subscribe("/a")
    harness.apply(.start)
    for bound in [0.2, 0.4, 0.8] {
      harness.receiveEvent(.opened)
      harness.receiveMessage(.welcome(session: 1))
      harness.acceptRegistration(1, registration: 1)
      let lost = harness.receiveEvent(SessionMachineHarness.lost())
      #expect(!lost.contains { if case .connect = $0 { true } else { false } })
      #expect(harness.machine.deadline == harness.now + .seconds(bound))
      harness.advance(by: bound)
    }
  }

  @Test("A thousand losses are retried after random delays, one connection at a time, and no state accumulates")
  func storm() {
    var harness = SessionMachineHarness()
    var random = SeededRandom(seed: 4)
    for path in ["/a", "/b", "/c"] { harness.subscribe(path) }
    #expect(harness.apply(.start).last == .connect(link: 1))
    for loss in 0..<1000 {
      harness.chance = Double.random(in: 0...1, using: &random)
      harness.receiveEvent(.opened)
      if loss % 3 > 0 { harness.receiveMessage(.welcome(session: 1)) }
      if loss % 3 > 1 {
        for topic in 1...3 as ClosedRange<UInt64> { harness.acceptRegistration(topic, registration: topic) }
      }
      let lost = harness.receiveEvent(SessionMachineHarness.lost())
      #expect(lost.connectionStates.count == 1 && lost.count == 1)
      let delay = harness.machine.deadline! - harness.now
      #expect(delay >= .zero && delay <= .seconds(min(30, 0.2 * Double(1 << min(loss, 10)))))
      harness.now += delay
      #expect(harness.apply(.time).last == .connect(link: loss + 2))
      #expect(harness.machine.table.entries.count == 3)
      #expect(harness.machine.table.entries.allSatisfy { $0.registers.isEmpty && $0.calls.isEmpty })
    }
    #expect(harness.machine.counters.attempts == 1001)
  }

  @Test("An attempt that does not connect and receive WELCOME within 10 s is abandoned")
  func noHandshake() {
    var harness = SessionMachineHarness()
    harness.apply(.start)
    #expect(harness.advance(by: 9.9).isEmpty)
    #expect(harness.advance(by: 0.1).first == .close(code: 1000))
    #expect(harness.state == .waiting(Retry(attempt: 2, time: 10_200, reason: .noHandshake)))
    harness.advance(by: 0.2)
    harness.now += .seconds(4)
    harness.receiveEvent(.opened)
    #expect(harness.advance(by: 5.9).isEmpty)
    #expect(harness.advance(by: 0.1).first == .close(code: 1000))
    #expect(harness.state == .waiting(Retry(attempt: 3, time: 20_600, reason: .noHandshake)))
  }

  @Test("Events of an abandoned connection are ignored")
  func stale() {
    var harness = SessionMachineHarness()
    harness.apply(.start)
    harness.advance(by: 10.2)
    let state = harness.state
    let events: [SessionMachine.LineEvent] = [
      .opened, .message(.welcome(session: 1)), .pong(1), SessionMachineHarness.lost(),
    ]
    for event in events {
      #expect(harness.apply(.line(event, link: 1)).isEmpty)
    }
    #expect(harness.state == state)
  }
}
