import Dispatch
import Platform
import TerminalCore

/// A terminal input whose events are sent by a test.
final class ScriptedInput: TerminalInput {
  private struct State {
    var events: [TerminalEvent] = []
    var isWoken = false
    var waiting: CheckedContinuation<[TerminalEvent], Never>?
    /// The number of the current wait. The alarm of an earlier wait is ignored.
    var waitNumber = 0
  }

  private let state = Locked(State())
  private let start = ContinuousClock.now
  private let alarms = DispatchQueue(label: "toteboard.loopback.alarms")

  func now() -> Duration { ContinuousClock.now - start }

  func press(_ key: Key) { send(.key(key)) }
  func click(_ press: MousePress) { send(.mouse(press)) }
  func hangUp() { send(.hangUp) }
  func wake() { send(nil) }
  func suspend() {}

  /// Presses `q`. Returns once the board has ended. If the task is cancelled, closes the terminal, because a dialog may
  /// take the key.
  func quit(_ board: Task<Void, Never>) async {
    press(.character("q"))
    await withTaskCancellationHandler {
      await board.value
    } onCancel: {
      hangUp()
    }
  }

  func wait(until deadline: Duration?) async -> [TerminalEvent] {
    await withCheckedContinuation { continuation in
      let (events, number) = state.withLock { state -> ([TerminalEvent]?, Int) in
        state.waitNumber += 1
        if state.events.isEmpty, !state.isWoken {
          state.waiting = continuation
          return (nil, state.waitNumber)
        }
        defer { (state.events, state.isWoken) = ([], false) }
        return (state.events, state.waitNumber)
      }
      if let events { return continuation.resume(returning: events) }
      guard let deadline else { return }
      let left = max(.zero, deadline - now()) / .nanoseconds(1)
      alarms.asyncAfter(deadline: .now() + .nanoseconds(Int(min(left, 1e15)))) { [weak self] in self?.endWait(number) }
    }
  }

  private func send(_ event: TerminalEvent?) {
    let (waiting, events) = state.withLock { state -> (CheckedContinuation<[TerminalEvent], Never>?, [TerminalEvent]) in
      if let event { state.events.append(event) }
      guard state.waiting != nil else {
        state.isWoken = true
        return (nil, [])
      }
      defer { state.events = [] }
      return (state.waiting.take(), state.events)
    }
    waiting?.resume(returning: events)
  }

  private func endWait(_ number: Int) {
    let waiting = state.withLock { $0.waitNumber == number ? $0.waiting.take() : nil }
    waiting?.resume(returning: [])
  }
}

/// Runs a board's jobs on a queue of their own.
final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "toteboard.loopback.board")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
