import FeedRecording
import TestSupport
import Testing

@testable import OddsFeed
@testable import OddsModel

struct FreshnessTests {
  private static let heartbeat = Duration.seconds(5)

  @Test("With a 5 s heartbeat, a connection is late after 6 s, silent after 10 s, and sound at a sign of life")
  func pulse() {
    var pulse = HeartbeatMonitor()
    func after(_ event: HeartbeatMonitor.Event, _ seconds: Double) -> HeartbeatMonitor.Grade {
      pulse.apply(event, at: .seconds(seconds), limits: SilenceLimits(heartbeat: Self.heartbeat))
      return pulse.grade
    }
    #expect(after(.time, 100) == .down)
    #expect(after(.sign(), 100) == .down)
    #expect(after(.line(.connecting(attempt: 1)), 100) == .down)
    #expect(after(.line(.live), 101) == .sound)
    #expect(pulse.deadline(limits: SilenceLimits(heartbeat: Self.heartbeat)) == .seconds(107))
    #expect(after(.time, 106.9) == .sound)
    #expect(after(.time, 107) == .late)
    #expect(pulse.deadline(limits: SilenceLimits(heartbeat: Self.heartbeat)) == .seconds(111))
    #expect(after(.time, 110.9) == .late)
    #expect(after(.sign(), 110.9) == .sound)
    #expect(after(.time, 120.9) == .silent)
    #expect(pulse.deadline(limits: SilenceLimits(heartbeat: Self.heartbeat)) == nil)
    #expect(after(.sign(), 121) == .sound)
    #expect(after(.line(.connecting(attempt: 1)), 122) == .down)
    #expect(after(.line(.failed(FeedError("why", remedy: "what then"))), 123) == .over)
    #expect(after(.line(.idle), 123) == .over)
    #expect(after(.line(.connecting(attempt: 1)), 123) == .down)
    #expect(after(.line(.live), 124) == .sound)
    #expect(after(.end, 125) == .over)
  }

  @Test("Losing or restoring one of several connections is not a sign of life of the others")
  func recovery() {
    let limits = SilenceLimits(heartbeat: Self.heartbeat)
    var pulse = HeartbeatMonitor()
    func after(_ event: HeartbeatMonitor.Event, _ seconds: Double) -> HeartbeatMonitor.Grade {
      pulse.apply(event, at: .seconds(seconds), limits: limits)
      return pulse.grade
    }
    #expect(after(.line(.live), 0) == .sound)
    #expect(after(.line(.recovering), 5) == .sound)
    #expect(after(.time, 6) == .late)
    for second in [7, 8] {
      #expect(after(.line(.recovering), Double(second)) == .late)
      #expect(after(.line(.live), Double(second)) == .late)
    }
    #expect(after(.time, 10) == .silent)
    #expect(after(.line(.recovering), 11) == .silent)
    #expect(after(.line(.live), 11) == .silent)
    #expect(after(.sign(), 12) == .sound)
    // After all connections were down, an open connection is a new one.
    #expect(after(.line(.connecting(attempt: 1)), 13) == .down)
    #expect(after(.line(.recovering), 14) == .sound)
  }

  @Test(
    "After any events, a connection's grade depends only on the time since its last sign of life", arguments: 0..<50)
  func pulseLaw(seed: UInt64) {
    let limits = SilenceLimits(heartbeat: Self.heartbeat)
    var random = SeededRandom(seed: seed)
    var pulse = HeartbeatMonitor()
    var now = Duration.zero
    // The time of the last sign of life of an open connection; nil while none is open.
    var sign: Duration?
    for _ in 0..<300 {
      now += .milliseconds(Int.random(in: 0...4000, using: &random))
      let delay = Duration.milliseconds(max(0, Int.random(in: -6000...12_000, using: &random)))
      let events: [HeartbeatMonitor.Event] = [
        .sign(delay: delay), .time, .time, .line(.live), .line(.recovering), .line(.connecting(attempt: 1)),
      ]
      let event = events.randomElement(using: &random)!
      // The monitor also receives the time before each event.
      pulse.apply(.time, at: now, limits: limits)
      pulse.apply(event, at: now, limits: limits)
      switch event {
      case .sign(let delay): if sign != nil { sign = now - delay }
      case .line(let state): sign = state.isUp ? sign ?? now : nil
      case .time, .end: break
      }
      let expected: HeartbeatMonitor.Grade =
        sign.map { now - $0 >= .seconds(10) ? .silent : now - $0 >= .seconds(6) ? .late : .sound } ?? .down
      #expect(pulse.grade == expected, "seed \(seed)")
    }
  }

