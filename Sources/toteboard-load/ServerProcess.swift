import Foundation

/// A failure with a message that names the remedy.
struct LoadError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}

/// A server that the tool has started, or some that already run.
struct ServerProcess {
  struct Address {
    let host: String
    let port: Int
  }

  let addresses: [Address]
  /// The processes to measure.
  let processes: [SystemProcess]
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
    addresses = [Address(host: "127.0.0.1", port: port)]
    processes = [SystemProcess(name: "server", id: process.processIdentifier)]
    self.process = process
  }

  /// Takes servers that run.
  ///
  /// - Parameters:
  ///   - urls: Their addresses, separated by commas.
  ///   - processes: The processes to measure, as `name=pid`.
  init(urls: String, processes: [String]) throws {
    addresses = try urls.split(separator: ",", omittingEmptySubsequences: false).map { text in
      guard let url = URL(string: String(text)), url.scheme == "ws", let host = url.host, let port = url.port else {
        throw LoadError("'\(text)' is not a feed address: use one such as ws://127.0.0.1:8080/v2")
      }
      return Address(host: host, port: port)
    }
    self.processes = try processes.map { text in
      let parts = text.split(separator: "=")
      guard parts.count == 2, let id = Int32(parts[1]) else {
        throw LoadError("'\(text)' does not name a process: use a name and its number, such as server=1234")
      }
      return SystemProcess(name: String(parts[0]), id: id)
    }
    process = nil
  }

  func stop() {
    process?.terminate()
    process?.waitUntilExit()
  }
}
