/// The delay of what NATS delivers to this process, by numbers that the process sends to itself. A value: time comes in
/// as an argument.
///
/// On a connection that is a little too slow, heartbeats and messages keep their order and their intervals while all of
/// them arrive later and later. A number that the process sends to itself waits in the same queue.
package struct EchoMonitor: Sendable {
  private struct Sent {
    let number: UInt64
    let time: Duration
  }

  private static let maxPending = 64

  /// True from the time at which a number is late until one comes back in time.
  package private(set) var isLate = false
  /// The numbers that have not come back, oldest first.
  private var pending: [Sent] = []
  private var lastNumber: UInt64 = 0
  /// The time of the last number; nil before the first one of a connection.
  private var lastSent: Duration?
  /// The time that the last returned number took; nil before the first one of a connection.
  private var lastDelay: Duration?
  private var connection: UInt64?
  private let interval: Duration
  private let timeout: Duration

  /// - Parameters:
  ///   - interval: The time between two numbers.
  ///   - timeout: The time from which a number is late.
  package init(interval: Duration, timeout: Duration) {
    self.interval = interval
    self.timeout = timeout
  }

  /// Notes that time has passed.
  ///
  /// - Parameters:
  ///   - now: The uptime.
  ///   - connection: A number that tells connections apart; nil while there is none. What was sent on another one does
  ///     not come back.
  /// - Returns: The number to send now; nil if it is not time for one.
  package mutating func advance(to now: Duration, connection: UInt64?) -> UInt64? {
    if connection != self.connection {
      self.connection = connection
      pending = []
      lastSent = nil
      lastDelay = nil
    }
    if connection == nil { return nil }
    if let oldest = pending.first, now - oldest.time >= timeout { isLate = true }
    if let lastSent, now - lastSent < interval { return nil }
    lastSent = now
    lastNumber += 1
    if pending.count == Self.maxPending { pending.removeFirst() }
    pending.append(Sent(number: lastNumber, time: now))
    return lastNumber
  }

  /// Notes that a number came back. Those before it do not come any more, because NATS keeps the order.
  package mutating func receive(_ number: UInt64, now: Duration) {
    guard let index = pending.firstIndex(where: { $0.number == number }) else { return }
    let delay = now - pending[index].time
    pending.removeFirst(index + 1)
    lastDelay = delay
    isLate = delay >= timeout
  }

  /// Returns the time that the last returned number took, or for which the oldest one has been under way if that is
  /// longer; nil before the first number of a connection has come back, unless it is late.
  package func delay(now: Duration) -> Duration? {
    lastDelay == nil && !isLate ? nil : longest(now: now)
  }

  /// Returns the time that a message which arrives now may have taken; zero before the first number of a connection.
  package func messageDelay(now: Duration) -> Duration { longest(now: now) ?? .zero }

  private func longest(now: Duration) -> Duration? {
    [lastDelay, pending.first.map { now - $0.time }].compactMap(\.self).max()
  }
}
