import Dashboard
import Dispatch
import Platform
import TerminalCurses

/// Writes the dashboard's session, at most once per interval, and at the end of the program, even by a signal.
final class SessionSaver: Sendable {
  private static let interval = DispatchTimeInterval.seconds(3)

  private struct State {
    /// The session that is not yet on disk.
    var waiting: BoardSession?
    /// True if a write is scheduled.
    var isDue = false
    /// Formats the text that is written at a signal.
    var text = SessionText()
    /// The watch lists as this board last read or wrote them.
    var known: [WatchList] = []
    /// The watch lists in the file when it was last read or written, with those of other boards.
    var onDisk: [WatchList] = []
  }

  let file: SessionFile
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.session")

  init(_ file: SessionFile) {
    self.file = file
    // The directory must exist beforehand, because a signal handler cannot create it.
    try? PrivateFile.makeDirectory(file.directory)
  }

  /// Returns the session that an earlier run saved; nil if there is none.
  func read() throws(SessionFileError) -> BoardSession? {
    let session = try file.read()
    state.withLock { state in
      state.known = session?.watchLists ?? []
      state.onDisk = state.known
    }
    return session
  }

  /// Reads the watch lists of the file, for a board that begins without the saved session: it must not remove them.
  func readOthers() {
    let lists = (try? file.read())?.watchLists ?? []
    state.withLock { $0.onDisk = lists }
  }

  /// Schedules a session to be written, in place of a pending one.
  func schedule(_ session: BoardSession) {
    let isDue = state.withLock { state in
      var last = session
      last.watchLists = session.watchLists.merged(since: state.known, with: state.onDisk)
      SignalSafeSave.set(state.text.toml(last), at: file.path)
      state.waiting = session
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
    let (session, known) = state.withLock { state in
      defer {
        state.waiting = nil
        state.isDue = false
      }
      return (state.waiting, state.known)
    }
    guard let session, let written = try? file.write(session, since: known) else { return }
    state.withLock { state in
      state.known = session.watchLists
      state.onDisk = written.watchLists
      // The text that is written at a signal is out of date.
      if state.waiting == nil { SignalSafeSave.set(nil, at: file.path) }
    }
  }
}
