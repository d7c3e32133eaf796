import NIOCore
import Platform

/// The sessions of one event loop. A round sends new messages to all of them; messages that arrive in the meantime are
/// sent in the next round.
///
/// After each round the loop handles clients' input for twice the duration of the round, up to `longestPause`. Under
/// load this makes fewer and longer writes, each up to `longestPause` later, instead of a growing queue.
final class SessionLoop: Sendable {
  private struct Schedule {
    var isDue = false
    /// The earliest time of the next round.
    var next = NIODeadline.now()
  }

  /// The maximum pause between two rounds.
  private static let longestPause = TimeAmount.milliseconds(40)

  private let eventLoop: any EventLoop
  private let schedule = Locked(Schedule())
  private let sessions: NIOLoopBoundBox<[ObjectIdentifier: SocketSession]>

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    sessions = .makeBoxSendingValue([:], eventLoop: eventLoop)
  }

  /// Schedules a round, because a log has new messages. Callable from any thread.
  func scheduleFlush() {
    let next: NIODeadline? = schedule.withLock { schedule in
      if schedule.isDue { return nil }
      schedule.isDue = true
      return schedule.next
    }
    guard let next else { return }
    if next > .now() {
      eventLoop.scheduleTask(deadline: next) { self.flush() }
    } else {
      eventLoop.execute { self.flush() }
    }
  }

  private func flush() {
    schedule.withLock { $0.isDue = false }
    let start = NIODeadline.now()
    for session in sessions.value.values { session.flush() }
    let end = NIODeadline.now()
    schedule.withLock { $0.next = end + min(2 * (end - start), Self.longestPause) }
  }

  /// Ends all sessions, each at a random moment within a time. Callable from any thread.
  func endSessions(within time: Duration) {
    let maxDelay = Int64(time / .nanoseconds(1))
    eventLoop.execute {
      for session in self.sessions.value.values {
        let delay = TimeAmount.nanoseconds(.random(in: 0...maxDelay))
        self.eventLoop.assumeIsolated().scheduleTask(in: delay) { [weak session] in session?.shutDown() }
      }
    }
  }

  /// Adds a session. Call on the event loop only.
  func add(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = session }

  /// Removes a session. Call on the event loop only.
  func remove(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = nil }
}
