import CTerminalGuard
import Platform
package import TerminalCore

/// An executor on the thread that calls `run()`, which wakes for keys, signals, deadlines and `wake()`.
///
/// An actor that returns this loop as its `unownedExecutor` runs on that thread, as ncurses requires. Start its task
/// with `Task(executorPreference: loop)`, so that `wait(until:)` stays on the thread too. While idle, the thread sleeps
/// in one system call.
package final class TerminalLoop: SerialExecutor, TaskExecutor, TerminalInput {
  private struct Waiter {
    let deadline: Duration?
    let continuation: CheckedContinuation<[TerminalEvent], Never>
  }

  private struct State {
    var jobs: [UnownedJob] = []
    var waiter: Waiter?
    /// True if `wake()` was called since the last wait ended.
    var isWoken = false
    var isStopped = false
    /// True if the thread is in poll(2), or about to be, and no ring has ended the sleep. The first ring resets it, so
    /// that a thousand wakes ring once, and calls from the loop's own thread never ring.
    var isAsleep = false

    mutating func endSleep() -> Bool {
      defer { isAsleep = false }
      return isAsleep
    }
  }

  private let state = Locked(State())
  private let tty: CInt
  private let bell: WakePipe
  private let window: WindowSize
  private let clock = ContinuousClock()
  private let start: ContinuousClock.Instant

  package init(tty: CInt, bell: WakePipe, window: WindowSize) {
    self.tty = tty
    self.bell = bell
    self.window = window
    start = clock.now
  }

  /// Returns the time since the loop was created, including time that the machine sleeps.
  package func now() -> Duration { clock.now - start }

  /// Stops the program if that is due. Call on the loop's thread.
  package func suspend() { terminal_guard_stop() }

  /// Enqueues a job for the loop's thread. Makes no system call if called on that thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    ring { state in
      state.jobs.append(job)
      return true
    }
  }

  /// Returns the executor for actors that run on the loop's thread.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Suspends until there are events, a wake or the deadline. Only one task may wait at a time.
  package func wait(until deadline: Duration?) async -> [TerminalEvent] {
    await withCheckedContinuation { continuation in
      ring { state in
        precondition(state.waiter == nil, "two tasks wait for the terminal; give it to one")
        state.waiter = Waiter(deadline: deadline, continuation: continuation)
        return true
      }
    }
  }

  /// Ends the current wait, or the next one immediately. Several calls before that have the effect of one.
  package func wake() {
    ring { state in
      state.isWoken = true
      // Without a waiter, the next wait sees `isWoken`.
      return state.waiter != nil
    }
  }

  /// Ends `run()` after the jobs that are ready have run. No task may be waiting.
  package func stop() {
    ring { state in
      state.isStopped = true
      return true
    }
  }

  /// Runs jobs until `stop()`.
  package func run() {
    var reader = KeyReader(tty: tty)
    var batch: [UnownedJob] = []
    var events: [TerminalEvent] = []
    while true {
      runJobs(&batch)
      switch fallAsleep(hasEvents: !events.isEmpty, readerDeadline: reader.deadline) {
      case .not: continue
      case .ever: return
      case .until(let deadline, let hasWaiter):
        // Without a waiter, input stays in the terminal's queue.
        let ready = sleep(until: deadline, listensTo: hasWaiter && !reader.isAtEnd ? tty : -1)
        let now = now()
        if ready & TERMINAL_POLL_TTY != 0 {
          let sent = reader.drain(now: now, isAsking: terminal_guard_is_asking())
          if sent.contains(.answer(.end)) { terminal_guard_answered() }
          events += sent
        }
        events += reader.resolve(now: now)
        drainSignals(into: &events)
        resumeWaiter(&events, now: now)
      }
    }
  }

  private enum Sleep {
    case not, ever
    case until(Duration?, hasWaiter: Bool)
  }

  private func runJobs(_ batch: inout [UnownedJob]) {
    state.withLock { swap(&$0.jobs, &batch) }
    for job in batch {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func fallAsleep(hasEvents: Bool, readerDeadline: Duration?) -> Sleep {
    state.withLock { state in
      if !state.jobs.isEmpty { return .not }
      if state.isStopped { return .ever }
      guard let waiter = state.waiter else {
        state.isAsleep = true
        return .until(nil, hasWaiter: false)
      }
      if state.isWoken || hasEvents { return .until(.zero, hasWaiter: true) }
      state.isAsleep = true
      guard let deadline = waiter.deadline, let readerDeadline else {
        return .until(waiter.deadline ?? readerDeadline, hasWaiter: true)
      }
      return .until(min(deadline, readerDeadline), hasWaiter: true)
    }
  }

  private func sleep(until deadline: Duration?, listensTo tty: CInt) -> Int {
    let timeout = deadline.map { Int64(max(.zero, $0 - now()) / .nanoseconds(1)) } ?? -1
    let ready = Int(terminal_poll(tty, bell.readEnd, timeout))
    _ = state.withLock { $0.endSleep() }
    if ready & TERMINAL_POLL_BELL != 0 { bell.silence() }
    return ready
  }

  private func drainSignals(into events: inout [TerminalEvent]) {
    let signals = terminal_guard_take_events()
    guard signals != 0 else { return }
    if signals & UInt32(TERMINAL_GUARD_RESUMED) != 0 { events.append(.resumed) }
    if signals & UInt32(TERMINAL_GUARD_STOPPING) != 0 { events.append(.suspending) }
    let size = WindowSize.size(of: tty)
    if size != window.size {
      window.size = size
      events.append(.resized(window.size))
    }
  }

  private func resumeWaiter(_ events: inout [TerminalEvent], now: Duration) {
    let waiter = state.withLock { state -> Waiter? in
      guard let waiter = state.waiter else { return nil }
      let isDue = waiter.deadline.map { $0 <= now } ?? false
      guard isDue || state.isWoken || !events.isEmpty else { return nil }
      state.waiter = nil
      state.isWoken = false
      return waiter
    }
    guard let waiter else { return }
    waiter.continuation.resume(returning: events)
    events.removeAll(keepingCapacity: true)
  }

  /// Changes the state and wakes the thread if the change returns true and the thread sleeps.
  private func ring(_ change: (inout sending State) -> Bool) {
    let wasAsleep = state.withLock { state in
      change(&state) && state.endSleep()
    }
    if wasAsleep { bell.ring() }
  }
}
