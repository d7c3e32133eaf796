#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A program in a session of its own, on open files. It is killed with its process group when it is released.
package class ProgramProcess {
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
  private var terminationStatus: TerminationStatus?

  /// Starts a program on open files for its input, output and error; the first argument is its path.
  package init(_ arguments: [String], files: [CInt], environment: [String: String]) throws {
    id = try ProgramProcess.spawn(arguments, files: files, environment: environment)
  }

  /// Adopts a program that was started in a session of its own.
  init(id: Int32) { self.id = id }

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

  /// Waits until the program ends. Returns nil if it does not end in time.
  package func wait(within limit: Duration = .seconds(20)) -> TerminationStatus? {
    let end = ContinuousClock.now + limit
    while !hasEnded(), ContinuousClock.now < end { pause() }
    return terminationStatus
  }

  /// Waits for a moment, because the end of a program causes no event here.
  func pause() { poll(nil, 0, 1) }

  private func hasEnded() -> Bool {
    var status: CInt = 0
    if terminationStatus == nil, waitpid(id, &status, WNOHANG) == id { terminationStatus = TerminationStatus(status) }
    return terminationStatus != nil
  }
}

extension ProgramProcess {
  /// Starts a program on open files for its input, output and error; the caller waits for it.
  package static func spawn(_ arguments: [String], files: [CInt], environment: [String: String]) throws -> Int32 {
    try spawn(arguments, environment: environment) { actions in
      for (descriptor, file) in files.enumerated() {
        posix_spawn_file_actions_adddup2(&actions, file, CInt(descriptor))
      }
    }
  }

  #if os(Linux)
    typealias FileActions = posix_spawn_file_actions_t
  #else
    typealias FileActions = posix_spawn_file_actions_t?
  #endif

  static func spawn(
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
}
