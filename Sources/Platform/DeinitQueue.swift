/// Keys of what has been dropped, from any thread, until the owner has taken them out. However many are dropped, the
/// owner is called once: dropping costs no task each.
package final class DeinitQueue<Key: Sendable>: Sendable {
  private struct State {
    var keys: [Key] = []
    var isCalled = false
  }

  private let state = Locked(State())

  package init() {}

  /// True where the owner has to be called, to `drainAndRearm()` until that is empty.
  package func put(_ key: Key) -> Bool {
    state.withLock { state in
      state.keys.append(key)
      defer { state.isCalled = true }
      return !state.isCalled
    }
  }

  /// What was dropped since the last time. For an owner that passes by uncalled.
  package func drain() -> [Key] {
    state.withLock { state in
      defer { state.keys = [] }
      return state.keys
    }
  }

  /// The same for an owner that was called: once it is empty, the next key calls again.
  package func drainAndRearm() -> [Key] {
    state.withLock { state in
      defer {
        state.isCalled = !state.keys.isEmpty
        state.keys = []
      }
      return state.keys
    }
  }
}
