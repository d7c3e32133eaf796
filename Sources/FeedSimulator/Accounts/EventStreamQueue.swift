import AccountModel
package import OddsFeed
import Platform

/// What an account stream has for its reader, and he has not pulled yet: no more than a bound, else it ends.
///
/// One reader, and any number of writers.
package final class EventStreamQueue: EventStreamConnection {
  private struct State {
    var bytes: [UInt8] = []
    var reader: CheckedContinuation<[UInt8]?, Never>?
    var isOver = false
  }

  private let bound: Int
  private let onEnd: @Sendable () -> Void
  private let state = Locked(State())

  /// A stream of which so many bytes may wait. `onEnd` is called once when its reader closes it.
  package init(bound: Int, onEnd: @escaping @Sendable () -> Void) {
    self.bound = bound
    self.onEnd = onEnd
  }

  deinit { onEnd() }

  /// False where the reader is too far behind, or the stream is over.
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

  /// Nothing comes after what is there.
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
