import OddsFeed
import Platform

/// What has come in on a connection and has not been read, in order.
final class FrameInbox: Sendable {
  /// What may wait unread before the peer has to.
  struct Bounds: Sendable {
    var bytes = 4 << 20
    var events = 4096
  }

  private struct State {
    var events: [FrameEvent] = []
    var bytes = 0
    var reader: CheckedContinuation<[FrameEvent], Never>?
    var isFull = false
    var isOver = false
  }

  private let bounds: Bounds
  private let state = Locked(State())

  init(bounds: Bounds) {
    self.bounds = bounds
  }

  /// True once the last event is in.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// True while more waits than may.
  var isFull: Bool { state.withLock { $0.isFull } }

  /// Adds what came, `bytes` long altogether; false where no more is to be asked of the peer for now.
  func add(_ events: [FrameEvent], bytes: Int) -> Bool {
    let (reader, ready, isFull) = state.withLock {
      state -> (CheckedContinuation<[FrameEvent], Never>?, [FrameEvent], Bool) in
      if state.isOver || events.isEmpty { return (nil, [], state.isFull) }
      if case .closed? = events.last { state.isOver = true }
      if let reader = state.reader {
        state.reader = nil
        return (reader, events, false)
      }
      state.events += events
      state.bytes += bytes
      state.isFull = state.bytes > bounds.bytes || state.events.count > bounds.events
      return (nil, [], state.isFull)
    }
    reader?.resume(returning: ready)
    return !isFull
  }

  /// Everything that waits, or else what comes next; nothing after the end, or where the task is cancelled. Calls `onRoom`
  /// where the peer had been made to wait.
  func take(onRoom: () -> Void) async -> [FrameEvent] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        let (ready, wasFull) = state.withLock { state -> ([FrameEvent]?, Bool) in
          if state.events.isEmpty, !state.isOver, !Task.isCancelled {
            state.reader = reader
            return (nil, false)
          }
          defer { (state.events, state.bytes, state.isFull) = ([], 0, false) }
          return (state.events, state.isFull)
        }
        if wasFull { onRoom() }
        if let ready { reader.resume(returning: ready) }
      }
    } onCancel: {
      let reader = state.withLock { state in
        defer { state.reader = nil }
        return state.reader
      }
      reader?.resume(returning: [])
    }
  }
}
