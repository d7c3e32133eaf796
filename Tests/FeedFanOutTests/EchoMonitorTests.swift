import TestSupport
import Testing

@testable import FeedFanOut

/// A connection from NATS that delivers in order, with a delay that changes, and the numbers of a monitor on it.
private struct SlowLink {
  private struct Message {
    /// Nil for a message that is not one of the monitor.
    let number: UInt64?
    let sent: Duration
    let arrival: Duration
  }

  private static let step = Duration.milliseconds(50)
  /// The time from which the law calls a message slow, less than the timeout of the monitor.
  private static let slow = Duration.seconds(3)

  var monitor = EchoMonitor(interval: .seconds(1), timeout: .seconds(4))
  private(set) var now = Duration.zero
  private var messages: [Message] = []
  private var delay = 0.0
  private var trend = 0.0
  private var connection: UInt64 = 1
  /// The last time at which a message was slow, or the connection was a new one.
  private var lastSlow = Duration.zero

  /// The age of the oldest message that has not arrived.
  var age: Duration { messages.first.map { now - $0.sent } ?? .zero }
  /// The time since the last slow message.
  var calm: Duration { now - lastSlow }

  private mutating func send(_ number: UInt64?) {
    let arrival = max(now + .milliseconds(Int(delay * 1000)), messages.last?.arrival ?? .zero)
    messages.append(Message(number: number, sent: now, arrival: arrival))
  }

  mutating func advance(_ random: inout SeededRandom) {
    now += Self.step
    if random.chance(0.02) { trend = Double.random(in: -1...1, using: &random) }
    delay = min(max(0, delay + trend * 0.05), 12)
    if random.chance(0.001) {
      connection += 1
      messages = []
      lastSlow = now
    }
    while let message = messages.first, message.arrival <= now {
      messages.removeFirst()
      if now - message.sent >= Self.slow { lastSlow = now }
      if let number = message.number { monitor.receive(number, now: now) }
    }
    if age >= Self.slow { lastSlow = now }
    send(nil)
  }

  mutating func check() {
    if let number = monitor.advance(to: now, connection: connection) { send(number) }
  }
}

@Suite struct EchoMonitorTests {
  private var monitor: EchoMonitor { EchoMonitor(interval: .seconds(1), timeout: .seconds(4)) }

  @Test("On a connection whose delay changes, late messages are noticed soon, and are not reported without a reason")
  func law() {
    var (late, calm) = (0, 0)
    for seed in Laws.seeds(20) {
      var (random, link) = (SeededRandom(seed: seed), SlowLink())
      for step in 1...4000 {
        link.advance(&random)
        guard step.isMultiple(of: 5) else { continue }
        link.check()
        if link.age >= .milliseconds(5500) {
          late += 1
          #expect(link.monitor.isLate, "seed \(seed): \(link.age) at \(link.now)")
        } else if link.calm >= .seconds(6) {
          calm += 1
          #expect(!link.monitor.isLate, "seed \(seed): calm for \(link.calm) at \(link.now)")
        }
      }
    }
    #expect(late > 0 && calm > 0)
  }

  @Test("A number is sent each second; one that takes 4 s is late, until another one comes back in less")
  func timeout() {
    var monitor = monitor
    #expect(monitor.advance(to: .zero, connection: 0) == 1)
    #expect(monitor.advance(to: .milliseconds(999), connection: 0) == nil)
    #expect(monitor.delay(now: .seconds(1)) == nil)
    monitor.receive(1, now: .milliseconds(300))
    #expect(monitor.delay(now: .seconds(1)) == .milliseconds(300))
    for second in 1...4 { #expect(monitor.advance(to: .seconds(second), connection: 0) == UInt64(second + 1)) }
    #expect(!monitor.isLate)
    #expect(monitor.delay(now: .seconds(4)) == .seconds(3))
    #expect(monitor.advance(to: .seconds(5), connection: 0) == 6)
    #expect(monitor.isLate)
    // The oldest ones come back after 4 s or more.
    monitor.receive(2, now: .seconds(6))
    monitor.receive(3, now: .seconds(6))
    #expect(monitor.isLate)
    monitor.receive(5, now: .seconds(7))
    #expect(!monitor.isLate)
    #expect(monitor.delay(now: .seconds(7)) == .seconds(3))
    // Another one that is no longer awaited, or never was, says nothing.
    for number in [4, 5, 99] as [UInt64] { monitor.receive(number, now: .seconds(60)) }
    #expect(!monitor.isLate)
  }

  @Test("A pause of the process is no delay: only numbers that are under way count")
  func pause() {
    var monitor = monitor
    #expect(monitor.advance(to: .zero, connection: 0) == 1)
    monitor.receive(1, now: .zero)
    #expect(monitor.advance(to: .seconds(60), connection: 0) == 2)
    #expect(!monitor.isLate)
  }

  @Test("What was sent before the connection was lost is not awaited; the first number of a new one is sent at once")
  func connections() {
    var monitor = monitor
    #expect(monitor.advance(to: .zero, connection: nil) == nil)
    #expect(monitor.advance(to: .zero, connection: 0) == 1)
    #expect(monitor.advance(to: .milliseconds(100), connection: 1) == 2)
    monitor.receive(1, now: .seconds(9))
    #expect(monitor.advance(to: .milliseconds(200), connection: nil) == nil)
    #expect(monitor.advance(to: .seconds(60), connection: nil) == nil)
    #expect(monitor.advance(to: .seconds(60), connection: 2) == 3)
    #expect(!monitor.isLate)
    // A delay lasts until a number shows that it is over, also on a new connection.
    _ = monitor.advance(to: .seconds(64), connection: 2)
    #expect(monitor.isLate)
    #expect(monitor.advance(to: .seconds(65), connection: 3) == 5)
    #expect(monitor.isLate)
    monitor.receive(5, now: .seconds(66))
    #expect(!monitor.isLate)
  }

  @Test("A connection on which nothing comes back is late, however many numbers were sent")
  func silence() {
    var monitor = monitor
    for second in 0..<1000 { #expect(monitor.advance(to: .seconds(second), connection: 0) != nil) }
    #expect(monitor.isLate)
    monitor.receive(1000, now: .seconds(1000))
    #expect(!monitor.isLate)
  }
}
