import FeedServer
import TestSupport
import Testing

@testable import FeedFanOut

/// The client of a gateway behind NATS, which delays every message by a constant time, and a book that plays a feed or
/// passes one on.
private struct DelayedCluster {
  enum Fault: CaseIterable {
    /// The upstream link of a book that passes a feed on is cut.
    case upstream
    /// The topic gets no message any more, and no dump.
    case silence
    /// Messages of the topic arrive, but one is missing, and no dump comes.
    case gap
  }

  private enum Content {
    case heartbeat(age: Duration)
    /// A message of the topic.
    case update(isMissing: Bool)
    case ended
    case echo(UInt64)
  }

  private struct Message {
    let content: Content
    let sent: Duration
    let arrival: Duration
  }

  private static let step = Duration.milliseconds(50)
  private static let identity = BookIdentity(epoch: 1, book: 7)
  private static let pingInterval = 5000
  private static let limits = RelayLimits()

  let fault: Fault
  let faultTime: Duration
  private(set) var now = Duration.zero
  private let isRelay: Bool
  /// The delays from the book to NATS, from NATS to the gateway, from the gateway to NATS, and of answers and messages
  /// from upstream.
  private let bookDelay: Duration
  private let down: Duration
  private let up: Duration
  private let answerDelay: Duration
  private let checkPhase: Int
  private let timing = GatewayTiming()

  // The book.
  private var lastSign = Duration.zero
  /// The time of the last answered ping.
  private var completeUntil = Duration.zero
  private var hasEnded = false
  private var messages: [Message] = []

  // The gateway.
  private var echo: EchoMonitor
  private var presence: BookPresence
  private var topic: TopicAge
  private var isCurrent = true
  /// The time at which the book sent the last message that clients got.
  private var clientTime = Duration.zero
  private var wasHeard = false
  /// True if the clients' prices are live.
  private(set) var isLive = false

  init(_ random: inout SeededRandom) {
    func delay(below limit: Int) -> Duration { .milliseconds(Int.random(in: 0..<limit, using: &random)) }
    isRelay = random.chance(0.6)
    fault = isRelay && random.chance(0.6) ? .upstream : random.chance(0.5) ? .silence : .gap
    faultTime = .seconds(15) + delay(below: 10_000)
    // With a longer delay, the book would lose its lease.
    bookDelay = delay(below: 900)
    let echoDelay = delay(below: random.chance(0.5) ? 4000 : 500)
    down = random.chance(0.5) ? echoDelay : echoDelay * Double.random(in: 0...1, using: &random)
    up = echoDelay - down
    answerDelay = delay(below: random.chance(0.5) ? 5000 : 200)
    checkPhase = Int.random(in: 0..<5, using: &random)
    echo = EchoMonitor(interval: timing.echoInterval, timeout: timing.echoTimeout)
    presence = BookPresence(timeout: .seconds(3), maxAge: timing.dataTimeout)
    topic = TopicAge(timing: timing, age: .zero, now: .zero)
  }

  /// True if no price becomes too old without the fault.
  var isFast: Bool { up + down + (isRelay ? answerDelay + .seconds(1) : .zero) < .milliseconds(3900) }

  /// The age of the clients' data: the time since the book sent it, or since the upstream link was cut if that is
  /// longer, and the time that it took from the upstream feed.
  var age: Duration {
    now - (fault == .upstream ? min(clientTime, faultTime) : clientTime) + (isRelay ? answerDelay : .zero)
  }

  /// The time that messages take from the book to the client.
  var delay: Duration { bookDelay + down }

  mutating func advance() {
    now += Self.step
    let tick = Int(now / Self.step)
    if isRelay { ping() }
    if tick.isMultiple(of: 5), !hasEnded { publish(second: tick.isMultiple(of: 20)) }
    for message in messages where message.arrival <= now { receive(message) }
    messages = messages.filter { $0.arrival > now }
    if tick % 5 == checkPhase { check() }
  }

