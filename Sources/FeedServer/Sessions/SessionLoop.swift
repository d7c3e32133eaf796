import NIOCore
import Platform

/// The sessions of one event loop. News is sent to all of them in one go; what comes meanwhile waits for the next.
///
/// After a round the loop has twice its time for what clients send, so that under load there are fewer and longer writes,
/// each some ten milliseconds later, and not a queue that grows.
final class SessionLoop: Sendable {
  private struct Schedule {
    var isDue = false
    /// Not before then.
    var next = NIODeadline.now()
  }

  /// A client waits no longer for the next round.
  private static let longestPause = TimeAmount.milliseconds(40)

  private let eventLoop: any EventLoop
  private let schedule = Locked(Schedule())
  private let sessions: NIOLoopBoundBox<[ObjectIdentifier: SocketSession]>

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    sessions = .makeBoxSendingValue([:], eventLoop: eventLoop)
  }

  /// There is news in the logs. From any thread.
  func wake() {
    let next: NIODeadline? = schedule.withLock { schedule in
      if schedule.isDue { return nil }
      schedule.isDue = true
      return schedule.next
    }
    guard let next else { return }
    if next > .now() {
      eventLoop.scheduleTask(deadline: next) { self.sendNews() }
    } else {
      eventLoop.execute { self.sendNews() }
    }
  }

  private func sendNews() {
    schedule.withLock { $0.isDue = false }
    let start = NIODeadline.now()
    for session in sessions.value.values { session.sendNews() }
    let end = NIODeadline.now()
    schedule.withLock { $0.next = end + min(2 * (end - start), Self.longestPause) }
  }

  /// On the event loop.
  func add(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = session }

  /// On the event loop.
  func remove(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = nil }
}
