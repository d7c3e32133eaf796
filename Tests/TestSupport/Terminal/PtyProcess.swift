#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program on a pseudo-terminal: the leader of its own session, with the terminal as input, output and error.
///
/// NB: such a leader cannot be stopped, as it has no shell to start it again; for Ctrl-Z put `sh -mc` in between.
package final class PtyProcess: ProgramProcess {
  private let pty: Pty

  /// Starts a program; the first argument is its path. Its input is the terminal, or another open file.
  package init(_ arguments: [String], on pty: Pty, environment: [String: String], input: CInt? = nil) throws {
    self.pty = pty
    let id = try ProgramProcess.spawn(arguments, environment: environment) { actions in
      // A session leader that opens a terminal gets it as its controlling terminal.
      posix_spawn_file_actions_addopen(&actions, 0, pty.path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    }
    super.init(id: id)
  }

  /// Reads the terminal's output until the program ends, and then the rest. Returns nil if it does not end in time.
  package override func wait(within limit: Duration = .seconds(20)) -> TerminationStatus? {
    let status = super.wait(within: limit)
    pty.readAvailable()
    return status
  }

  override func pause() { _ = pty.readChunk(within: .milliseconds(5)) }
}
