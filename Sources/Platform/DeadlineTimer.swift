/// A timer that wakes at or before a deadline. A later deadline costs nothing: the timer wakes early and sleeps again.
package struct DeadlineTimer {
  private var number = 0
  private var until: Duration?
  private var task: Task<Void, Never>?
  private let tasks: RunningTasks

  /// Creates a timer that is not set. Its sleeps are among `tasks`.
  package init(in tasks: RunningTasks = RunningTasks()) { self.tasks = tasks }

  /// Ensures that `ring` is called at `time` or earlier, with the sleep's number. `ring` returns the result of `fired`.
  package mutating func set(
    for time: Duration, _ clock: ClientClock, _ ring: @escaping @Sendable (_ number: Int) -> Duration?
  ) {
    if let until, until <= time { return }
    task?.cancel()
    number += 1
    until = time
    task = tasks.start { [number] in
      var next: Duration? = time
      while let until = next {
        await clock.sleep(until)
        next = ring(number)
      }
    }
  }

  /// Returns true if the sleep with that number is the current one.
  package func isCurrent(_ number: Int) -> Bool { until != nil && number == self.number }

  /// Records that the current sleep woke, and returns `time`. The sleep goes on until then; nil ends it.
  package mutating func fired(next time: Duration?) -> Duration? {
    until = time
    return time
  }

  /// Cancels the sleep. Returns its task, which may still be running.
  @discardableResult
  package mutating func cancel() -> Task<Void, Never>? {
    task?.cancel()
    until = nil
    return task.take()
  }
}
