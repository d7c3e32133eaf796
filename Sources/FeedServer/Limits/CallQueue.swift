import NIOCore
import Platform

/// Makes calls one after another. A call from within another one is made after it, so that a long chain of them needs
/// no deep stack.
final class CallQueue: Sendable {
  private struct State {
    var waiting = CircularBuffer<@Sendable () -> Void>()
    var isCalling = false
  }

  private let state = Locked(State())

  /// Calls `body`, and all that is added meanwhile. If another thread makes calls at the moment, that one calls `body`.
  func perform(_ body: @escaping @Sendable () -> Void) {
    var next = state.withLock { state -> (@Sendable () -> Void)? in
      if state.isCalling {
        state.waiting.append(body)
        return nil
      }
      state.isCalling = true
      return body
    }
    while let call = next {
      call()
      next = state.withLock { state in
        let next = state.waiting.popFirst()
        if next == nil { state.isCalling = false }
        return next
      }
    }
  }
}
