import OddsModel
import TestSupport
import Testing

@testable import OddsFeed
@testable import Polymarket

@Suite("A session with Polymarket on a link with delayed data", .timeLimit(.minutes(45)))
struct SlowLinkTests {
  /// A session with two sockets.
  private struct Link {
    private static let limits = SilenceLimits(heartbeat: PolymarketTiming.ping)
    var run = MachineRun()
    let sockets: [Int]
    /// A token of each socket.
    private let tokens: [String]
    private var heartbeat = HeartbeatMonitor()

    init() {
      var event = Sample.game
      event.markets = (0..<101).map { index in
        Sample.market(UInt64(1000 + index), "points", ["Yes", "No"], ["\(5000 + index * 2)", "\(5001 + index * 2)"])
      }
      sockets = run.start([event])
      var tokens: [String] = []
      for link in sockets {
        tokens.append(MachineRun.operations(run.apply(.socket(.opened, link: link)), link: link)[0].tokens[0])
      }
      self.tokens = tokens
      heartbeat.apply(.line(.live), at: run.uptime, limits: Self.limits)
    }

    var grade: HeartbeatMonitor.Grade { heartbeat.grade }
    var delay: Duration { run.machine.delay(at: run.uptime) }

    /// Advances the clock. Returns the actions that follow.
    mutating func advance(by duration: Duration) -> [PolymarketMachine.Action] {
      let actions = run.advance(by: duration)
      heartbeat.apply(.time, at: run.uptime, limits: Self.limits)
      return actions
    }

    /// Receives an update of a socket's token.
    mutating func receive(_ socket: Int) {
      let text = #"{"event_type":"last_trade_price","asset_id":"\#(tokens[socket])","price":"0.5"}"#
      let actions = run.frame(text, link: sockets[socket])
      #expect(actions.contains(.deliver(MachineRun.live)))
      heartbeat.apply(.sign(delay: delay), at: run.uptime, limits: Self.limits)
    }

    /// Receives the answer to a `PING`.
    mutating func pong(_ socket: Int) {
      #expect(run.apply(.socket(.pong, link: sockets[socket])) == [.alive])
      heartbeat.apply(.sign(delay: delay), at: run.uptime, limits: Self.limits)
    }

    /// True if a socket sends a `PING` among the actions.
    func pings(_ socket: Int, _ actions: [PolymarketMachine.Action]) -> Bool {
      actions.contains(.send(Array("PING".utf8), link: sockets[socket]))
    }
  }

  @Test("While one socket owes a PONG, prices are delayed after 6 s and locked after 10 s, until a PONG is in time")
  func unanswered() {
    var link = Link()
    for step in 1...40 {
      let actions = link.advance(by: .milliseconds(500))
      link.receive(0)
      link.receive(1)
      if link.pings(1, actions) { link.pong(1) }
      #expect(link.grade == (step < 22 ? .sound : step < 30 ? .late : .silent), "step \(step)")
    }
    // The server answers each PING: the first answer took 15 s, the second one 10 s, and the third one 5 s.
    for _ in 0..<2 {
      link.pong(0)
      link.receive(1)
      #expect(link.grade != .sound)
    }
    link.pong(0)
    #expect(link.grade == .sound)
    link.receive(0)
    #expect(link.grade == .sound)
  }

  @Test("A socket is closed when the server answers no PING for 120 s, whatever else it sends", arguments: [0, 1, 5])
  func answersNoMore(count: Int) {
    var link = Link()
    var answers = 0
    let end = (count + 1) * 5 + 120
    for second in 1...end {
      let actions = link.advance(by: .seconds(1))
      if second == end {
        #expect(actions.contains(.close(link: link.sockets[0])) && MachineRun.states(actions) == [.recovering])
        return
      }
      #expect(MachineRun.states(actions).isEmpty, "second \(second)")
      if link.pings(1, actions) { link.pong(1) }
      if link.pings(0, actions), answers < count {
        answers += 1
        link.pong(0)
      }
      for socket in 0...1 { link.receive(socket) }
    }
  }

  @Test("After two lost answers a socket is closed within 135 s, because all further ones seem to be late")
  func lostAnswers() {
    var link = Link()
    var pings = 0
    for second in 1...135 {
      let actions = link.advance(by: .seconds(1))
      if !MachineRun.states(actions).isEmpty {
        #expect(actions.contains(.close(link: link.sockets[0])) && second > 120)
        return
      }
      if link.pings(1, actions) { link.pong(1) }
      if link.pings(0, actions) {
        pings += 1
        if pings > 2 { link.pong(0) }
      }
      for socket in 0...1 { link.receive(socket) }
      if second > 20 { #expect(link.grade == .silent, "second \(second)") }
    }
    Issue.record("not closed")
  }

  @Test("A PONG without a PING answers no later PING")
  func unexpectedPong() {
    var link = Link()
    link.pong(0)
    for second in 1...13 {
      let actions = link.advance(by: .seconds(1))
      for socket in 0...1 { link.receive(socket) }
      if link.pings(1, actions) { link.pong(1) }
      #expect(link.delay == .seconds(max(0, second - 5)))
    }
    link.pong(0)
    #expect(link.delay == .seconds(8))
    link.pong(0)
    #expect(link.delay == .zero)
  }

  @Test(
    "With any delays, prices older than 12 s are not live, and prices older than 16 s are locked",
    arguments: Laws.seeds(50))
  func law(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    var link = Link()
    // The data in transit on each socket: updates and answers.
    var queues: [[(sent: Duration, isPong: Bool)]] = [[], []]
    // The time at which the newest received data of each socket was sent.
    var newest = [Duration.zero, .zero]
    var rates = [2, 2]
    var liveSteps = 0
    defer { #expect(liveSteps > 0, "seed \(seed)") }
    for _ in 0..<800 {
      let actions = link.advance(by: .milliseconds(250))
      if !MachineRun.states(actions).isEmpty { return }
      for socket in 0...1 {
        if link.pings(socket, actions) { queues[socket].append((link.run.uptime, true)) }
        queues[socket].append((link.run.uptime, false))
        if Int.random(in: 0..<20, using: &random) == 0 { rates[socket] = Int.random(in: 1...5, using: &random) }
        for item in queues[socket].prefix(Int.random(in: 0...rates[socket], using: &random)) {
          queues[socket].removeFirst()
          newest[socket] = item.sent
          if item.isPong { link.pong(socket) } else { link.receive(socket) }
        }
      }
      if link.grade == .sound { liveSteps += 1 }
      let age = link.run.uptime - min(newest[0], newest[1])
      if age >= .seconds(12) { #expect(link.grade != .sound, "seed \(seed)") }
      if age >= .seconds(16) { #expect(link.grade == .silent, "seed \(seed)") }
    }
  }
}
