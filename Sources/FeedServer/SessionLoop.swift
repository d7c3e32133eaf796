import Locking
import NIOCore

/// The sessions of one event loop. News is sent to all of them in one go; what comes meanwhile waits for the next, so that
/// under load there are fewer and longer writes.
final class SessionLoop: Sendable {
  private let eventLoop: any EventLoop
  private let isDue = Locked(false)
  private let sessions: NIOLoopBoundBox<[ObjectIdentifier: SocketSession]>

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    sessions = .makeBoxSendingValue([:], eventLoop: eventLoop)
  }

  /// There is news in the logs. From any thread.
  func wake() {
    let isFirst = isDue.withLock { isDue in
      defer { isDue = true }
      return !isDue
    }
    guard isFirst else { return }
    eventLoop.execute {
      self.isDue.withLock { $0 = false }
      for session in self.sessions.value.values { session.sendNews() }
    }
  }

  /// On the event loop.
  func add(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = session }

  /// On the event loop.
  func remove(_ session: SocketSession) { sessions.value[ObjectIdentifier(session)] = nil }
}
