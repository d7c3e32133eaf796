import TestSupport
import Testing

@testable import EveryMatrix
@testable import OddsFeed
@testable import OddsModel

/// A session on a link with delayed data.
struct SlowLinkTests {
  private struct Link {
    private static let limits = SilenceLimits(heartbeat: SessionTiming.heartbeat)
    var harness = SessionMachineHarness.live()
    private var heartbeat = HeartbeatMonitor()

    init() { heartbeat.apply(.line(.live), at: harness.now, limits: Self.limits) }

    var grade: HeartbeatMonitor.Grade { heartbeat.grade }
    var delay: Duration { harness.machine.delay(at: harness.now) }

    @discardableResult
    mutating func advance(by seconds: Double) -> [SessionAction] {
      let actions = harness.advance(by: seconds)
      heartbeat.apply(.time, at: harness.now, limits: Self.limits)
      return actions
    }

    /// Receives an update.
    mutating func receive() {
      heartbeat.apply(.sign(delay: delay), at: harness.now, limits: Self.limits)
      harness.receiveMessage(.invocation(request: 1, registration: 7, payload: 1..<2))
    }

    /// Receives the answer to a ping.
    mutating func pong(_ number: UInt64) {
      if harness.receiveEvent(.pong(number)).contains(.alive) {
        heartbeat.apply(.sign(), at: harness.now, limits: Self.limits)
      }
    }
  }

  @Test("During an unanswered ping, updates are delayed after 6 s and locked after 10 s, until a pong is in time")
  func unanswered() {
    var link = Link()
    for step in 1...40 {
      link.advance(by: 0.5)
      link.receive()
      #expect(link.grade == (step < 22 ? .sound : step < 30 ? .late : .silent), "step \(step)")
    }
    // The answer to the first ping is 15 s old.
    link.pong(1)
    link.receive()
    #expect(link.grade == .silent)
    link.pong(4)
    #expect(link.grade == .sound)
    link.receive()
    #expect(link.grade == .sound)
  }

  @Test(
    "On a link with a constant delay, the grade is constant",
    arguments: [(2, HeartbeatMonitor.Grade.sound), (5, .sound), (7, .late), (12, .silent)])
  func constantDelay(_ seconds: Int, _ grade: HeartbeatMonitor.Grade) {
    var link = Link()
    var pongs: [(at: Duration, number: UInt64)] = []
    for step in 1...200 {
      for case .ping(let number) in link.advance(by: 0.5) {
        pongs.append((link.harness.now + .seconds(seconds), number))
      }
      while let pong = pongs.first, pong.at <= link.harness.now {
        pongs.removeFirst()
        link.pong(pong.number)
      }
      link.receive()
      if step >= 40 { #expect(link.grade == grade, "step \(step)") }
    }
  }

  @Test("If a server has answered no ping for 120 s, its prices are delayed, not locked, until it answers one")
  func neverAnswered() {
    var link = Link()
    for second in 1...300 {
      #expect(link.advance(by: 1).connectionStates.isEmpty)
      link.receive()
      let isLocked = 15..<125 ~= second
      #expect(link.grade == (second < 11 ? .sound : isLocked ? .silent : .late), "second \(second)")
    }
    // The answer shows that all data was 295 s old.
    link.pong(1)
    link.receive()
    #expect(link.grade == .silent)
    let next = PingLog(interval: SessionTiming.heartbeat, requiresAnswers: false, isAwaited: false, at: .zero)
    #expect(next.isSlow(at: .zero))
  }

  @Test("A connection is closed when the server has stopped answering pings for 120 s")
  func answersNoMore() {
    var link = Link()
    link.advance(by: 5)
    link.pong(1)
    for _ in 6..<130 {
      #expect(link.advance(by: 1).connectionStates.isEmpty)
      link.receive()
    }
    #expect(link.advance(by: 1).connectionStates == [.connecting(attempt: 1)])
  }

  @Test("A pong without a number, or with an unknown number, is ignored")
  func strangePongs() {
    var link = Link()
    link.advance(by: 5)
    for number in [nil, 0, 2, .max] as [UInt64?] { link.harness.receiveEvent(.pong(number)) }
    link.advance(by: 3)
    #expect(link.delay == .seconds(3))
    link.pong(1)
    #expect(link.delay == .zero)
  }

  @Test(
    "With any delays, prices older than 12 s are not live, and prices older than 16 s are locked", arguments: 0..<200)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var link = Link()
    // The data in transit: updates, and pongs by their numbers.
    var queue: [(sent: Duration, pong: UInt64?)] = []
    // The time at which the newest received data was sent.
    var newest = Duration.zero
    var rate = 1
    var liveSteps = 0
    defer { #expect(liveSteps > 0, "seed \(seed)") }
    for _ in 0..<800 {
      let actions = link.advance(by: 0.25)
      if !actions.connectionStates.isEmpty { return }
      for case .ping(let number) in actions { queue.append((link.harness.now, number)) }
      queue.append((link.harness.now, nil))
      if Int.random(in: 0..<20, using: &random) == 0 { rate = Int.random(in: 0...4, using: &random) }
      for item in queue.prefix(Int.random(in: 0...rate, using: &random)) {
        queue.removeFirst()
        newest = item.sent
        if let number = item.pong {
          link.pong(number)
        } else {
          #expect(link.harness.now - newest <= link.delay + SessionTiming.heartbeat, "seed \(seed)")
          link.receive()
        }
      }
      if link.grade == .sound { liveSteps += 1 }
      let age = link.harness.now - newest
      if age >= .seconds(12) { #expect(link.grade != .sound, "seed \(seed)") }
      if age >= .seconds(16) { #expect(link.grade == .silent, "seed \(seed)") }
    }
  }
}
