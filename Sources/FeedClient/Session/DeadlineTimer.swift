/// A sleep to when something is due. It wakes in time, perhaps too early too: moving what is due to later costs nothing.
package struct DeadlineTimer {
  private var number = 0
  private var until: Duration?
  private var task: Task<Void, Never>?

  package init() {}

  /// Sees to it that `ring` is called at that time or before, with the sleep's number. It returns what `fired` does.
  package mutating func set(
    for time: Duration, _ world: ClientClock, _ ring: @escaping @Sendable (_ number: Int) -> Duration?
  ) {
    if let until, until <= time { return }
    task?.cancel()
    number += 1
    until = time
    task = Task { [number] in
      var next: Duration? = time
      while let until = next {
        await world.sleep(until)
        next = ring(number)
      }
    }
  }

  /// Whether a sleep is still the one that counts.
  package func isCurrent(_ number: Int) -> Bool { until != nil && number == self.number }

  /// The sleep that counts has woken: it sleeps on until then, or is over.
  package mutating func fired(next time: Duration?) -> Duration? {
    until = time
    return time
  }

  /// Ends the sleep, and returns what is on its way to its end.
  package mutating func cancel() -> Task<Void, Never>? {
    task?.cancel()
    until = nil
    return task.take()
  }
}
