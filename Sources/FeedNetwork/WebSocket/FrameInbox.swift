import OddsFeed
import Platform

/// A queue of the events received on a connection and not read yet.
final class FrameInbox: Sendable {
  /// The limits above which reading from the peer pauses.
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

  /// True once the last event was added.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// True while the unread events exceed the bounds.
  var isFull: Bool { state.withLock { $0.isFull } }

  /// Adds events with `bytes` bytes in total. Returns false if reading from the peer is to pause.
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

  /// Returns all unread events, or waits for the next ones. Returns an empty array after the last event and if the task
  /// is cancelled. Calls `onRoom` if reading from the peer was paused.
  func drain(onRoom: () -> Void) async -> [FrameEvent] {
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
