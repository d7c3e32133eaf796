import Locking
import OddsFeed

/// What the transport has made and its reader has not pulled yet.
///
/// One reader. Whoever fills the queue looks at `isFull` first: that, not the queue, is what bounds it.
final class EventQueue: Sendable {
  private struct State {
    var events: [TransportEvent] = []
    var reader: CheckedContinuation<TransportEvent?, Never>?
    var isFinished = false
  }

  /// From here on the reader counts as behind.
  static let bound = 256

  private let state = Locked(State())

  var count: Int { state.withLock { $0.events.count } }
  var isFull: Bool { count >= Self.bound }
  var isFinished: Bool { state.withLock { $0.isFinished } }

  /// Dropped after `finish()`.
  func push(_ event: TransportEvent) {
    let reader = state.withLock { state -> CheckedContinuation<TransportEvent?, Never>? in
      guard !state.isFinished else { return nil }
      if state.reader == nil { state.events.append(event) }
      return state.reader.take()
    }
    reader?.resume(returning: event)
  }

  /// The next event, or nil after `finish()`.
  func next() async -> TransportEvent? {
    await withCheckedContinuation { continuation in
      let event = state.withLock { state -> TransportEvent?? in
        if state.isFinished { return .some(nil) }
        if !state.events.isEmpty { return state.events.removeFirst() }
        precondition(state.reader == nil, "the events of a transport have one reader")
        state.reader = continuation
        return nil
      }
      if let event { continuation.resume(returning: event) }
    }
  }

  /// Ends the events. What nobody has pulled is gone.
  func finish() {
    let reader = state.withLock { state -> CheckedContinuation<TransportEvent?, Never>? in
      state.isFinished = true
      state.events = []
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }
}
