import TestSupport
import Testing

@testable import FeedFanOut

/// A simulated NATS connection that delivers in order with a changing delay, and a monitor of its echoes.
private struct SlowLink {
  private struct Message {
    /// Nil for a message that the monitor did not send.
    let number: UInt64?
    let sent: Duration
    let arrival: Duration
  }

  private static let step = Duration.milliseconds(50)
  /// The delay from which the test counts a message as slow, less than the timeout of the monitor.
  private static let slow = Duration.seconds(3)

  var monitor = EchoMonitor(interval: .seconds(1), timeout: .seconds(4))
  private(set) var now = Duration.zero
  private var messages: [Message] = []
  private var delay = 0.0
  private var trend = 0.0
  private var connection: UInt64 = 1
  /// The last time at which a message was slow or a new connection started.
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

  @Test("With a changing delay, late messages are detected soon and without false reports")
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

  @Test("The connection is late once an echo takes 4 s, until another echo takes less")
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
    // The oldest echoes arrive after 4 s or more.
    monitor.receive(2, now: .seconds(6))
    monitor.receive(3, now: .seconds(6))
    #expect(monitor.isLate)
    monitor.receive(5, now: .seconds(7))
    #expect(!monitor.isLate)
    #expect(monitor.delay(now: .seconds(7)) == .seconds(3))
    // Echoes that are not awaited have no effect.
    for number in [4, 5, 99] as [UInt64] { monitor.receive(number, now: .seconds(60)) }
    #expect(!monitor.isLate)
  }

  @Test("A pause of the process is not a delay if no echo is outstanding")
  func pause() {
    var monitor = monitor
    #expect(monitor.advance(to: .zero, connection: 0) == 1)
    monitor.receive(1, now: .zero)
    #expect(monitor.advance(to: .seconds(60), connection: 0) == 2)
    #expect(!monitor.isLate)
  }

  @Test("A new connection sends a number at once and does not await numbers of the previous connection")
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
    // The late state lasts until an echo arrives in time, even on a new connection.
    _ = monitor.advance(to: .seconds(64), connection: 2)
    #expect(monitor.isLate)
    #expect(monitor.advance(to: .seconds(65), connection: 3) == 5)
    #expect(monitor.isLate)
    monitor.receive(5, now: .seconds(66))
    #expect(!monitor.isLate)
  }

  @Test("A connection without any echo is late, however many numbers were sent")
  func silence() {
    var monitor = monitor
    for second in 0..<1000 { #expect(monitor.advance(to: .seconds(second), connection: 0) != nil) }
    #expect(monitor.isLate)
    monitor.receive(1000, now: .seconds(1000))
    #expect(!monitor.isLate)
  }
}
