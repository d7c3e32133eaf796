import Foundation

/// A server that the tool has started, or one that already runs.
struct ServerProcess {
  enum Failure: Error, CustomStringConvertible {
    case silent(String)
    case url(String)

    var description: String {
      switch self {
      case .silent(let path): "'\(path)' did not say where it listens: build it first, and run it by hand to see why"
      case .url(let text): "'\(text)' is no address of a feed: give one such as ws://127.0.0.1:8080/v2"
      }
    }
  }

  let host: String
  let port: Int
  private let process: Process?

  /// Starts the server in the directory of this program.
  init(rate: Double, matches: Int) throws {
    let process = Process()
    let pipe = Pipe()
    let own = URL(fileURLWithPath: Bundle.main.executablePath ?? CommandLine.arguments[0])
    process.executableURL = own.deletingLastPathComponent().appendingPathComponent("toteboard-server")
    process.arguments = ["--listen", "127.0.0.1:0", "--rate", "\(rate)", "--matches", "\(matches)"]
    process.standardOutput = pipe
    try process.run()
    let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
    guard let text = line.split(separator: " ").last, let url = URL(string: text.trimmingCharacters(in: .newlines)),
      let port = url.port
    else { throw Failure.silent(process.executableURL!.path) }
    self.process = process
    (host, self.port) = ("127.0.0.1", port)
  }

  init(url text: String) throws {
    guard let url = URL(string: text), url.scheme == "ws", let host = url.host, let port = url.port else {
      throw Failure.url(text)
    }
    (self.host, self.port, process) = (host, port, nil)
  }

  func stop() {
    process?.terminate()
    process?.waitUntilExit()
  }

  /// The resident memory, in bytes; nil for a server that the tool has not started.
  var resident: Int? {
    figures("statm").flatMap { $0.count > 1 ? Int($0[1]) : nil }.map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }

  /// The processor time so far, in seconds; nil for a server that the tool has not started.
  var processorTime: Double? {
    figures("stat").flatMap { $0.count > 14 ? (Double($0[13]) ?? 0) + (Double($0[14]) ?? 0) : nil }
      .map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) }
  }

  private func figures(_ name: String) -> [Substring]? {
    guard let process, let file = fopen("/proc/\(process.processIdentifier)/\(name)", "r") else { return nil }
    defer { fclose(file) }
    var line = [UInt8](repeating: 0, count: 1024)
    let count = fread(&line, 1, line.count, file)
    return String(decoding: line[..<count], as: UTF8.self).split(separator: " ")
  }
}

/// Returns the processor time of this process so far, in seconds.
func ownProcessorTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}