  /// Receives the answers to the pings that the book sends upstream, unless they arrive after the fault. As in a
  /// relay, the last sign of life is the arrival of an answer, and the age is counted from its ping.
  private mutating func ping() {
    guard now >= answerDelay else { return }
    let milliseconds = Int((now - answerDelay) / .milliseconds(1))
    let arrival = Duration.milliseconds(milliseconds / Self.pingInterval * Self.pingInterval) + answerDelay
    if fault == .upstream, arrival >= faultTime { return }
    lastSign = max(lastSign, arrival)
    completeUntil = max(completeUntil, arrival - answerDelay)
  }

  private mutating func publish(second: Bool) {
    let age = isRelay ? now - completeUntil : .zero
    if age >= Self.limits.maxDataAge || isRelay && now - lastSign >= Self.limits.silence {
      hasEnded = true
      return send(.ended, after: bookDelay + down)
    }
    send(.heartbeat(age: age), after: bookDelay + down)
    if second, fault != .silence || now < faultTime {
      send(.update(isMissing: fault == .gap && now >= faultTime), after: bookDelay + down)
    }
  }

  private mutating func send(_ content: Content, after delay: Duration) {
    messages.append(Message(content: content, sent: now, arrival: now + delay))
  }

  private mutating func receive(_ message: Message) {
    switch message.content {
    case .heartbeat(let age):
      let frame = FeedFrame(.heartbeat, Self.identity, offset: 1, count: UInt16(age.milliseconds))
      let change = presence.receive(frame.identity, age: frame.age + echo.messageDelay(now: now), now: now)
      note(change)
    case .update(let isMissing):
      if isMissing { isCurrent = false }
      topic.receive(isStale: !isCurrent, age: presence.age(now: now), now: now)
      if isCurrent { clientTime = message.sent }
    case .ended: isLive = false
    case .echo(let number):
      echo.receive(number, now: now)
      note(presence.setLate(echo.isLate))
    }
  }

  private mutating func check() {
    if let number = echo.advance(to: now, connection: 1) { send(.echo(number), after: up + down) }
    note(presence.setLate(echo.isLate))
    note(presence.advance(to: now))
    guard presence.isPresent else { return }
    let (asks, isLost) = topic.check(isOpen: true, isCurrent: isCurrent, age: presence.age(now: now), now: now)
    // No dump comes.
    if asks { isCurrent = false }
    if isLost { isLive = false }
  }

  /// Follows the changes of the book. Clients connect once and open the topic, when the book is first heard.
  private mutating func note(_ change: BookPresence.Change?) {
    switch change {
    case .found:
      if wasHeard { return }
      (wasHeard, isLive) = (true, true)
      topic = TopicAge(timing: timing, age: presence.age(now: now), now: now)
    case .lost, .late: isLive = false
    case .replaced, nil: break
    }
  }
}

@Suite struct DataAgeLawTests {
  @Test("With any constant delay that a gateway accepts, no price is live that is older than 11 s")
  func law() {
    var (ends, slow) = ([DelayedCluster.Fault: Int](), 0)
    for seed in Laws.seeds(300) {
      var random = SeededRandom(seed: seed)
      var cluster = DelayedCluster(&random)
      while cluster.now < cluster.faultTime + .seconds(20) {
        cluster.advance()
        if cluster.now < .seconds(10) { continue }
        if cluster.isLive, cluster.age > .seconds(11) {
          Issue.record("seed \(seed): a price is \(cluster.age) old after \(cluster.fault)")
          break
        }
        if !cluster.isLive, cluster.isFast, cluster.now < cluster.faultTime {
          Issue.record("seed \(seed): no price is live at \(cluster.now), before the fault")
          break
        }
      }
      #expect(!cluster.isLive, "seed \(seed)")
      ends[cluster.fault, default: 0] += 1
      if cluster.delay > .milliseconds(2500) { slow += 1 }
    }
    #expect(ends.count == DelayedCluster.Fault.allCases.count && slow > 0)
  }
}
