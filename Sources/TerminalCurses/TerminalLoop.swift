import CTerminalGuard
import Platform
package import TerminalCore

/// An executor on the thread that calls `run()`, which wakes for keys, signals, deadlines and `wake()`.
///
/// An actor that returns this loop as its `unownedExecutor` runs on that thread, as ncurses requires. Start its task
/// with `Task(executorPreference: loop)`, so that `wait(until:)` stays on the thread too. While idle, the thread sleeps
/// in one system call. A quiet feed can be read on the thread as well (`InputThread`).
package final class TerminalLoop: SerialExecutor, TaskExecutor, TerminalInput {
  struct Waiter {
    let deadline: Duration?
    // NB: Resumed once, because it is taken out of the state for that. A checked one costs more than a wake.
    let continuation: UnsafeContinuation<[TerminalEvent], Never>
  }

  struct State {
    var jobs: [UnownedJob] = []
    var waiter: Waiter?
    /// The jobs of `tasks` for the loop's thread.
    var sharedJobs: [UnownedJob] = []
    /// The task that waits on the loop's thread for input other than the terminal's.
    var inputWaiter: InputWaiter?
    /// True from the time at which the thread is about to block until the board's next wait, and after `run()`.
    var mayBlock = false
    /// True while `tasks` are to run on a thread of their own although the loop's does not block.
    var usesOwnThread = false
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

  let sharedExecutor = SharedThreadExecutor()
  let state = Locked(State())
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
    sharedExecutor.loop = self
  }

  /// Returns the time since the loop was created, including time that the machine sleeps.
  package func now() -> Duration { clock.now - start }

  /// Stops the program if that is due. Call on the loop's thread.
  package func suspend() {
    releaseSharedWork()
    terminal_guard_stop()
  }

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

  /// Ends `run()` after the jobs that are ready have run. No task may wait for the terminal. One that waits for other
  /// input goes on on a thread of its own.
  package func stop() {
    ring { state in
      state.isStopped = true
      return true
    }
  }

  /// Runs jobs until `stop()`.
  package func run() {
    var reader = KeyReader(tty: tty)
    var jobs = ReadyJobs()
    var events: [TerminalEvent] = []
    // True if the terminal was polled since the board's last wait has ended.
    var hasPolled = false
    while true {
      switch nextStep(&jobs, hasEvents: !events.isEmpty, hasPolled: hasPolled, readerDeadline: reader.deadline) {
      case .run:
        run(&jobs)
        continue
      case .stop(let input):
        let ready = input.map { sleep(until: .zero, tty: -1, $0) } ?? 0
        guard ready & TERMINAL_POLL_STOP != 0 else { return releaseSharedWork() }
        // A feed that is stopped too ends on this thread; another one would have to be started.
        resumeInput(ready)
        continue
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
        if input != nil { resumeInput(ready) }
      }
      if resumeWaiter(&events) { hasPolled = false }
    }
  }

  private enum Step {
    case run
    case stop(AwaitedInput?)
    /// The board's wait is over.
    case endWait
    case sleep(until: Duration?, hasWaiter: Bool, AwaitedInput?)
  }

  /// The jobs that have been taken out of the state to run them.
  private struct ReadyJobs {
    var shared: [UnownedJob] = []
    var board: [UnownedJob] = []
  }

  /// Returns the next step of the thread. For `run`, swaps the jobs that are ready into `jobs`.
  private func nextStep(
    _ jobs: inout ReadyJobs, hasEvents: Bool, hasPolled: Bool, readerDeadline: Duration?
  ) -> Step {
    state.withLock { state in
      if !state.jobs.isEmpty || !state.sharedJobs.isEmpty {
        swap(&state.jobs, &jobs.board)
        swap(&state.sharedJobs, &jobs.shared)
        return .run
      }
      let input = state.inputWaiter?.input
      if state.isStopped { return .stop(input) }
      var deadline = input?.time.map { $0 - start }
      let hasWaiter = state.waiter != nil
      if hasWaiter {
        if state.isWoken || hasEvents {
          // The terminal was polled already; a wake from this thread does not need another poll.
          return hasPolled ? .endWait : .sleep(until: .zero, hasWaiter: true, input)
        }
        if let other = state.waiter?.deadline { deadline = min(other, deadline ?? other) }
        if let readerDeadline { deadline = min(readerDeadline, deadline ?? readerDeadline) }
      }
      state.isAsleep = true
      return .sleep(until: deadline, hasWaiter: hasWaiter, input)
    }
  }

  private func run(_ jobs: inout ReadyJobs) {
    // The shared jobs run before the board's, which may block: none of them must wait in `jobs` then.
    for job in jobs.shared { job.runSynchronously(on: sharedExecutor.asUnownedTaskExecutor()) }
    jobs.shared.removeAll(keepingCapacity: true)
    for job in jobs.board {
      job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: asUnownedTaskExecutor())
    }
    jobs.board.removeAll(keepingCapacity: true)
  }

  private func sleep(until deadline: Duration?, tty: CInt, _ input: AwaitedInput?) -> Int {
    let timeout = deadline.map { Int64(max(.zero, $0 - now()) / .nanoseconds(1)) } ?? -1
    var files = terminal_poll_files(tty: tty, bell: bell.readEnd, data: input?.data ?? -1, stop: input?.stop ?? -1)
    let ready = Int(terminal_poll(&files, timeout))
    _ = state.withLock { $0.endSleep() }
    if ready & TERMINAL_POLL_BELL != 0 { bell.silence() }
    return ready
  }

  /// Returns the events of the guard's bits. Both are set if a second stop request stopped the program before the first
  /// was read. `resumed` is then last, because that stop is over. If a stop is still due, another `resumed` follows it.
  static func events(of signals: UInt32) -> [TerminalEvent] {
    var events: [TerminalEvent] = []
    if signals & UInt32(TERMINAL_GUARD_STOPPING) != 0 { events.append(.suspending) }
    if signals & UInt32(TERMINAL_GUARD_RESUMED) != 0 { events.append(.resumed) }
    return events
  }

  private func drainSignals(into events: inout [TerminalEvent]) {
    let signals = terminal_guard_take_events()
    guard signals != 0 else { return }
    events += Self.events(of: signals)
    let size = WindowSize.size(of: tty)
    if size != window.size {
      window.size = size
      events.append(.resized(window.size))
    }
  }

  /// Ends the board's wait if that is due. Returns true then.
  private func resumeWaiter(_ events: inout [TerminalEvent]) -> Bool {
    let waiter = state.withLock { state -> Waiter? in
      guard let waiter = state.waiter else { return nil }
      let isDue = state.isWoken || !events.isEmpty || waiter.deadline.map { $0 <= now() } ?? false
      guard isDue else { return nil }
      state.isWoken = false
      state.waiter = nil
      return waiter
    }
    guard let waiter else { return false }
    waiter.continuation.resume(returning: events)
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
