import CLibrary
import CTerminalGuard
import Dispatch
import Localization
import Platform

/// Runs the command of alerts, for each rule one process at a time. A waiting alert is replaced by a newer one of the
/// same rule and match.
final class CommandRunner: Sendable {
  /// The greatest number of processes at a time.
  private static let maxProcesses = 8
  /// The greatest number of alerts of a rule that wait. Further ones are dropped.
  private static let maxWaiting = 20

  private struct State {
    var waiting: [AlertLogEntry] = []
    /// The rules whose command runs.
    var running: Set<String> = []
    /// The processes that have not ended.
    var children: [pid_t: ChildProcess] = [:]
    /// The number of alerts dropped since the last note, by rule.
    var dropped: [String: Int] = [:]
    var isStopped = false
  }

  private let template: CommandTemplate
  private let timeout: DispatchTimeInterval
  private let environment: [String]
  private let note: @Sendable (LocalizedMessage, AlertLogEntry) -> Void
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.command", attributes: .concurrent)
  private let runs = DispatchGroup()

  /// Creates a runner.
  ///
  /// - Parameters:
  ///   - timeout: The time after which a process and its group are killed.
  ///   - environment: The environment of the processes, besides the values of the alert. Its variables with the prefix
  ///     `TOTEBOARD_` are left out, because they can be secrets.
  ///   - note: Called, on any thread, with a message about the command of an alert.
  init(
    _ template: CommandTemplate, timeout: DispatchTimeInterval = .seconds(10), environment: [String: String],
    note: @escaping @Sendable (LocalizedMessage, AlertLogEntry) -> Void
  ) {
    self.template = template
    self.timeout = timeout
    self.note = note
    self.environment = environment.filter { !$0.key.hasPrefix(CommandTemplate.variablePrefix) }.map { "\($0)=\($1)" }
  }

  /// Runs the command for an alert, at once or after those before it. Returns at once.
  func run(_ entry: AlertLogEntry) {
    state.withLock { state in
      if state.isStopped { return }
      if let index = state.waiting.firstIndex(where: { $0.rule == entry.rule && $0.matchID == entry.matchID }) {
        state.waiting[index] = entry
      } else if state.waiting.count(where: { $0.rule == entry.rule }) < Self.maxWaiting {
        state.waiting.append(entry)
      } else {
        state.dropped[entry.rule, default: 0] += 1
      }
      startWaiting(&state)
    }
  }

  /// Kills all processes and returns when they have ended, or after 0.5 s. Alerts that wait are dropped.
  func stop() {
    state.withLock { state in
      state.isStopped = true
      state.waiting = []
      for child in state.children.values { child.kill() }
    }
    // The system cannot kill some processes, such as one that waits for a broken disk.
    _ = runs.wait(timeout: .now() + .milliseconds(500))
  }

  private func startWaiting(_ state: inout State) {
    while state.running.count < Self.maxProcesses,
      let index = state.waiting.firstIndex(where: { [running = state.running] in !running.contains($0.rule) })
    {
      let entry = state.waiting.remove(at: index)
      let dropped = state.dropped.removeValue(forKey: entry.rule) ?? 0
      state.running.insert(entry.rule)
      runs.enter()
      queue.async { [self] in
        if dropped > 0 { note(LocalizedMessage(.commandDropped, dropped), entry) }
        execute(entry)
        self.state.withLock { state in
          state.running.remove(entry.rule)
          startWaiting(&state)
        }
        runs.leave()
      }
    }
  }

  /// Runs one process to its end. Blocks the thread.
  private func execute(_ entry: AlertLogEntry) {
    let program = template.source[0]
    let child: ChildProcess? = state.withLock { state in
      if state.isStopped { return nil }
      let child = ChildProcess.start(
        template.arguments(for: entry), environment: environment + CommandTemplate.variables(for: entry))
      guard let child else {
        noteFailure(program, errno, entry)
        return nil
      }
      state.children[child.id] = child
      // A board that dies by a signal ends it, too.
      terminal_will_add_group(child.id)
      return child
    }
    guard let child else { return }
    let output = CommandOutput(child.output)
    let isLate = Locked(false)
    let timer = DispatchWorkItem { [self] in
      // NB: While the process is in `children`, the system gives its id to no other process: it is not reaped yet.
      state.withLock { state in
        guard let child = state.children[child.id] else { return }
        isLate.withLock { $0 = true }
        child.kill()
      }
    }
    queue.asyncAfter(deadline: .now() + timeout, execute: timer)
    child.wait()
    timer.cancel()
    let isStopped = state.withLock { state in
      state.children[child.id] = nil
      return state.isStopped
    }
    terminal_will_remove_group(child.id)
    let exit = child.end()
    let text = output.finish()
    if isStopped { return }
    noteEnd(isLate.withLock { $0 } ? nil : exit, of: program, text, entry)
  }

  private func noteFailure(_ program: String, _ code: Int32, _ entry: AlertLogEntry) {
    let reason = LocalizedMessage.foreign(String(cString: strerror(code)))
    queue.async { [note] in note(LocalizedMessage(.commandUnstarted, program, reason), entry) }
  }

  /// Notes the end of a process, unless it has succeeded without output. `exit` is nil if it was killed after the
  /// timeout.
  private func noteEnd(_ exit: ChildProcess.Exit?, of program: String, _ output: String, _ entry: AlertLogEntry) {
    let end: LocalizedMessage
    switch exit {
    case .status(0)?, .unknown?:
      if !output.isEmpty { note(LocalizedMessage(.commandOutput, program, output), entry) }
      return
    case .status(let status)?: end = LocalizedMessage(.commandStatus, program, Int(status))
    case .signal(let number)?: end = LocalizedMessage(.commandSignal, program, Int(number))
    case nil: end = LocalizedMessage(.commandLate, program)
    }
    note(output.isEmpty ? end : LocalizedMessage(.alertOfMatch, end, output), entry)
  }
}
