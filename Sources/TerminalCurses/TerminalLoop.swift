import CTerminalGuard
import Platform
package import TerminalCore

/// An executor on the thread that calls `run()`, which wakes for keys, signals, deadlines and `wake()`.
///
/// An actor that returns this loop as its `unownedExecutor` runs on that thread, as ncurses requires. Start its task
/// with `Task(executorPreference: loop)`, so that `wait(until:)` stays on the thread too. While idle, the thread sleeps
/// in one system call. A quiet feed can be read on the thread as well (`InputThread`).
package final class TerminalLoop: SerialExecutor, TaskExecutor, TerminalInput {
  struct Job {
    let job: UnownedJob
    /// True for a task of `tasks`, false for the board's.
    let isGuest: Bool
  }

  struct Waiter {
    let deadline: Duration?
    // NB: Resumed once, because it is taken out of the state for that. A checked one costs more than a wake.
    let continuation: UnsafeContinuation<[TerminalEvent], Never>
  }

  struct State {
    var jobs: [Job] = []
    var waiter: Waiter?
    /// The task that waits for input other than the terminal's.
    var inputWaiter: InputWaiter?
    /// True once a task has waited for input other than the terminal's.
    var isShared = false
    /// True from the time at which the terminal takes no output until the board's next wait.
    var mayBlock = false
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

  /// The executor of tasks other than the board's, which run on the thread too.
  package let guests = GuestExecutor()

  let state = Locked(State())
  private let tty: CInt
  private let bell: WakePipe
  private let window: WindowSize
  private let clock = ContinuousClock()
  let start: ContinuousClock.Instant

  package init(tty: CInt, bell: WakePipe, window: WindowSize) {
    self.tty = tty
    self.bell = bell
    self.window = window
    start = clock.now
    guests.loop = self
  }

  /// Returns the time since the loop was created, including time that the machine sleeps.
  package func now() -> Duration { clock.now - start }

  /// Stops the program if that is due. Call on the loop's thread.
  package func suspend() { terminal_guard_stop() }

  /// Enqueues a job for the loop's thread. Makes no system call if called on that thread.
  package func enqueue(_ job: consuming ExecutorJob) {
    enqueue(Job(job: UnownedJob(job), isGuest: false))
  }

  func enqueue(_ job: Job) {
    ring { state in
      state.jobs.append(job)
      return true
    }
  }

  /// Returns the executor for actors that run on the loop's thread.
  package func asUnownedSerialExecutor() -> UnownedSerialExecutor { UnownedSerialExecutor(ordinary: self) }

  /// Suspends until there are events, a wake or the deadline. Only one task may wait at a time.
  package func wait(until deadline: Duration?) async -> [TerminalEvent] {
    await withUnsafeContinuation { continuation in
      ring { state in
        precondition(state.waiter == nil, "two tasks wait for the terminal; give it to one")
        state.waiter = Waiter(deadline: deadline, continuation: continuation)
        state.mayBlock = false
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
    var batch: [Job] = []
    var events: [TerminalEvent] = []
    // True if the terminal was polled since the board's last wait has ended.
    var hasPolled = false
    while true {
      switch nextStep(&batch, hasEvents: !events.isEmpty, hasPolled: hasPolled, readerDeadline: reader.deadline) {
      case .run:
        run(&batch)
        continue
      case .stop: return
      case .endWait: break
      case .sleep(let deadline, let hasWaiter, let input):
        // Without a waiter, input stays in the terminal's queue.
        let ready = sleep(until: deadline, tty: hasWaiter && !reader.isAtEnd ? tty : -1, input)
        hasPolled = hasWaiter
        let now = now()
        if ready & TERMINAL_POLL_TTY != 0 {
          let sent = reader.drain(now: now, isAsking: terminal_guard_is_asking())
          if sent.contains(.answer(.end)) { terminal_guard_answered() }
          events += sent
        }
        events += reader.resolve(now: now)
        drainSignals(into: &events)
        if input != nil { resumeInput(ready, now: now) }
      }
      if resumeWaiter(&events) { hasPolled = false }
    }
  }

  private enum Step {
    case run, stop
    /// The board's wait is over.
    case endWait
    case sleep(until: Duration?, hasWaiter: Bool, (data: CInt, stop: CInt)?)
  }

  /// Returns what the thread does next. For `run`, swaps the jobs that are ready into `batch`.
  private func nextStep(
    _ batch: inout [Job], hasEvents: Bool, hasPolled: Bool, readerDeadline: Duration?
  ) -> Step {
    state.withLock { state in
      if !state.jobs.isEmpty {
        swap(&state.jobs, &batch)
        return .run
      }
      if state.isStopped { return .stop }
      let input = state.inputWaiter.map { (data: $0.data, stop: $0.stop) }
      var deadline = state.inputWaiter?.deadline
      let hasWaiter = state.waiter != nil
      if hasWaiter {
        if state.isWoken || hasEvents {
          // What a feed on this thread has woken needs no further look at the terminal.
          return hasPolled ? .endWait : .sleep(until: .zero, hasWaiter: true, input)
        }
        if let other = state.waiter?.deadline { deadline = min(other, deadline ?? other) }
        if let readerDeadline { deadline = min(readerDeadline, deadline ?? readerDeadline) }
      }
      state.isAsleep = true
      return .sleep(until: deadline, hasWaiter: hasWaiter, input)
    }
  }

  private func run(_ batch: inout [Job]) {
    for job in batch {
      if job.isGuest {
        job.job.runSynchronously(on: guests.asUnownedTaskExecutor())
      } else {
        job.job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
      }
    }
    batch.removeAll(keepingCapacity: true)
  }

  private func sleep(until deadline: Duration?, tty: CInt, _ input: (data: CInt, stop: CInt)?) -> Int {
    let timeout = deadline.map { Int64(max(.zero, $0 - now()) / .nanoseconds(1)) } ?? -1
    var files = terminal_poll_files(tty: tty, bell: bell.readEnd, data: input?.data ?? -1, stop: input?.stop ?? -1)
    let ready = Int(terminal_poll(&files, timeout))
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

  /// Ends the board's wait if that is due. Returns true then.
  private func resumeWaiter(_ events: inout [TerminalEvent]) -> Bool {
    let isShared: Bool? = state.withLock { state in
      if state.waiter == nil { return nil }
      let isDue = state.isWoken || !events.isEmpty || state.waiter?.deadline.map { $0 <= now() } ?? false
      return isDue ? state.isShared : nil
    }
    guard let isShared else { return false }
    // The board is about to paint. If that may block, a feed goes on elsewhere; its task is the next job.
    if isShared, !terminal_takes_output(tty), dismissGuests() { return false }
    let waiter = state.withLock { state in
      state.isWoken = false
      return state.waiter.take()
    }
    waiter?.continuation.resume(returning: events)
    events.removeAll(keepingCapacity: true)
    return true
  }

  /// Changes the state and wakes the thread if the change returns true and the thread sleeps.
  func ring(_ change: (inout sending State) -> Bool) {
    let wasAsleep = state.withLock { state in
      change(&state) && state.endSleep()
    }
    if wasAsleep { bell.ring() }
  }
}
