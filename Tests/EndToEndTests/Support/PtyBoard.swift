import TerminalCore
import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The board on a pseudo-terminal, with a screen that shows its output and, optionally, a feed to write to.
final class PtyBoard {
  let pty: Pty
  let process: PtyProcess
  /// The terminal's modes before the program began.
  let modes: [UInt8]
  private(set) var screen: VTermScreen
  private var feed: CInt = -1
  private var processedCount = 0

  /// A board on the simulated feed, slow unless the arguments say otherwise.
  static func simulated(
    _ arguments: String..., size: Size = Size(rows: 24, columns: 80), environment: [String: String?] = [:]
  ) throws -> PtyBoard {
    try PtyBoard(["--rate", "0.1"] + arguments, size: size, environment: environment)
  }

  /// A board on `--feed -`, which `send` writes to.
  static func withFeed(
    _ lines: String..., arguments: [String] = [], environment: [String: String?] = [:]
  ) throws -> PtyBoard {
    let pipe = openPipe()
    defer { close(pipe.read) }
    let board = try PtyBoard(["--feed", "-"] + arguments, environment: environment, input: pipe.read)
    board.feed = pipe.write
    for line in lines { board.send(line) }
    return board
  }

  /// A board that a shell starts. When the board stops, the shell prints the status, waits for a line and continues it.
  static func underShell(_ arguments: String...) throws -> PtyBoard {
    let script =
      "\(([Program.path, "--rate", "0.1"] + arguments).joined(separator: " ")); echo \"[stopped $?]\"; read go; fg; echo \"[ended $?]\""
    return try PtyBoard(["-mc", script], program: "/bin/sh", size: Size(rows: 24, columns: 80))
  }

  init(
    _ arguments: [String], program: String = Program.path, size: Size = Size(rows: 24, columns: 80),
    environment: [String: String?] = [:], input: CInt? = nil
  ) throws {
    pty = try Pty(size: size)
    modes = pty.modes
    screen = VTermScreen(size: size)
    process = try PtyProcess(
      [program] + arguments, on: pty, environment: Program.environment(with: environment), input: input)
  }

  deinit { endFeed() }

  /// Sends a line. Returns false if the program does not read in time.
  @discardableResult
  func send(_ line: String) -> Bool { sendBytes(line + "\n", to: feed) }

  /// Returns false if the program does not read in time what was sent.
  func waitUntilFeedIsRead() -> Bool { waitUntilRead(feed, within: Program.timeout) }

  func endFeed() {
    if feed >= 0 { close(feed) }
    feed = -1
  }

  func type(_ keys: String) { pty.type(keys) }

  func resize(to size: Size) {
    screen.resize(to: size)
    pty.resize(to: size)
  }

  /// Waits until the screen fulfils the condition. Returns false if it does not in time.
  func wait(until isRight: (VTermScreen) -> Bool, within limit: Duration = Program.timeout) -> Bool {
    pty.read(within: limit) { output in
      screen.feed(output[processedCount...])
      processedCount = output.count
      return isRight(screen)
    }
  }

  /// Presses and releases the mouse's left button, or turns its wheel (64 up, 65 down).
  func click(_ row: Int, _ column: Int, button: Int = 0) {
    type("\u{1B}[<\(button);\(column + 1);\(row + 1)M" + (button == 0 ? "\u{1B}[<0;\(column + 1);\(row + 1)m" : ""))
  }

  /// Returns the number of times that a text was sent.
  func count(of text: String) -> Int {
    pty.readAvailable()
    return pty.text.unicodeScalars.split(
      separator: Array(text.unicodeScalars), omittingEmptySubsequences: false
    ).count - 1
  }

  /// Waits for the first matches.
  func waitForMatches() -> Bool { wait { !$0.matches.isEmpty && !$0.counters.isEmpty && !$0.hints.isEmpty } }

  /// Discards the output so far and clears the screen, which then shows only later output.
  func discardOutput() {
    pty.readAvailable()
    pty.discardOutput()
    processedCount = 0
    screen = VTermScreen(size: screen.size)
  }

  /// Waits for the end of the program.
  func terminationStatus() -> PtyProcess.TerminationStatus? { process.wait(within: Program.timeout) }

  /// Returns true if the program writes nothing within that time.
  func isSilent(for time: Duration) -> Bool {
    let before = pty.output.count
    return !pty.read(within: time) { $0.count > before }
  }
}
