import CTerminalGuard
package import Platform

/// The executor of tasks on the thread of a terminal's loop, other than the board's.
package final class GuestExecutor: TaskExecutor {
  // NB: safe, because the loop, which owns the executor, sets it in its initializer and nothing changes it later.
  nonisolated(unsafe) unowned var loop: TerminalLoop!

  package func enqueue(_ job: consuming ExecutorJob) {
    loop.enqueue(TerminalLoop.Job(job: UnownedJob(job), isGuest: true))
  }
}

/// A task that waits for input other than the terminal's.
struct InputWaiter {
  let data: CInt
  let stop: CInt
  let deadline: Duration?
  let continuation: UnsafeContinuation<ReadyInput, Never>
}

extension TerminalLoop: InputThread {
  package var tasks: any TaskExecutor { guests }

  package var mayBlock: Bool { state.withLock { $0.mayBlock } }

  package func waitForInput(data: CInt, stop: CInt, until time: ContinuousClock.Instant?) async -> ReadyInput {
    await withUnsafeContinuation { continuation in
      ring { state in
        precondition(state.inputWaiter == nil, "two tasks wait for input; give it to one")
        state.isShared = true
        state.inputWaiter = InputWaiter(
          data: data, stop: stop, deadline: time.map { $0 - start }, continuation: continuation)
        return true
      }
    }
  }

  /// Resumes the task that waits for input, if that has come or its time has.
  func resumeInput(_ ready: Int, now: Duration) {
    let waiter = state.withLock { state -> InputWaiter? in
      guard let waiter = state.inputWaiter else { return nil }
      let isDue = waiter.deadline.map { $0 <= now } ?? false
      let isReady = ready & (TERMINAL_POLL_DATA | TERMINAL_POLL_STOP) != 0
      return isDue || isReady ? state.inputWaiter.take() : nil
    }
    waiter?.continuation.resume(
      returning: ReadyInput(data: ready & TERMINAL_POLL_DATA != 0, stop: ready & TERMINAL_POLL_STOP != 0))
  }

  /// Makes the task that waits for input, if there is one, go on elsewhere. Returns true if there is one.
  func dismissGuests() -> Bool {
    let waiter = state.withLock { state in
      state.mayBlock = true
      return state.inputWaiter.take()
    }
    waiter?.continuation.resume(returning: [])
    return waiter != nil
  }
}
