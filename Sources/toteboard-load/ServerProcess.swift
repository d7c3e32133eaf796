import Foundation

/// A failure with a message that names the remedy.
struct LoadError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A server that the tool has started, or one that already runs.
struct ServerProcess {
  let host: String
  let port: Int
  private let process: Process?

  /// Starts the server in the directory of this program, for this many clients from one address.
  init(rate: Double, matches: Int, clients: Int) throws {
    let process = Process()
    let pipe = Pipe()
    let own = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    let program = own.deletingLastPathComponent().appendingPathComponent("toteboard-server")
    process.executableURL = program
    process.arguments = [
      "--listen", "127.0.0.1:0", "--rate", "\(rate)", "--matches", "\(matches)",
      "--max-connections-per-address", "\(clients)",
    ]
    process.standardOutput = pipe
    try process.run()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    guard let text = line.split(separator: " ").last, let url = URL(string: text.trimmingCharacters(in: .newlines)),
      let port = url.port
    else {
      throw LoadError("'\(program.path)' did not print its address: build it first, or run it by hand to see why")
    }
    (host, self.port, self.process) = ("127.0.0.1", port, process)
  }

  init(url text: String) throws {
    guard let url = URL(string: text), url.scheme == "ws", let host = url.host, let port = url.port else {
      throw LoadError("'\(text)' is not a feed address: use one such as ws://127.0.0.1:8080/v2")
    }
    (self.host, self.port, process) = (host, port, nil)
  }

  func stop() {
    process?.terminate()
    process?.waitUntilExit()
  }

  /// The resident memory, in bytes; nil for a server that the tool has not started.
  var resident: Int? { system?.resident }

  /// The processor time so far, in seconds; nil for a server that the tool has not started.
  var processorTime: Double? { system?.processorTime }

  private var system: SystemProcess? { process.map { SystemProcess(name: "\($0.processIdentifier)") } }
}

/// The figures of a process in `/proc`.
struct SystemProcess {
  static let own = SystemProcess(name: "self")

  let name: String

  /// The resident memory, in bytes.
  var resident: Int? {
    figures("statm").flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }

  /// The processor time so far, in seconds.
  var processorTime: Double? {
    figures("stat").flatMap { $0.count > 14 ? (Double($0[13]) ?? 0) + (Double($0[14]) ?? 0) : nil }
      .map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) }
  }

  private func figures(_ file: String) -> [Substring]? {
    guard let file = fopen("/proc/\(name)/\(file)", "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 1024)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line[..<count], as: UTF8.self).split(separator: " ")
  }
}
