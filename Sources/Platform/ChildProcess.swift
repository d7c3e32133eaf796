package import CLibrary

/// A child process in a session and process group of its own: without a terminal, with an empty standard input, and
/// with one pipe for standard output and standard error. It inherits no other descriptor.
///
/// `end()` must be called exactly once.
package struct ChildProcess: Sendable {
  /// The end of a process: by its exit status, or by a signal.
  package enum Exit: Hashable, Sendable {
    case status(Int32)
    case signal(Int32)
    /// The parent of this program has turned off the exit status of children.
    case unknown
  }

  /// The id of the process and of its group.
  package let id: pid_t
  /// The end of the pipe from which its output is read, in non-blocking mode. The caller closes it.
  package let output: Int32

  // `newSession` is POSIX_SPAWN_SETSID, on Darwin with POSIX_SPAWN_CLOEXEC_DEFAULT. Swift does not import them.
  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
    private typealias Attributes = posix_spawnattr_t?
    private static let newSession: Int32 = 0x0400 | 0x4000
  #else
    private typealias FileActions = posix_spawn_file_actions_t
    private typealias Attributes = posix_spawnattr_t
    private static let newSession: Int32 = 0x80
  #endif

  /// Starts a program, which is searched in `PATH` if its name has no slash.
  ///
  /// - Parameters:
  ///   - arguments: The program and its arguments. No shell reads them.
  ///   - environment: The environment, as `NAME=value`.
  /// - Returns: Nil if the program cannot be started; `errno` tells why.
  package static func start(_ arguments: [String], environment: [String]) -> ChildProcess? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(ends[0], F_SETFL, O_NONBLOCK)
    defer { close(ends[1]) }
    var id = pid_t(0)
    let code = spawn(arguments, environment, output: ends[1], &id)
    if code == 0 { return ChildProcess(id: id, output: ends[0]) }
    close(ends[0])
    errno = code
    return nil
  }

  private static func spawn(
    _ arguments: [String], _ environment: [String], output: Int32, _ id: inout pid_t
  ) -> Int32 {
    #if canImport(Darwin)
      var actions: FileActions
      var attributes: Attributes
    #else
      var actions = FileActions()
      var attributes = Attributes()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, output, 1)
    posix_spawn_file_actions_adddup2(&actions, output, 2)
    closeOthers(&actions)
    // This program ignores or handles signals whose default action the child needs.
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGALRM, SIGTERM, SIGUSR1, SIGUSR2, SIGCHLD, SIGTSTP, SIGXFSZ] {
      sigaddset(&signals, number)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(
      &attributes, Int16(newSession | Int32(POSIX_SPAWN_SETSIGMASK) | Int32(POSIX_SPAWN_SETSIGDEF)))
    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup($0) } + [nil]
    defer { for text in argv + envp { free(text) } }
    return posix_spawnp(&id, arguments[0], &actions, &attributes, &argv, &envp)
  }

  /// Makes the child close the descriptors above 2 without `FD_CLOEXEC`: libraries open such, and the parent of this
  /// program leaves some open.
  private static func closeOthers(_ actions: inout FileActions) {
    #if !canImport(Darwin)
      guard let directory = opendir("/dev/fd") else { return }
      defer { closedir(directory) }
      while let entry = readdir(directory) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        guard let descriptor = Int32(name), descriptor > 2, fcntl(descriptor, F_GETFD) & FD_CLOEXEC == 0 else {
          continue
        }
        posix_spawn_file_actions_addclose(&actions, descriptor)
      }
    #endif
  }

  /// Waits until the process has ended. Its id stays in use until `end()`.
  package func wait() {
    var information = siginfo_t()
    while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
  }

  /// Kills the process and its group.
  package func kill() { _ = CLibrary.kill(-id, SIGKILL) }

  /// Waits for the process, kills the remaining processes of its group, and releases the id.
  package func end() -> Exit {
    wait()
    kill()
    var status: Int32 = 0
    var result: pid_t
    repeat { result = waitpid(id, &status, 0) } while result < 0 && errno == EINTR
    if result < 0 { return .unknown }
    return status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
  }
}
