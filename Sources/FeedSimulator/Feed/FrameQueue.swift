import OddsFeed
import OddsModel
import Platform

/// The queue of a connection's unread events.
///
/// The queue has one reader. It does not bound itself: a writer checks `isFull` first.
final class FrameQueue: Sendable {
  private struct State {
    var events: [FrameEvent] = []
    var reader: CheckedContinuation<[FrameEvent], Never>?
    var isOver = false
  }

  /// The number of events from which the reader counts as behind.
  static let bound = 256

  private let state = Locked(State())

  var count: Int { state.withLock { $0.events.count } }
  var isFull: Bool { count >= Self.bound }

  /// Appends an event, unless `end(_:)` was called.
  func push(_ event: FrameEvent) { push([event], isLast: false) }

  /// Appends the last event.
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

  /// Returns all unread events, or waits for the next ones. Returns an empty array after the last event and if the task
  /// is cancelled.
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
