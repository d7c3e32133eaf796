import Platform

/// A gate that holds tasks until the test opens it, even cancelled ones.
package final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())
  private let (arrivals, arrival) = AsyncStream.makeStream(of: Void.self)

  package init() {}

  /// Returns once the gate is open.
  package func pass() async {
    arrival.yield()
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiters.append(continuation) }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  /// Returns once the given number of tasks has reached the gate since the last call.
  package func wait(for count: Int = 1) async {
    var left = count
    for await _ in arrivals {
      left -= 1
      if left == 0 { return }
    }
  }

  package func open() {
    let waiters = state.withLock { state in
      state.isOpen = true
      defer { state.waiters = [] }
      return state.waiters
    }
    for continuation in waiters { continuation.resume() }
  }

  /// Returns true if `body` waits for a task that the gate holds. Opens the gate once `body` has had time to return.
  package func isAwaited(by body: @escaping @Sendable () async -> Void) async throws -> Bool {
    let hasReturned = Locked(false)
    let task = Task {
      await body()
      hasReturned.withLock { $0 = true }
    }
    for _ in 0..<1000 { await Task.yield() }
    let isEarly = hasReturned.withLock { $0 }
    open()
    try await task.cancellableValue
    return !isEarly
  }
}
