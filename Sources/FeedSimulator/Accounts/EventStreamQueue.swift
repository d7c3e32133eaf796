import AccountModel
import OddsFeed
package import OddsModel
import Platform

/// The unread bytes of an account stream, up to a maximum.
///
/// The queue has one reader and any number of writers.
package final class EventStreamQueue: EventStreamConnection {
  private struct State {
    var bytes: [UInt8] = []
    var reader: CheckedContinuation<[UInt8]?, Never>?
    var isOver = false
  }

  private let bound: Int
  private let onEnd: @Sendable () -> Void
  private let state = Locked(State())

  /// Creates a queue of at most `bound` unread bytes. `onEnd` is called on `close()` and on deinitialization, so it can
  /// be called more than once.
  package init(bound: Int, onEnd: @escaping @Sendable () -> Void) {
    self.bound = bound
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  /// Appends bytes. Returns false if they exceed the bound or the stream is over.
  func push(_ bytes: [UInt8]) -> Bool {
    let (reader, isTaken) = state.withLock { state -> (CheckedContinuation<[UInt8]?, Never>?, Bool) in
      guard !state.isOver, state.bytes.count + bytes.count <= bound else { return (nil, false) }
      if let reader = state.reader.take() { return (reader, true) }
      state.bytes += bytes
      return (nil, true)
    }
    reader?.resume(returning: bytes)
    return isTaken
  }

  /// Ends the stream after the unread bytes.
  func end() {
    let reader = state.withLock { state in
      state.isOver = true
      return state.reader.take()
    }
    reader?.resume(returning: nil)
  }

  package func close() {
    end()
    onEnd()
  }

  package func read() async throws(ConnectionError) -> [UInt8]? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<[UInt8]?, Never>) in
        let answer = state.withLock { state -> [UInt8]?? in
          if !state.bytes.isEmpty, !Task.isCancelled {
            defer { state.bytes = [] }
            return state.bytes
          }
          if state.isOver || Task.isCancelled { return .some(nil) }
          precondition(state.reader == nil, "a stream has one reader")
          state.reader = continuation
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      state.withLock { $0.reader.take() }?.resume(returning: nil)
    }
  }
}
