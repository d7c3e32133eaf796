#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program on a pseudo-terminal: the leader of its own session, with the terminal as input, output and error.
///
/// NB: such a leader cannot be stopped, as it has no shell to start it again; for Ctrl-Z put `sh -mc` in between.
package final class PtyProcess {
  /// The end of a program.
  package enum TerminationStatus: Hashable {
    case exit(Int)
    case signal(Int32)

    /// Creates the end from the status of waitpid(2).
    package init(_ status: Int32) {
      // The macros of <sys/wait.h>, which Swift does not import.
      let signal = status & 0x7F
      self = signal == 0 ? .exit(Int(status >> 8 & 0xFF)) : .signal(signal)
    }
  }

  /// The id of the process, of its group and of its session.
  package let id: Int32
  private let pty: Pty
  private var terminationStatus: TerminationStatus?

  /// Starts a program; the first argument is its path. Its input is the terminal, or another open file.
  package init(_ arguments: [String], on pty: Pty, environment: [String: String], input: CInt? = nil) throws {
    self.pty = pty
    id = try Self.spawn(arguments, environment: environment) { actions in
      // A session leader that opens a terminal gets it as its controlling terminal.
      posix_spawn_file_actions_addopen(&actions, 0, pty.path, O_RDWR, 0)
      posix_spawn_file_actions_adddup2(&actions, 0, 1)
      posix_spawn_file_actions_adddup2(&actions, 0, 2)
      if let input { posix_spawn_file_actions_adddup2(&actions, input, 0) }
    }
  }

  /// Starts a program without a terminal, on open files for its input, output and error; the caller waits for it.
  package static func spawn(_ arguments: [String], files: [CInt], environment: [String: String]) throws -> Int32 {
    try spawn(arguments, environment: environment) { actions in
      for (descriptor, file) in files.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, CInt(descriptor))
      }
    }
  }

  #if os(Linux)
    private typealias FileActions = posix_spawn_file_actions_t
  #else
    private typealias FileActions = posix_spawn_file_actions_t?
  #endif

  private static func spawn(
    _ arguments: [String], environment: [String: String], opening open: (inout FileActions) -> Void
  ) throws -> Int32 {
    #if os(Linux)
      var actions = posix_spawn_file_actions_t()
      var attributes = posix_spawnattr_t()
      let newSession: Int16 = 0x80
    #else
      var actions: posix_spawn_file_actions_t?
      var attributes: posix_spawnattr_t?
      let newSession: Int16 = 0x400
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    open(&actions)
    // A program inherits only its input, output and error, and no other descriptor of the tests or their parent.
    for file in openFiles() where file > 2 { _ = fcntl(file, F_SETFD, FD_CLOEXEC) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    // The program must not inherit signals that the tests ignore, for example under nohup or `make test &`.
    for signal in [SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGTSTP, SIGPIPE] { sigaddset(&signals, signal) }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, newSession | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF))

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { (argv + envp).forEach { free($0) } }
    var id: pid_t = 0
    let result = posix_spawn(&id, arguments[0], &actions, &attributes, &argv, &envp)
    guard result == 0 else { throw Pty.SystemCallError(call: "posix_spawn \(arguments[0])", errno: result) }
    return id
  }

  /// Returns the open files of this process, which are few compared to the limit.
  private static func openFiles() -> [CInt] {
    guard let directory = opendir("/dev/fd") else { return Array(3..<getdtablesize()) }
    defer { closedir(directory) }
    var files: [CInt] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if let file = CInt(name) { files.append(file) }
    }
    return files
  }

  deinit {
    guard terminationStatus == nil else { return }
    kill(-id, SIGKILL)
    waitpid(id, nil, 0)
  }

  /// Sends a signal only to the program. Has no effect after `wait` has returned its end: another process may have its
  /// id then.
  package func send(_ signal: Int32) {
    if terminationStatus == nil { kill(id, signal) }
  }

  /// Reads the terminal's output until the program ends, and then the rest. Returns nil if it does not end in time.
  package func wait(within limit: Duration = .seconds(20)) -> TerminationStatus? {
    let end = ContinuousClock.now + limit
    while terminationStatus == nil, ContinuousClock.now < end {
      // The end of a program causes no event here, so poll.
      _ = pty.readChunk(within: .milliseconds(5))
      terminationStatus = reap()
    }
    pty.readAvailable()
    return terminationStatus
  }

  private func reap() -> TerminationStatus? {
    var status: CInt = 0
    guard waitpid(id, &status, WNOHANG) == id else { return nil }
    return TerminationStatus(status)
  }
}
