import Platform

/// A sequence of the newest values, read at the consumer's own pace. At most one value is pending; a newer one replaces
/// it.
///
/// Not a `Mailbox`, because a value is compared, under the same lock, with the one that the reader received last: an
/// equal one neither reaches the reader nor wakes it.
public struct AsyncLatestValue<Value: Sendable>: AsyncSequence, Sendable {
  public typealias Failure = Never

  private let cell: Cell

  /// Returns a sequence and the feed that supplies it.
  ///
  /// - Parameters:
  ///   - isSame: If given, the reader never receives a value that equals the one it received last. A pending value is
  ///     withdrawn when a newer value equals the last one received.
  ///   - onDrop: Called once, after the sequence and its last iterator are deallocated.
  static func make(
    isSame: (@Sendable (Value, Value) -> Bool)? = nil, onDrop: @escaping @Sendable () -> Void
  ) -> (sequence: AsyncLatestValue, feed: Feed) {
    let cell = Cell(isSame: isSame, onDrop: onDrop)
    return (AsyncLatestValue(cell: cell), Feed(cell: WeakReference(cell)))
  }

  public func makeAsyncIterator() -> Iterator { Iterator(cell: cell) }

  /// Waits for a value newer than the last one it returned. Returns nil once the source has finished or the task is
  /// cancelled.
  public struct Iterator: AsyncIteratorProtocol {
    public typealias Failure = Never

    fileprivate let cell: Cell

    public mutating func next() async -> Value? { await cell.next() }
  }

  /// The supplying end. It retains neither the sequence nor the pending value.
  struct Feed: Sendable {
    fileprivate let cell: WeakReference<Cell>

    /// True once the sequence and its last iterator are deallocated.
    var isDropped: Bool { cell.value == nil }

    func isSame(as other: Feed) -> Bool { cell.value === other.cell.value }

    /// Offers a value to the reader. Returns true if it replaced a value that was still pending.
    @discardableResult
    func offer(_ value: Value) -> Bool { cell.value?.offer(value) ?? false }
    func finish() { cell.value?.finish() }
  }

  fileprivate final class Cell: Sendable {
    private enum Phase {
      case empty
      case full(Value)
      case waiting(CheckedContinuation<Value?, Never>)
      /// No further value will follow; the last one may still be pending.
      case finished(Value?)
    }

    private struct State {
      var phase = Phase.empty
      /// The value last given to the reader; stored only if `isSame` is set.
      var given: Value?
    }

    private let state = Locked(State())
    private let isSame: (@Sendable (Value, Value) -> Bool)?
    private let onDrop: @Sendable () -> Void

    init(isSame: (@Sendable (Value, Value) -> Bool)?, onDrop: @escaping @Sendable () -> Void) {
      self.isSame = isSame
      self.onDrop = onDrop
    }

    deinit { onDrop() }

    func offer(_ value: Value) -> Bool {
      let (waiting, isConflated) = state.withLock { state -> (CheckedContinuation<Value?, Never>?, Bool) in
        switch state.phase {
        case .empty:
          if !isGiven(value, state) { state.phase = .full(value) }
          return (nil, false)
        case .full:
          state.phase = isGiven(value, state) ? .empty : .full(value)
          return (nil, true)
        case .waiting(let continuation):
          if isGiven(value, state) { return (nil, false) }
          state.phase = .empty
          give(value, &state)
          return (continuation, false)
        case .finished: return (nil, false)
        }
      }
      waiting?.resume(returning: value)
      return isConflated
    }

    private func isGiven(_ value: Value, _ state: State) -> Bool {
      guard let isSame, let given = state.given else { return false }
      return isSame(given, value)
    }

    private func give(_ value: Value, _ state: inout State) {
      if isSame != nil { state.given = value }
    }

    func finish() {
      let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
        switch state.phase {
        case .empty: state.phase = .finished(nil)
        case .full(let value): state.phase = .finished(value)
        case .waiting(let continuation):
          state.phase = .finished(nil)
          return continuation
        case .finished: break
        }
        return nil
      }
      waiting?.resume(returning: nil)
    }

    func next() async -> Value? {
      await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          let (ready, value) = state.withLock { state -> (Bool, Value?) in
            switch state.phase {
            case .full(let value):
              state.phase = .empty
              give(value, &state)
              return (true, value)
            case .finished(let value):
              state.phase = .finished(nil)
              return (true, value)
            case .empty where !Task.isCancelled:
              state.phase = .waiting(continuation)
              return (false, nil)
            case .empty: return (true, nil)
            case .waiting: preconditionFailure("two tasks read one iterator: give each its own sequence")
            }
          }
          if ready { continuation.resume(returning: value) }
        }
      } onCancel: {
        let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
          guard case .waiting(let continuation) = state.phase else { return nil }
          state.phase = .empty
          return continuation
        }
        waiting?.resume(returning: nil)
      }
    }
  }
}
