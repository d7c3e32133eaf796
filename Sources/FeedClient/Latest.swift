import Locking

/// The newest value of something, read at the reader's own pace: at most one value waits, a newer one replaces it.
public struct Latest<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let box: Box

  /// A sequence, and the end that feeds it. `onDrop` is called once, when the last iterator and sequence are gone.
  static func make(onDrop: @escaping @Sendable () -> Void) -> (sequence: Latest, feed: Feed) {
    let box = Box(onDrop: onDrop)
    return (Latest(box: box), Feed(cell: box.cell))
  }

  public func makeAsyncIterator() -> Iterator { Iterator(box: box) }

  /// Waits for a value newer than the last one it gave; nil once the observed thing is gone or the task cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    fileprivate let box: Box

    public mutating func next() async -> Value? { await box.cell.next() }
  }

  /// The feeding end. It does not keep the sequence alive.
  struct Feed: Sendable {
    fileprivate let cell: Cell

    func offer(_ value: Value) { cell.offer(value) }
    func finish() { cell.finish() }
  }

  fileprivate final class Box: Sendable {
    let cell = Cell()
    private let onDrop: @Sendable () -> Void

    init(onDrop: @escaping @Sendable () -> Void) { self.onDrop = onDrop }
    deinit { onDrop() }
  }

  fileprivate final class Cell: Sendable {
    private enum State {
      case empty
      case full(Value)
      case waiting(CheckedContinuation<Value?, Never>)
      /// No value will follow the one that may still wait here.
      case finished(Value?)
    }

    private let state = Locked(State.empty)

    func offer(_ value: Value) {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        switch state {
        case .empty, .full:
          state = .full(value)
          return nil
        case .waiting(let continuation):
          state = .empty
          return continuation
        case .finished: return nil
        }
      }
      waiting?.resume(returning: value)
    }

    func finish() {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        defer {
          if case .full(let value) = state { state = .finished(value) } else { state = .finished(nil) }
        }
        if case .waiting(let continuation) = state { return continuation }
        return nil
      }
      waiting?.resume(returning: nil)
    }

    func next() async -> Value? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let (ready, value) = state.withLock { state -> (Bool, Value?) in
            switch state {
            case .full(let value):
              state = .empty
              return (true, value)
            case .finished(let value):
              state = .finished(nil)
              return (true, value)
            case .empty where !Task.isCancelled:
              state = .waiting(continuation)
              return (false, nil)
            case .empty: return (true, nil)
            case .waiting: preconditionFailure("two tasks read one iterator: give each its own sequence")
            }
          }
          if ready { continuation.resume(returning: value) }
        }
      } onCancel: {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
          guard case .waiting(let continuation) = state else { return nil }
          state = .empty
          return continuation
        }
        waiting?.resume(returning: nil)
      }
    }
  }
}
