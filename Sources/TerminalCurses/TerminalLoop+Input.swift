import CTerminalGuard
import Dispatch
package import Platform

/// The executor of tasks that share the thread of a terminal's loop with the board, while that thread does not block.
///
/// Otherwise their jobs, and their wait for input, are moved to a queue of the executor, which may block.
final class SharedThreadExecutor: TaskExecutor {
  // NB: safe, because the loop, which owns the executor, sets it in its initializer and nothing changes it later.
  nonisolated(unsafe) unowned var loop: TerminalLoop!
  private let queue = DispatchQueue(label: "toteboard.input")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    if !loop.share({ $0.sharedJobs.append(job) }) { move(job) }
  }

  /// Runs a job on the queue.
  func move(_ job: UnownedJob) {
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }

  /// Waits for input on the queue.
  func move(_ waiter: InputWaiter) {
    queue.async { waiter.continuation.resume(returning: waiter.input.block()) }
  }
}

/// A task that waits for input other than the terminal's.
struct InputWaiter {
  let input: AwaitedInput
  let continuation: UnsafeContinuation<ReadyInput, Never>
}

extension TerminalLoop: InputThread {
  package var tasks: any TaskExecutor { sharedExecutor }

  package func wait(for input: AwaitedInput) async -> ReadyInput {
    await withUnsafeContinuation { continuation in
      let waiter = InputWaiter(input: input, continuation: continuation)
      let isShared = share { state in
        precondition(state.inputWaiter == nil, "two tasks wait for input; give it to one")
        state.inputWaiter = waiter
      }
      if !isShared { sharedExecutor.move(waiter) }
    }
  }

  package func useOwnThread(_ isOwn: Bool) async {
    let wasOwn = state.withLock { state in
      defer { state.usesOwnThread = isOwn }
      return state.usesOwnThread
    }
    // To return from another executor, the task becomes a new job, which `enqueue` then moves to the queue.
    // NB: `Task.yield()` does not always leave the thread: it can be resumed before it has suspended the task.
    if isOwn, !wasOwn { await withTaskExecutorPreference(globalConcurrentExecutor) {} }
  }

  /// Adds work of a task for the thread. Returns false, without a change, if the thread does not run shared work now.
  func share(_ add: (inout State) -> Void) -> Bool {
    var isShared = false
    ring { state in
      isShared = !state.mayBlock && !state.usesOwnThread
      if isShared { add(&state) }
      return isShared
    }
    return isShared
  }

  /// Moves the tasks that share the thread to a thread of their own, until the board's next wait. Call on the loop's
  /// thread before it blocks or ends.
  func releaseSharedWork() {
    let (jobs, waiter) = state.withLock { state in
      defer {
        state.sharedJobs = []
        state.inputWaiter = nil
      }
      state.mayBlock = true
      return (state.sharedJobs, state.inputWaiter)
    }
    for job in jobs { sharedExecutor.move(job) }
    if let waiter { sharedExecutor.move(waiter) }
  }

  /// Resumes the task that waits for input, if a descriptor is ready or the deadline has passed.
  func resumeInput(_ ready: Int) {
    let ready = ReadyInput(data: ready & TERMINAL_POLL_DATA != 0, stop: ready & TERMINAL_POLL_STOP != 0)
    let waiter = state.withLock { state in
      let isDue = !ready.isEmpty || state.inputWaiter?.input.time.map { $0 <= .now } ?? false
      return isDue ? state.inputWaiter.take() : nil
    }
    waiter?.continuation.resume(returning: ready)
  }
}
