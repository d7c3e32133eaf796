/// The running tasks of an object, so that its end can wait for all of them.
package final class RunningTasks: Sendable {
  private struct State {
    var tasks: [UInt64: Task<Void, Never>] = [:]
    var lastNumber: UInt64 = 0
  }

  private let state = Locked(State())

  package init() {}

  /// Starts a task and keeps it until it has ended.
  package func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
    state.withLock { state in
      state.lastNumber += 1
      // NB: The task is removed under the lock, so that happens after it is added.
      let task = Task { [self, number = state.lastNumber] in
        await body()
        self.state.withLock { $0.tasks[number] = nil }
      }
      state.tasks[state.lastNumber] = task
      return task
    }
  }

  /// Cancels all tasks that are running now.
  package func cancelAll() {
    for task in state.withLock({ Array($0.tasks.values) }) { task.cancel() }
  }

  /// Returns once all tasks that are running now have ended.
  package func waitForAll() async {
    for task in state.withLock({ Array($0.tasks.values) }) { await task.value }
  }
}
