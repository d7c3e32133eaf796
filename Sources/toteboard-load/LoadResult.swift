import Foundation
import Histogram

/// The results of a measurement.
struct LoadResult: Encodable {
  struct Process: Encodable {
    let name: String
    /// The processor time during the measurement, in seconds; nil if the process has ended.
    let processorTime: Double?
    /// The resident memory at the end, in bytes.
    let memory: Int?
    /// The resident memory with one client of each server, in bytes.
    let memoryBefore: Int?
  }

  let clients: Int
  /// The number of threads that have the clients.
  let threads: Int
  /// The duration of the measurement, in seconds.
  let seconds: Double
  /// The number of frames with updates that all clients received.
  let frames: Int
  /// The number of changed records in these frames, from those of one client of each server.
  let updates: Double
  /// The bytes of these frames, with the headers of the WebSocket.
  let bytes: Int
  /// The size of the dumps that one client received when it opened its topics, in bytes.
  let dumpBytes: Int
  /// The least, the median, the 99th percentile and the greatest delivery time, in milliseconds.
  let times: [Double]
  /// The number of clients that were lost.
  let lost: Int
  let lastReason: String?
  /// The processor time of this program during the measurement, in seconds.
  let processorTime: Double?
  /// The number of processors.
  let processors: Int
  /// The part of the processors' time that was not used by any process, 0 to 1; nil if it is not known.
  let idle: Double?
  let processes: [Process]

  init(
    clients: Int, threads: Int, seconds: Double, reading: Gauge.Reading, times: ProcessorTimes, processes: [Process]
  ) {
    self.clients = clients
    self.threads = threads
    self.seconds = seconds
    frames = reading.frames
    updates = Double(reading.frames) * Double(reading.sampledUpdates) / Double(max(1, reading.sampledFrames))
    bytes = reading.bytes
    dumpBytes = reading.dumpBytes
    let histogram = reading.times
    self.times = [
      histogram.min, histogram.valueAtPercentile(50), histogram.valueAtPercentile(99), histogram.max,
    ].map { Double($0) / 1000 }
    lost = reading.lost
    lastReason = reading.lastReason
    processorTime = times.own
    processors = ProcessInfo.processInfo.activeProcessorCount
    idle = times.idleShare
    self.processes = processes
  }

  func json() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    return String(decoding: try encoder.encode(self), as: UTF8.self)
  }

  /// The titles of the columns of a row.
  static let head = [
    "clients", "updates/s", "frames/s", "MB/s", "min ms", "p50 ms", "p99 ms", "max ms", "lost", "kB/client",
    "server CPU", "load CPU", "idle",
  ]

  /// Returns the row of a table. `rate` is the number of odds updates per second.
  func row(rate: Double) -> [String] {
    let growth = processes.map { process in
      process.memory.flatMap { memory in process.memoryBefore.map { Double(memory - $0) } }
    }
    let added = Double(max(1, clients - threads))
    return [
      "\(clients)", rate.text(0), (Double(frames) / seconds).text(0), (Double(bytes) / seconds / 1e6).text(1),
    ] + times.map { $0.text(1) } + [
      "\(lost)", sum(growth).map { ($0 / added / 1000).text(1) } ?? "?",
      share(sum(processes.map(\.processorTime)), of: seconds), share(processorTime, of: seconds), share(idle, of: 1),
    ]
  }

  /// Returns the sum; nil if a value is missing or if there are none.
  private func sum(_ values: [Double?]) -> Double? {
    let known = values.compactMap { $0 }
    return known.isEmpty || known.count < values.count ? nil : known.reduce(0, +)
  }

  private func share(_ part: Double?, of whole: Double) -> String {
    part.map { "\(($0 / whole * 100).text(0)) %" } ?? "?"
  }
}

extension Double {
  fileprivate func text(_ decimals: Int) -> String { String(format: "%.\(decimals)f", self) }
}
