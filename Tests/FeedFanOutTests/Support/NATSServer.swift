import CLibrary
import Dispatch
import FeedFanOut
import Platform
import TestSupport

/// A nats-server on loopback with JetStream in a temporary directory. Its deinitializer kills it.
final class NATSServer: Sendable {
  struct StartError: Error, CustomStringConvertible {
    let description: String
  }

  let port: Int
  private let directory = TemporaryDirectory()
  private let process = Locked<pid_t>(0)
  private let arguments: [String]

  /// Starts a server on a free port, or on the given one. Returns when it is ready.
  init(port: Int = -1, _ arguments: [String] = []) throws {
    self.arguments = arguments
    let (process, port) = try Self.start(port: port, directory.path, arguments)
    self.port = port
    self.process.withLock { $0 = process }
  }

  deinit { kill() }

  var url: String { "nats://127.0.0.1:\(port)" }

  /// Kills the server, as a power failure would.
  func kill() {
    let process = process.withLock { process in
      defer { process = 0 }
      return process
    }
    if process == 0 { return }
    CLibrary.kill(process, SIGKILL)
    waitpid(process, nil, 0)
  }

  /// Starts the server again after `kill`, on the same port with the same directory.
  func restart() throws {
    let (process, _) = try Self.start(port: port, directory.path, arguments)
    self.process.withLock { $0 = process }
  }

  func connect(
    name: String = "test", _ onEvent: @escaping @Sendable (NATSConnection.Event) -> Void = { _ in }
  ) throws -> NATSConnection {
    try NATSConnection(NATSOptions(servers: [url], name: name), onEvent: onEvent)
  }

  private static func start(port: Int, _ directory: String, _ arguments: [String]) throws -> (pid_t, port: Int) {
    var pipe: [CInt] = [0, 0]
    guard CLibrary.pipe(&pipe) == 0 else { throw StartError(description: "no pipe can be made") }
    // Other processes that the tests start must not inherit the pipe.
    for end in pipe { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let words =
      ["/usr/bin/env", "nats-server", "-a", "127.0.0.1", "-p", "\(port)", "-js", "-sd", directory] + arguments
    // Debian installs nats-server in /usr/sbin, which is only in the PATH of the administrator.
    let path = ["PATH": (getenv("PATH").map { String(cString: $0) } ?? "/usr/bin") + ":/usr/sbin"]
    // NB: The process must not inherit the sockets of other tests, because their ports would stay in use.
    let process: pid_t
    do {
      process = try PtyProcess.spawn(words, files: [pipe[1], pipe[1], pipe[1]], environment: path)
    } catch {
      for end in pipe { close(end) }
      throw error
    }
    close(pipe[1])
    // The log shows the port first, and then that the server is ready.
    var log = ""
    var bytes = [UInt8](repeating: 0, count: 4096)
    while !log.contains("Server is ready") {
      let count = read(pipe[0], &bytes, bytes.count)
      guard count > 0 else {
        close(pipe[0])
        waitpid(process, nil, 0)
        throw StartError(description: "'nats-server' ended; if it is missing, install it with 'make deps':\n\(log)")
      }
      log += String(decoding: bytes[..<count], as: UTF8.self)
    }
    let rest = pipe[0]
    DispatchQueue.global().async {
      var bytes = [UInt8](repeating: 0, count: 4096)
      while read(rest, &bytes, bytes.count) > 0 {}
      close(rest)
    }
    let marker = "Listening for client connections on 127.0.0.1:"
    let line = log.split(separator: "\n").first { $0.contains(marker) } ?? ""
    guard let number = Int(line.split(separator: ":").last ?? "") else {
      throw StartError(description: "'nats-server' does not say its port:\n\(log)")
    }
    return (process, number)
  }
}
