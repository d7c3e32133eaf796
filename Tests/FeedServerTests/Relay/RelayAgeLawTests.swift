import OddsFeed
import OddsModel
import TestSupport
import Testing

@testable import FeedServer

/// A relay with its session, and an upstream feed behind a link that delays data and keeps its order.
private struct DelayedUpstream {
  private static let step = Duration.milliseconds(250)

  private(set) var relay = RelayMachine { 0.5 }
  private(set) var now = Duration.zero
  /// The time at which the upstream feed sent the newest data that has arrived.
  private var newest = Duration.zero
  private var pings = PingLog(interval: .seconds(5), requiresAnswers: false, at: .zero)
  private let subscription = Subscription(topic: Topic(path: "/test"), generation: 1)
  /// The data in transit: messages, and the answers to pings by their numbers.
  private var transit: [(sent: Duration, pong: UInt64?)] = []

  init() { _ = relay.receive(.state(.live), now: now) }

  /// The time for which the upstream feed may have had newer data than the relay.
  var age: Duration { now - newest }

  mutating func advance(isQuiet: Bool) {
    now += Self.step
    if now >= pings.nextAt { transit.append((now, pings.ping(at: now))) }
    if !isQuiet { transit.append((now, nil)) }
    _ = relay.advance(to: now)
  }

  /// Delivers the oldest data in transit, as far as it was sent `delay` ago.
  mutating func deliver(_ count: Int = .max, delay: Duration = .zero) {
    let due = transit.prefix(count).prefix { now - $0.sent >= delay }
    transit.removeFirst(due.count)
    for data in due {
      newest = data.sent
      if let event = report(data.pong) { _ = relay.receive(event, now: now) }
    }
  }

  /// Returns the event that the session reports; nil for an answer that is late.
  private mutating func report(_ pong: UInt64?) -> TransportEvent? {
    if let pong {
      guard pings.answer(pong, at: now), !pings.isSlow(at: now) else { return nil }
      return .alive(receivedAt: now, completeUntil: pings.completeUntil)
    }
    var frame = TransportFrame(subscription: subscription, bytes: [], delay: pings.delay(at: now), receivedAt: now)
    frame.completeUntil = pings.completeUntil
    return .frame(frame)
  }
}

struct RelayAgeLawTests {
  @Test("With any delays of the upstream link, no data is older than the relay states, and data of 11 s is lost")
  func law() {
    var (oldest, losses) = (Duration.zero, 0)
    for seed in Laws.seeds(100) {
      var random = SeededRandom(seed: seed)
      var upstream = DelayedUpstream()
      var (rate, isQuiet) = (1, false)
      for step in 0..<1200 {
        if Int.random(in: 0..<20, using: &random) == 0 { rate = Int.random(in: 0...4, using: &random) }
        if Int.random(in: 0..<50, using: &random) == 0 { isQuiet.toggle() }
        upstream.advance(isQuiet: isQuiet)
        let isFast = Int.random(in: 0..<100, using: &random) == 0
        upstream.deliver(isFast ? .max : Int.random(in: 0...rate, using: &random))
        guard upstream.relay.isAvailable else {
          losses += 1
          continue
        }
        oldest = max(oldest, upstream.age)
        if upstream.age <= upstream.relay.age(now: upstream.now), upstream.age < .seconds(11) { continue }
        Issue.record("seed \(seed), step \(step): data is \(upstream.age) old")
        break
      }
    }
    #expect(oldest > .seconds(9) && losses > 0)
  }

  @Test("On a link with a constant delay below 6 s the upstream feed is not lost", arguments: [0.0, 2, 4, 5.5])
  func constantDelay(_ seconds: Double) {
    for isQuiet in [false, true] {
      var upstream = DelayedUpstream()
      for step in 1...400 {
        upstream.advance(isQuiet: isQuiet)
        upstream.deliver(delay: .seconds(seconds))
        if step >= 80 { #expect(upstream.relay.isAvailable, "step \(step)") }
      }
    }
  }
}