  @Test("A pipe is late after 10 s without data, and silent after its timeout if it has one")
  func pipe() {
    for timeout in [nil, 5, 10, 30] as [Double?] {
      let limits = SilenceLimits(delayed: NDJSONTransport.delayedAfter, locked: timeout.map { .seconds($0) })
      var pulse = HeartbeatMonitor()
      pulse.apply(.line(.live), at: .seconds(1), limits: limits)
      for second in 2...100 {
        let silence = Double(second) - 1
        #expect(pulse.deadline(limits: limits).map { $0 >= .seconds(second - 1) } ?? true)
        pulse.apply(.time, at: .seconds(second), limits: limits)
        let isLocked = timeout.map { silence >= $0 } ?? false
        #expect(pulse.grade == (isLocked ? .silent : silence >= 10 ? .late : .sound), "after \(silence) s")
      }
      pulse.apply(.sign(), at: .seconds(101), limits: limits)
      #expect(pulse.grade == .sound)
    }
  }

  @Test("A connection without heartbeats is never late")
  func noHeartbeat() {
    var pulse = HeartbeatMonitor()
    pulse.apply(.line(.live), at: .zero, limits: nil)
    #expect(pulse.deadline(limits: nil) == nil)
    pulse.apply(.time, at: .seconds(1_000_000), limits: nil)
    #expect(pulse.grade == .sound)
  }

  /// Each case lists events at times 1, 2, 3, …, and the channel's state after each: a letter and its start time.
  @Test(
    "A channel is live only while its connection is sound and it has received data since the last loss",
    arguments: [
      ("sound heard", "k0 l2"),
      ("heard sound", "k0 l2"),
      ("sound heard heard late late sound", "k0 l2 l2 d4 d4 l6"),
      ("sound heard late silent sound heard", "k0 l2 d3 k4 k4 l6"),
      ("sound heard silent late heard", "k0 l2 k3 k3 d5"),
      ("sound heard silent heard sound", "k0 l2 k3 k3 l5"),
      ("sound heard silent heard late sound", "k0 l2 k3 k3 d5 l6"),
      ("sound heard silent heard down sound heard", "k0 l2 k3 k3 k3 k3 l7"),
      ("sound late heard sound", "k0 k0 d3 l4"),
      ("sound polled silent heard sound", "k0 d2 d2 k4 l5"),
      ("sound heard down sound heard", "k0 l2 k3 k3 l5"),
      ("sound heard down heard sound", "k0 l2 k3 k3 l5"),
      ("sound heard down down", "k0 l2 k3 k3"),
      ("sound heard late down", "k0 l2 d3 k4"),
      ("heard down down sound", "k0 k0 k0 l4"),
      ("sound heard over over heard down", "k0 l2 c3 c3 c3 k6"),
      ("over sound heard", "c1 k2 l3"),
      ("sound heard over sound heard", "k0 l2 c3 k4 l5"),
      ("sound heard released sound heard over", "k0 l2 c3 c3 c3 c3"),
      ("sound late silent heard sound", "k0 k0 k0 k0 l5"),
      ("polled polled sound heard", "d1 d1 d1 l4"),
      ("polled heard sound", "d1 k2 l3"),
      ("polled lost polled", "d1 k2 d3"),
      ("sound heard polled lost", "k0 l2 l2 l2"),
      ("sound heard down polled lost sound heard", "k0 l2 k3 d4 k5 k5 l7"),
      ("sound polled silent late down lost", "k0 d2 d2 d2 d2 k6"),
      ("over polled lost polled over polled", "c1 d2 c3 d4 d4 d4"),
      ("over polled down sound heard", "c1 d2 d2 d2 l5"),
      ("released polled lost", "c1 c1 c1"),
      ("sound heard unserved polled heard", "k0 l2 k3 d4 l5"),
      ("sound heard late unserved unserved heard", "k0 l2 d3 k4 k4 d6"),
    ])
  func channel(_ events: String, _ expected: String) {
    var life = FreshnessStateMachine.unheard(since: 0, line: .down)
    var seen: [String] = []
    for (place, name) in events.split(separator: " ").enumerated() {
      life.apply(Self.events[String(name)]!, at: Int64(place + 1))
      let letter = [Freshness.Grade.live: "l", .delayed: "d", .locked: "k", .closed: "c"][life.freshness.grade]!
      seen.append("\(letter)\(life.freshness.since)")
    }
    #expect(seen.joined(separator: " ") == expected)
  }

