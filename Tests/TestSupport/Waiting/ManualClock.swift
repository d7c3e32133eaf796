package import Platform

/// A clock that the test advances. Uptime begins at zero, wall time at `wallStart`, in milliseconds since 1970.
package final class ManualClock: Sendable {
  package static let wallStart: Int64 = 1_750_000_000_000

  private struct State {
    var now = Duration.zero
    /// The sum of the steps of the wall clock.
    var step = Duration.zero
    var sleepers: [Int: (until: Duration, wake: CheckedContinuation<Void, Never>)] = [:]
    var lastNumber = 0
  }

  private let state = Locked(State())
  /// The random number of the clock, which is always the same.
  package let chance: Double
  private let sleeps = AsyncStream.makeStream(of: Duration.self)

  package init(chance: Double = 0.5) { self.chance = chance }

  /// The number of tasks that sleep now.
  package var sleepers: Int { state.withLock { $0.sleepers.count } }

  /// Returns true if a task sleeps until that uptime.
  package func isSleeping(until: Duration) -> Bool {
    state.withLock { state in state.sleepers.values.contains { $0.until == until } }
  }

  /// The end of each requested sleep.
  package var deadlines: AsyncStream<Duration> { sleeps.stream }

  package var clientClock: ClientClock {
    ClientClock(
      uptime: { self.state.withLock { $0.now } },
      wall: { Self.wallStart + Int64(self.state.withLock { $0.now + $0.step } / .milliseconds(1)) },
      sleep: { until in await self.sleep(until) }, chance: { self.chance })
  }

  /// Advances the time and wakes the tasks whose sleep has ended.
  package func advance(by duration: Duration) {
    let due = state.withLock { state in
      state.now += duration
      let due = state.sleepers.filter { $0.value.until <= state.now }
      for number in due.keys { state.sleepers[number] = nil }
      return due.values.map(\.wake)
    }
    for wake in due { wake.resume() }
  }

  /// Sets the wall clock forward, or back if the step is negative.
  package func setWallClock(by step: Duration) { state.withLock { $0.step += step } }

  private func sleep(_ until: Duration) async {
    sleeps.continuation.yield(until)
    let number = state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isOver = state.withLock { state in
          if state.now >= until || Task.isCancelled { return true }
          state.sleepers[number] = (until, continuation)
          return false
        }
        if isOver { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.sleepers.removeValue(forKey: number) }?.wake.resume()
    }
  }
}
