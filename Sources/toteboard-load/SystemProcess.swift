import Foundation

/// The figures of a process in `/proc`.
struct SystemProcess {
  /// The name in the results.
  let name: String
  /// The name of the directory in `/proc`.
  private let directory: String

  /// This process.
  static let own = SystemProcess(name: "load", directory: "self")

  init(name: String, id: Int32) { self.init(name: name, directory: "\(id)") }

  private init(name: String, directory: String) {
    self.name = name
    self.directory = directory
  }

  /// The resident memory, in bytes.
  var resident: Int? {
    SystemFile.words("/proc/\(directory)/statm").flatMap { $0.count > 1 ? Int($0[1]) : nil }
      .map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
  }

  /// The processor time so far, in seconds.
  var processorTime: Double? {
    SystemFile.words("/proc/\(directory)/stat")
      .flatMap { $0.count > 14 ? (Double($0[13]) ?? 0) + (Double($0[14]) ?? 0) : nil }
      .map { $0 / Double(sysconf(Int32(_SC_CLK_TCK))) }
  }
}

/// The processor times of processes, of this program and of the machine, so far or in an interval.
struct ProcessorTimes {
  /// The times of the processes, in seconds.
  private(set) var processes: [Double?]
  /// The time of this program, in seconds.
  private(set) var own: Double?
  /// The ticks of the machine's processors: user, nice, system, idle, waiting and more. Empty if they are not known.
  private var machine: [Double]

  init(_ processes: [SystemProcess]) {
    self.processes = processes.map(\.processorTime)
    own = SystemProcess.own.processorTime
    // NB: the words after the eighth count time again that is in the first two.
    machine = (SystemFile.words("/proc/stat") ?? []).dropFirst().prefix(8).compactMap { Double($0) }
  }

  func since(_ start: ProcessorTimes) -> ProcessorTimes {
    var times = self
    times.processes = zip(processes, start.processes).map { end, start in end.flatMap { end in start.map { end - $0 } }
    }
    times.own = own.flatMap { end in start.own.map { end - $0 } }
    times.machine = zip(machine, start.machine).map { $0 - $1 }
    return times
  }

  /// The part of the time in which the processors were idle, 0 to 1.
  var idleShare: Double? {
    let total = machine.reduce(0, +)
    return machine.count == 8 && total > 0 ? (machine[3] + machine[4]) / total : nil
  }
}

private enum SystemFile {
  /// Returns the words of the first 1,024 bytes of a file.
  static func words(_ path: String) -> [Substring]? {
    guard let file = fopen(path, "r") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(decoding: bytes[..<count], as: UTF8.self).split { $0 == " " || $0 == "\n" }
  }
}
