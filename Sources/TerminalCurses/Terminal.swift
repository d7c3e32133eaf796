import CLibrary
import CTerminalGuard
import TerminalCore

/// The terminal of this process: its screen, and the loop that delivers its events.
///
/// While it is open, any end of the process restores the terminal: a signal, a trap or `exit`.
package struct Terminal {
  /// The screen; only for the thread that runs the loop.
  package let screen: CursesScreen
  /// The source of keys and resizes, and the executor of the dashboard.
  package let loop: TerminalLoop

  /// Takes over the terminal's screen. At most one terminal may be open in a process.
  ///
  /// Reads events from the terminal itself, so that standard input is free for a feed.
  ///
  /// - Parameter environment: The variables `TERM`, those that identify the terminal (`TerminalTraits`), and
  ///   `SWIFT_BACKTRACE`: if set, a crash prints a backtrace after the terminal is restored.
  /// - Throws: `TerminalError`; the screen is then unchanged.
  package static func open(environment: [String: String]) throws(TerminalError) -> Terminal {
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
    guard let type = environment["TERM"], !type.isEmpty else { throw .typeIsUnset }
    let tty = try openTTY(O_NONBLOCK)
    let window = WindowSize(WindowSize.size(of: tty))
    do {
      let screen = try CursesScreen(type: type, tty: tty, window: window, environment: environment)
      let bell = try WakePipe()
      try acquire(tty, bell: bell, screen: screen, chainsCrashes: environment["SWIFT_BACKTRACE"] != nil)
      let loop = TerminalLoop(tty: tty, bell: bell, window: window)
      screen.beforeBlocking = loop.releaseSharedWork
      return Terminal(screen: screen, loop: loop)
    } catch {
      CLibrary.close(tty)
      throw error
    }
  }

  /// Restores the terminal and prints the collected standard error. Callable from any thread, any number of times.
  package static func close() { terminal_guard_end() }

  private static func acquire(_ tty: CInt, bell: WakePipe, screen: CursesScreen, chainsCrashes: Bool)
    throws(TerminalError)
  {
    let hasBegun = screen.enter.withUnsafeBufferPointer { enter in
      screen.leave.withUnsafeBufferPointer { leave in
        var options = terminal_guard_options(
          tty: tty, wake: bell.writeEnd, enter: enter.baseAddress, enter_count: enter.count, leave: leave.baseAddress,
          leave_count: leave.count, chains_crashes: chainsCrashes)
        return terminal_guard_begin(&options)
      }
    }
    guard hasBegun else { throw .noResources(errno: errno) }
  }
}
