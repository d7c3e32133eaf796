import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// Connecting, losing the connection and reconnecting.
struct SessionLineTests {
  typealias URI = WAMPMessage.URI

  @Test("A long message on a slow connection is not silence, and no request is repeated while it arrives")
  func slow() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.open()
    bench.say(.registered(request: 1, registration: 7))
    for _ in 0..<60 {
      #expect(bench.line(.progress).isEmpty)
      #expect(bench.pass(1).allSatisfy { if case .ping = $0 { true } else { false } })
    }
    #expect(bench.say(.result(request: 2, payload: 1..<2)).topics == [.live])
    _ = bench.machine.requestDump(SessionBench.subscription("/a"), at: bench.moment)
    for _ in 0..<20 {
      bench.line(.progress)
      bench.pass(1)
    }
    #expect(bench.say(.result(request: 3, payload: 1..<2)).delivered.count == 1)
    #expect(bench.pass(15).lines == [.connecting(attempt: 1)])
  }

  @Test("A message that takes longer than 120 s does not keep the connection open")
  func drip() {
    var bench = SessionBench.live()
    var lines: [ConnectionState] = []
    for second in 0..<140 {
      bench.line(.progress)
      lines += bench.pass(1).lines
      #expect(second > 119 || lines.isEmpty)
    }
    #expect(lines.first == .connecting(attempt: 1))
  }

  @Test("Data between complete messages does not extend the timeout of an answer")
  func busy() {
    var bench = SessionBench.live()
    bench.subscribe("/b")
    bench.say(.registered(request: 3, registration: 8))
    var topics: [TopicState] = []
    for _ in 0..<11 {
      bench.line(.progress)
      bench.say(.invocation(request: 1, registration: 7, payload: 1..<2))
      topics += bench.pass(1).topics
    }
    #expect(topics == [.late])
  }

  @Test("A session connects at once, sends HELLO, and is live after WELCOME")
  func handshake() {
    var bench = SessionBench()
    #expect(bench.happen(.start) == [.line(.connecting(attempt: 1)), .connect(link: 1)])
    #expect(bench.happen(.start).isEmpty)
    #expect(bench.line(.opened) == [.line(.handshaking), .send(.hello(realm: "realm"))])
    #expect(bench.say(.welcome(session: 5)) == [.line(.live)])
    #expect(bench.machine.counters.sessions == 1)
  }

  @Test("An unreachable feed is retried after a random delay of at most 0.2 s, then 0.4 s, … 30 s")
  func backOff() {
    for chance in [1.0, 0.5, 0] {
      var bench = SessionBench(chance: chance)
      bench.happen(.start)
      for (attempt, bound) in zip(2..., [0.2, 0.4, 0.8, 1.6, 3.2, 6.4, 12.8, 25.6, 30, 30, 30]) {
        bench.line(SessionBench.lost(.unreachable))
        let delay = Duration.seconds(bound) * chance
        let retry = Retry(
          attempt: attempt, time: Int64((bench.now + delay) / .milliseconds(1)), reason: SessionBench.problem)
        #expect(bench.state == .waiting(retry))
        #expect(bench.machine.deadline == bench.now + delay)
        #expect(bench.pass(bound * chance).last == .connect(link: attempt))
        #expect(bench.state == .connecting(attempt: attempt))
      }
    }
  }

  @Test("A retry time given by the peer is the minimum of the next delay")
  func retryAfter() {
    for chance in [0, 0.5, 1] {
      var bench = SessionBench(chance: chance)
      bench.happen(.start)
      for _ in 0..<10 {
        bench.line(SessionBench.lost(.protocolMismatch))
        if let deadline = bench.machine.deadline { bench.pass((deadline - bench.now) / .seconds(1)) }
      }
      bench.line(.closed(ConnectionError(.protocolMismatch, SessionBench.problem, retryAfter: .seconds(5))))
      let seconds = max(5 + chance, 30 * chance)
      #expect(bench.machine.deadline == bench.now + .seconds(seconds))
      bench.pass(seconds)
      #expect(bench.state == .connecting(attempt: 12))
      // The retry time applies to one delay only. A time of 0 does not shorten the delay.
      bench.line(SessionBench.lost(.protocolMismatch))
      #expect(bench.machine.deadline == bench.now + .seconds(30) * chance)
      bench.pass(30 * chance)
      bench.line(.closed(ConnectionError(.protocolMismatch, SessionBench.problem, retryAfter: .zero)))
      #expect(bench.machine.deadline == bench.now + .seconds(30) * chance)
    }
  }

  @Test("After a session that lasted, the reconnect is immediate, and attempts are counted from 1 again")
  func lostAfterSuccess() {
    for kind in [
      ConnectionError.Kind.lost, .closed(code: 1001), .closed(code: 1006), .closed(code: nil), .protocolViolation,
    ] {
      var bench = SessionBench()
      bench.happen(.start)
      bench.line(SessionBench.lost())
      bench.pass(0.2)
      bench.line(.opened)
      bench.say(.welcome(session: 1))
      bench.pass(2)
      #expect(bench.line(SessionBench.lost(kind)) == [.line(.connecting(attempt: 1)), .connect(link: 3)])
    }
  }

  @Test("A session that is lost at once counts as a failed attempt, and the delays keep growing")
  func lostAtOnce() {
    var bench = SessionBench()
    bench.subscribe("/a")
    bench.happen(.start)
    for bound in [0.2, 0.4, 0.8] {
      bench.line(.opened)
      bench.say(.welcome(session: 1))
      bench.answer(1, registration: 1)
      let lost = bench.line(SessionBench.lost())
      #expect(!lost.contains { if case .connect = $0 { true } else { false } })
      #expect(bench.machine.deadline == bench.now + .seconds(bound))
      bench.pass(bound)
    }
  }

  @Test("A thousand losses are retried after random delays, one connection at a time, and no state accumulates")
  func storm() {
    var bench = SessionBench()
    var random = SeededRandom(seed: 4)
    for path in ["/a", "/b", "/c"] { bench.subscribe(path) }
    #expect(bench.happen(.start).last == .connect(link: 1))
    for loss in 0..<1000 {
      bench.chance = Double.random(in: 0...1, using: &random)
      bench.line(.opened)
      if loss % 3 > 0 { bench.say(.welcome(session: 1)) }
      if loss % 3 > 1 { for topic in 1...3 as ClosedRange<UInt64> { bench.answer(topic, registration: topic) } }
      let lost = bench.line(SessionBench.lost())
      #expect(lost.lines.count == 1 && lost.count == 1)
      let delay = bench.machine.deadline! - bench.now
      #expect(delay >= .zero && delay <= .seconds(min(30, 0.2 * Double(1 << min(loss, 10)))))
      bench.now += delay
      #expect(bench.happen(.time).last == .connect(link: loss + 2))
      #expect(bench.machine.table.entries.count == 3)
      #expect(bench.machine.table.entries.allSatisfy { $0.registers.isEmpty && $0.calls.isEmpty })
    }
    #expect(bench.machine.counters.attempts == 1001)
  }

  @Test("An attempt that does not connect and receive WELCOME within 10 s is abandoned")
  func noHandshake() {
    var bench = SessionBench()
    bench.happen(.start)
    #expect(bench.pass(9.9).isEmpty)
    #expect(bench.pass(0.1).first == .close(code: 1000))
    #expect(bench.state == .waiting(Retry(attempt: 2, time: 10_200, reason: .noHandshake)))
    bench.pass(0.2)
    bench.now += .seconds(4)
    bench.line(.opened)
    #expect(bench.pass(5.9).isEmpty)
    #expect(bench.pass(0.1).first == .close(code: 1000))
    #expect(bench.state == .waiting(Retry(attempt: 3, time: 20_600, reason: .noHandshake)))
  }

  @Test("Events of an abandoned connection are ignored")
  func stale() {
    var bench = SessionBench()
    bench.happen(.start)
    bench.pass(10.2)
    let state = bench.state
    let events: [SessionMachine.LineEvent] = [
      .opened, .message(.welcome(session: 1)), .pong(1), SessionBench.lost(),
    ]
    for event in events {
      #expect(bench.happen(.line(event, link: 1)).isEmpty)
    }
    #expect(bench.state == state)
  }
}
