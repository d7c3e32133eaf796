import CTerminalGuard
import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The terminal this process was started on: its screen to paint, and the loop that brings its keys.
///
/// While it is open, whatever ends the process gives the terminal back: a signal, a trap, `exit`.
package struct Terminal {
  /// What is painted on; for the thread that runs the loop only.
  package let screen: CursesScreen
  /// Keys and resizes, and the executor of the board.
  package let loop: TerminalLoop

  /// Takes the terminal's screen, or leaves it untouched and says why not.
  ///
  /// Of the environment it reads `TERM`, what else tells which terminal that is (`TerminalTraits`), and `SWIFT_BACKTRACE`
  /// (a crash prints a backtrace, once the terminal is back). Keys come from the terminal itself: standard input is free for a feed.
  /// A process opens one at a time.
  package static func open(environment: [String: String]) throws(TerminalError) -> Terminal {
    guard isatty(STDOUT_FILENO) == 1 else { throw .outputIsNoTerminal }
    guard let type = environment["TERM"], !type.isEmpty else { throw .typeIsUnset }
    let tty = try openTTY()
    let window = WindowSize(WindowSize.size(of: tty))
    do {
      let screen = try CursesScreen(type: type, tty: tty, window: window, environment: environment)
      let bell = try WakePipe()
      try take(tty, bell: bell, screen: screen, chainsCrashes: environment["SWIFT_BACKTRACE"] != nil)
      return Terminal(screen: screen, loop: TerminalLoop(tty: tty, bell: bell, window: window))
    } catch {
      closeTTY(tty)
      throw error
    }
  }

  /// Gives the terminal back, and prints what standard error has collected; from any thread, any number of times.
  package static func close() {
    terminal_guard_end()
  }

  private static func take(_ tty: CInt, bell: WakePipe, screen: CursesScreen, chainsCrashes: Bool) throws(TerminalError)
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
