import NIOCore

/// The order in which an event loop reads its HTTP connections: a limited number of them in each slice of time.
///
/// An event loop handles all sockets with input before anything else. When many connections send requests at the same
/// time, it would otherwise handle all of these before it sends the updates of its sessions.
final class ReadTurns: Sendable {
  private struct State {
    var left = ReadTurns.readsOfSlice
    var sliceEnd = NIODeadline.uptimeNanoseconds(0)
    /// The calls of those that wait for a turn, the longest waiting first.
    var waiting = CircularBuffer<() -> Void>()
  }

  private static let slice = TimeAmount.milliseconds(2)
  /// The number of connections that are read in one slice.
  static let readsOfSlice = 32

  private let eventLoop: any EventLoop
  private let state: NIOLoopBoundBox<State>

  init(eventLoop: any EventLoop) {
    self.eventLoop = eventLoop
    state = .makeBoxSendingValue(State(), eventLoop: eventLoop)
  }

  /// Calls `read` at once, or in a later slice of time. Call on the event loop only.
  func whenDue(_ read: @escaping () -> Void) {
    let now = eventLoop.now
    if now >= state.value.sliceEnd, state.value.waiting.isEmpty { beginSlice(now) }
    if state.value.left > 0, state.value.waiting.isEmpty {
      state.value.left -= 1
      return read()
    }
    state.value.waiting.append(read)
    if state.value.waiting.count == 1 { scheduleSlice() }
  }

  private func beginSlice(_ now: NIODeadline) {
    state.value.left = Self.readsOfSlice
    state.value.sliceEnd = now + Self.slice
  }

  private func scheduleSlice() {
    eventLoop.assumeIsolated().scheduleTask(deadline: state.value.sliceEnd) {
      self.beginSlice(self.eventLoop.now)
      while self.state.value.left > 0, let read = self.state.value.waiting.popFirst() {
        self.state.value.left -= 1
        read()
      }
      if !self.state.value.waiting.isEmpty { self.scheduleSlice() }
    }
  }
}