  private static let events: [String: FreshnessStateMachine.Event] = [
    "sound": .line(.sound), "late": .line(.late), "silent": .line(.silent), "down": .line(.down), "over": .line(.over),
    "heard": .heard, "unserved": .unserved, "polled": .polled, "lost": .apiLost, "released": .released,
  ]

  @Test(
    "After any events, a channel is live only on a sound connection with data since its last loss", arguments: 0..<50)
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var life = FreshnessStateMachine.unheard(since: 0, line: .down)
    var (line, isHeard) = (HeartbeatMonitor.Grade.down, false)
    for now in 1...200 {
      let names = [
        "sound", "late", "silent", "down", "over", "heard", "heard", "sound", "unserved", "polled", "lost",
      ]
      let name = names.randomElement(using: &random)!
      let event = Self.events[name]!
      // Only an open connection can be late or silent.
      if name == "late" || name == "silent", line == .down || line == .over { continue }
      let old = life.freshness
      life.apply(event, at: Int64(now))
      switch event {
      case .line(let pulse):
        if pulse == .over || pulse == .silent && line != .silent || pulse == .down && line != .down { isHeard = false }
        line = pulse
      case .heard: if line != .over { isHeard = true }
      case .unserved: isHeard = false
      case .polled, .apiLost, .released: break
      }
      let new = life.freshness
      if new.grade == .live { #expect(line == .sound && isHeard, "seed \(seed)") }
      #expect(
        new.grade == old.grade ? new.since == old.since || old.grade == .locked : new.since == now, "seed \(seed)")
    }
  }

  @Test(
    "A match's trading status follows from its own status and its main market",
    arguments: [
      ("", Freshness.Grade.live),
      (FeedText.change("BETTING_OFFER", 121, #""statusId":"7""#), .live),
      (
        (121...123).map { FeedText.change("BETTING_OFFER", $0, #""statusId":"7""#) }.joined(separator: ","), .suspended
      ),
      (FeedText.change("MARKET", 110, #""isAvailable":false"#), .suspended),
      (FeedText.change("MARKET", 110, #""isClosed":true"#), .closed),
      (FeedText.change("MATCH", 100, #""statusId":"3""#), .closed),
      (FeedText.delete("MARKET", 110), .live),
    ])
  func tradingStatus(_ update: String, _ grade: Freshness.Grade) {
    #expect(Match.football(then: update).tradingStatus == grade)
  }

  @Test("A row has the worse freshness of its match and its channel")
  func worse() {
    let live = Freshness(.live, since: 10)
    #expect(live.worse(Freshness(.live, since: 20)) == Freshness(.live, since: 20))
    #expect(live.worse(Freshness(.locked, since: 5)) == Freshness(.locked, since: 5))
    #expect(Freshness(.suspended, since: 7).worse(Freshness(.locked, since: 9)) == Freshness(.suspended, since: 7))
    #expect(Freshness(.closed, since: 7).worse(Freshness(.closed, since: 9)) == Freshness(.closed, since: 7))
  }
}
