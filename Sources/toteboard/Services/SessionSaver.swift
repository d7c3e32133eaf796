import Dashboard
import Dispatch
import Platform
import TerminalCurses

/// Writes the dashboard's session, at most once per interval, and at the end of the program, even by a signal.
final class SessionSaver: Sendable {
  private static let interval = DispatchTimeInterval.seconds(3)

  private struct State {
    /// The bytes that are not yet on disk.
    var waiting: [UInt8]?
    /// True if a write is scheduled.
    var isDue = false
  }

  let file: SessionFile
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.session")

  init(_ file: SessionFile) {
    self.file = file
    // The directory must exist beforehand, because a signal handler cannot create it.
    try? PrivateFile.makeDirectory(file.directory)
  }

  /// Schedules a session to be written, in place of a pending one.
  func schedule(_ session: BoardSession) {
    let bytes = session.toml
    SignalSafeSave.set(bytes, at: file.path)
    let isDue = state.withLock { state in
      state.waiting = bytes
      defer { state.isDue = true }
      return state.isDue
    }
    if isDue { return }
    queue.asyncAfter(deadline: .now() + Self.interval) { self.write() }
  }

  /// Returns after the last session is on disk.
  func finish() {
    // NB: On this thread, unless a write is in progress: another thread would have to be started at the end.
    queue.sync { write() }
    SignalSafeSave.set(nil, at: file.path)
  }

  /// Writes the pending session. Runs on the queue. NB: ignores errors, because a lost session does no harm.
  private func write() {
    let bytes = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    if let bytes { try? file.write(bytes) }
  }
}
