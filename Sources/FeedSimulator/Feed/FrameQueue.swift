import OddsFeed
import Platform

/// What a connection has for its reader, and he has not pulled yet.
///
/// One reader. Whoever fills the queue looks at `isFull` first: that, not the queue, is what bounds it.
final class FrameQueue: Sendable {
  private struct State {
    var events: [FrameEvent] = []
    var reader: CheckedContinuation<[FrameEvent], Never>?
    var isOver = false
  }

  /// From here on the reader counts as behind.
  static let bound = 256

  private let state = Locked(State())

  var count: Int { state.withLock { $0.events.count } }
  var isFull: Bool { count >= Self.bound }

  /// Dropped after `end(_:)`.
  func push(_ event: FrameEvent) { push([event], isLast: false) }

  /// The last event.
  func end(_ fault: ConnectionError) { push([.closed(fault)], isLast: true) }

  private func push(_ events: [FrameEvent], isLast: Bool) {
    let reader = state.withLock { state -> CheckedContinuation<[FrameEvent], Never>? in
      guard !state.isOver else { return nil }
      state.isOver = isLast
      if state.reader == nil { state.events += events }
      return state.reader.take()
    }
    reader?.resume(returning: events)
  }

  /// Everything that is there; waits where nothing is. Empty after the last event, and where the task is cancelled.
  func read() async -> [FrameEvent] {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let events = state.withLock { state -> [FrameEvent]? in
          if !state.events.isEmpty || state.isOver || Task.isCancelled {
            defer { state.events = [] }
            return state.events
          }
          precondition(state.reader == nil, "a connection has one reader")
          state.reader = continuation
          return nil
        }
        if let events { continuation.resume(returning: events) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: [])
    }
  }
}
