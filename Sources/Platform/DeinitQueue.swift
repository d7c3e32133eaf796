/// A queue of the keys of deinitialized objects, filled from any thread and drained by an owner.
///
/// The owner is notified once for any number of keys, so a deinitialization does not need a task of its own.
package final class DeinitQueue<Key: Sendable>: Sendable {
  private struct State {
    var keys: [Key] = []
    var isCalled = false
  }

  private let state = Locked(State())

  package init() {}

  /// Adds a key. Returns true if the caller must notify the owner, which then calls `drainAndRearm()` until it returns
  /// an empty array.
  package func put(_ key: Key) -> Bool {
    state.withLock { state in
      state.keys.append(key)
      defer { state.isCalled = true }
      return !state.isCalled
    }
  }

  /// Removes and returns all keys. For an owner that drains without having been notified.
  package func drain() -> [Key] {
    state.withLock { state in
      defer { state.keys = [] }
      return state.keys
    }
  }

  /// Removes and returns all keys, for an owner that was notified. Once it returns an empty array, the next key
  /// notifies the owner again.
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
