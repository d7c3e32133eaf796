#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The program under test: the one in the directory that PROGRAM_DIRECTORY names, or the one that was built beside the
/// tests.
enum Program {
  /// The time limit for expected events. Only a failure takes that long.
  static let timeout = Duration.seconds(20)

  static let path: String = {
    if let directory = getenv("PROGRAM_DIRECTORY") { return String(cString: directory) + "/toteboard" }
    for argument in CommandLine.arguments {
      let parts = argument.split(separator: "/", omittingEmptySubsequences: false)
      guard let bundle = parts.firstIndex(where: { $0.hasSuffix(".xctest") }) else { continue }
      return (parts[..<bundle] + ["toteboard"]).joined(separator: "/")
    }
    preconditionFailure("no argument of '\(CommandLine.arguments)' names the test bundle")
  }()

  /// Returns the program's environment with these variables changed: nil removes a variable.
  static func environment(with others: [String: String?]) -> [String: String] {
    let usual = ["TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "TZ": "UTC"]
    return others.reduce(into: usual) { $0[$1.key] = $1.value }
  }
}

/// Creates a pipe whose ends are not inherited by other programs.
func openPipe() -> (read: CInt, write: CInt) {
  var ends: [CInt] = [-1, -1]
  precondition(pipe(&ends) == 0, "no pipe to be had: too many open files")
  for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
  // NB: writing to a program that has ended must not end the whole test process.
  signal(SIGPIPE, SIG_IGN)
  return (ends[0], ends[1])
}

/// Writes a text to a pipe. Returns false if nobody reads it in time.
@discardableResult
func sendBytes(_ text: String, to file: CInt) -> Bool {
  let bytes = Array(text.utf8)
  var sent = 0
  while sent < bytes.count {
    // A pipe that is writable has room for at least 4 KB.
    var writable = pollfd(fd: file, events: Int16(POLLOUT), revents: 0)
    guard poll(&writable, 1, CInt(Program.timeout / .milliseconds(1))) > 0 else { return false }
    let count = bytes.withUnsafeBytes { write(file, $0.baseAddress! + sent, min(4096, bytes.count - sent)) }
    if count <= 0 { return false }
    sent += count
  }
  return true
}
