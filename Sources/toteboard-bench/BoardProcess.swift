import Foundation

/// A board on a pseudo-terminal of its own, which reads a feed from a pipe.
final class BoardProcess {
  /// The time between two updates. A highlight of one second ends in the middle between two.
  private static let period = 0.08
  /// The time without output after which a screen is complete, and the one after which all highlights have ended.
  private static let quiet = 1.0, tail = 3.0
  /// The time in which a board must show an update, start or end, also under valgrind on a busy machine.
  private static let timeout = 60.0
  private static let size = (rows: 110, columns: 120)

  /// The number of times that the terminal received bytes, and their number.
  private(set) var paints = 0, bytes = 0
  private let name: String
  private let terminal: Int32
  private let feed: Int32
  /// The program's process; 0 after it has ended.
  private(set) var process: pid_t = 0

  /// Starts a program with its arguments. It is looked up in PATH.
  init(_ command: [String]) throws {
    name = command.first { !$0.hasPrefix("-") && $0 != "valgrind" } ?? command[0]
    // The same calls as posix_openpt, unlockpt and ptsname on Linux, which Swift does not import.
    terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var (isLocked, number): (CInt, CUnsignedInt) = (0, 0)
    guard terminal >= 0, ioctl(terminal, 0x4004_5431, &isLocked) == 0, ioctl(terminal, 0x8004_5430, &number) == 0 else {
      throw BenchError("no pseudo-terminal: \(String(cString: strerror(errno)))")
    }
    var window = winsize(ws_row: UInt16(Self.size.rows), ws_col: UInt16(Self.size.columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &window)
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw BenchError("no pipe: \(String(cString: strerror(errno)))") }
    feed = ends[1]
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    try start(command, reading: ends[0], on: "/dev/pts/\(number)")
    close(ends[0])
  }

  deinit {
    if process > 0 {
      kill(process, SIGKILL)
      waitpid(process, nil, 0)
    }
    close(terminal)
    close(feed)
  }

  /// Sends the dump, then `together` updates at a time, after the frame of those before.
  func show(_ text: FeedText, together: Int) throws {
    signal(SIGPIPE, SIG_IGN)
    let lines = text.bytes.split(separator: 0x0A)
    send(lines[0])
    guard read(for: Self.timeout) else { throw silence("the dump") }
    while read(for: Self.quiet) {}
    for number in stride(from: 1, to: lines.count, by: together) {
      let end = Self.now + Self.period
      send(ArraySlice(lines[number..<min(number + together, lines.count)].joined(separator: [0x0A])))
      guard read(for: Self.timeout) else { throw silence("update \(number)") }
      while case let left = end - Self.now, left > 0 { _ = read(for: left) }
    }
    let end = Self.now + Self.tail
    while case let left = end - Self.now, left > 0 { _ = read(for: left) }
  }

  /// Ends the board with its key. Returns its processor time in seconds.
  func quit() throws -> Double {
    _ = write(terminal, "q", 1)
    let end = Self.now + Self.timeout
    var (status, usage) = (Int32(0), rusage())
    while wait4(process, &status, WNOHANG, &usage) == 0 {
      guard Self.now < end else { throw BenchError("'\(name)' did not end on q") }
      _ = read(for: 0.01)
    }
    process = 0
    guard status == 0 else { throw BenchError("'\(name)' ended with status \(status): run it by hand to see why") }
    func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
    return seconds(usage.ru_utime) + seconds(usage.ru_stime)
  }

  private func silence(_ what: String) -> BenchError {
    BenchError("'\(name)' painted nothing for \(what): use a board that reads a feed from standard input")
  }

  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }

  private func send(_ line: ArraySlice<UInt8>) {
    var rest = Array(line) + [0x0A]
    while !rest.isEmpty, case let count = write(feed, rest, rest.count), count > 0 { rest.removeFirst(count) }
  }

  /// Reads output. Returns false if there is none in that time.
  private func read(for seconds: Double) -> Bool {
    var ready = pollfd(fd: terminal, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, Int32((seconds * 1000).rounded(.up))) > 0 else { return false }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    let count = Foundation.read(terminal, &buffer, buffer.count)
    guard count > 0 else { return false }
    paints += 1
    bytes += count
    return true
  }

  /// Starts the program as the leader of a session whose terminal is the device.
  private func start(_ command: [String], reading input: Int32, on device: String) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // POSIX_SPAWN_SETSID, which Swift does not import.
    posix_spawnattr_setflags(&attributes, 0x80)
    posix_spawn_file_actions_adddup2(&actions, input, 0)
    posix_spawn_file_actions_addopen(&actions, 1, device, O_RDWR, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    // Hashes with random seeds would make each run count differently.
    var environment = ProcessInfo.processInfo.environment
    environment["TERM"] = "xterm-256color"
    environment["LC_ALL"] = "C.UTF-8"
    environment["COLORTERM"] = nil
    environment["SWIFT_DETERMINISTIC_HASHING"] = "1"
    var arguments: [UnsafeMutablePointer<CChar>?] = command.map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    let code = posix_spawnp(&process, command[0], &actions, &attributes, &arguments, &variables)
    guard code == 0 else { throw BenchError("cannot start '\(command[0])': \(String(cString: strerror(code)))") }
  }
}
