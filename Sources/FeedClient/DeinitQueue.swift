import Platform

/// Keys of what has been dropped, from any thread, until the owner has taken them out. However many are dropped, the
/// owner is called once: dropping costs no task each.
final class DeinitQueue<Key: Sendable>: Sendable {
  private struct State {
    var keys: [Key] = []
    var isCalled = false
  }

  private let state = Locked(State())

  /// True where the owner has to be called, to `answer()` until that is empty.
  func put(_ key: Key) -> Bool {
    state.withLock { state in
      state.keys.append(key)
      defer { state.isCalled = true }
      return !state.isCalled
    }
  }

  /// What was dropped since the last time. For an owner that passes by uncalled.
  func take() -> [Key] {
    state.withLock { state in
      defer { state.keys = [] }
      return state.keys
    }
  }

  /// The same for an owner that was called: once it is empty, the next key calls again.
  func answer() -> [Key] {
    state.withLock { state in
      defer {
        state.isCalled = !state.keys.isEmpty
        state.keys = []
      }
      return state.keys
    }
  }
}
