import Dashboard
import Dispatch
import FeedClient
import Platform
import TerminalCurses

/// Keeps a board's session: on the disk at most once in some seconds, and in any case when the program ends, even by a
/// signal.
final class SessionSaver: Sendable {
  private static let interval = DispatchTimeInterval.seconds(3)

  private struct State {
    /// Not on the disk yet.
    var waiting: [UInt8]?
    /// What is waiting is about to be written.
    var isDue = false
  }

  let file: SessionFile
  private let state = Locked(State())
  private let queue = DispatchQueue(label: "toteboard.session")

  init(_ file: SessionFile) {
    self.file = file
    // A signal's handler has no time for that.
    try? PrivateFile.makeDirectory(file.directory)
  }

  /// Keeps a session, in place of one that waits.
  func keep(_ session: BoardSession) {
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

  /// Returns when all is on the disk.
  func finish() async {
    await withCheckedContinuation { continuation in
      queue.async {
        self.write()
        continuation.resume()
      }
    }
    SignalSafeSave.set(nil, at: file.path)
  }

  /// On the queue. NB: what cannot be written is lost; the board is not worse for it.
  private func write() {
    let bytes = state.withLock { state in
      defer { state = State() }
      return state.waiting
    }
    if let bytes { try? file.write(bytes) }
  }
}
