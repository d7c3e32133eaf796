import Foundation

/// A program to run, as its name and arguments.
struct Program {
  let arguments: [String]

  /// The path of this program.
  static var own: String { Bundle.main.executablePath ?? CommandLine.arguments[0] }

  private var command: String { arguments.joined(separator: " ") }

  /// Runs the program to its end and returns its standard output.
  func output() throws -> String {
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = pipe
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw BenchError("'\(command)' exited with status \(process.terminationStatus): run it by hand to see why")
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Runs the program on a feed's file and returns its report.
  func report(on path: String) throws -> IngestReport {
    let text = try Program(arguments: arguments + [path]).output()
    guard let report = try? JSONDecoder().decode(IngestReport.self, from: Data(text.utf8)) else {
      throw BenchError("'\(command)' printed no report: use a program that prints one JSON object")
    }
    return report
  }
}

/// The rates of the engine, the baseline and the references on the same feeds, in interleaved rounds.
struct IngestTable {
  let updates: Int
  let rounds: Int
  let references: [Program]

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("toteboard-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for batch in [1, 50] {
      let path = folder.appendingPathComponent("feed-\(batch).ndjson").path
      try PriceFeed.text(updates: updates, batch: batch).write(to: path)
      try show(batch, path)
    }
  }

  private func show(_ batch: Int, _ path: String) throws {
    let programs = ["ingest", "baseline"].map { Program(arguments: [Program.own, $0]) } + references
    var reports: [[IngestReport]] = []
    for _ in 0..<rounds {
      let round = try programs.map { try $0.report(on: path) }
      guard round.allSatisfy({ abs($0.sum - round[0].sum) < 0.005 }) else {
        let sums = round.map { "\($0.name): \($0.sum)" }.joined(separator: ", ")
        throw BenchError("the programs' sums of odds differ: \(sums): one of them lost a price")
      }
      reports.append(round)
    }
    var table = FigureTable(
      "\(Double(updates).text()) updates, \(batch) per message: parsed, applied, changes collected",
      ["program", "updates/s", "MB/s", "toteboard is", "min", "max"])
    for index in programs.indices {
      let ratios = reports.map { $0[0].updatesPerSecond / $0[index].updatesPerSecond }
      table.add([
        reports[0][index].name, reports.map { $0[index].updatesPerSecond }.median.text(),
        reports.map { $0[index].megabytesPerSecond }.median.text(), ratios.median.text(2) + " x",
        ratios.min()!.text(2), ratios.max()!.text(2),
      ])
    }
    table.show()
  }
}
