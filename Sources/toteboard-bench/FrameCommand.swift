import ArgumentParser
import Foundation

/// The cost of one update on a board: updates are sent one by one or several together, after the frame of those before.
struct FrameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "frame", abstract: "Count the instructions of a board for each painted update.",
    discussion: """
      Starts the board on a pseudo-terminal, sends updates one by one, and waits for the frame of each. With \
      --together 17 each frame has as many updates as at 1,000 a second. Counts instructions with valgrind; without \
      it, measures processor time. A run with few updates is subtracted from one with many, so that start and end do \
      not count.
      """)

  @Option(help: "Number of measured updates.")
  var updates = 100

  @Option(help: "Number of updates that are sent together.")
  var together = 1

  @Option(help: "Number of rounds. The results are medians.")
  var rounds = 1

  @Option(
    help: ArgumentHelp(
      "Board with its arguments. It reads the feed from standard input. (default: toteboard beside this program)",
      valueName: "command"))
  var board: String?

  @Option(
    help: ArgumentHelp(
      "Boards to compare with, separated by commas. (default: from REFERENCES)", valueName: "commands"))
  var references: String?

  mutating func run() throws {
    let own = URL(fileURLWithPath: Program.own).deletingLastPathComponent().appendingPathComponent("toteboard").path
    let others = references ?? ProcessInfo.processInfo.environment["REFERENCES"] ?? ""
    let commands = ([board ?? "\(own) --feed - --fresh"] + others.split(separator: ",").map(String.init))
      .map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
    let counter = Counter.best
    var runs: [[FrameRun]] = commands.map { _ in [] }
    for _ in 0..<max(1, rounds) {
      for (place, command) in commands.enumerated() {
        runs[place].append(try FrameRun(command, updates: max(1, updates), together: max(1, together), counter))
      }
    }
    let frame = together > 1 ? "One of \(together) updates of a frame" : "One update"
    var table = FigureTable(
      "\(frame), painted, and the end of its highlight: 100 matches on 120 x 110",
      ["board", counter.unit, "ratio", "paints", "bytes", "start and end, \(counter.totalUnit)"])
    let first = runs[0].map(\.cost).median
    for (command, runs) in zip(commands, runs) {
      let cost = runs.map(\.cost).median
      table.add([
        URL(fileURLWithPath: command[0]).lastPathComponent, cost.text(counter == .callgrind ? 0 : 1),
        (cost / first).text(2) + " x", runs.map(\.paints).median.text(2), runs.map(\.bytes).median.text(1),
        runs.map(\.rest).median.text(1),
      ])
    }
    table.show()
  }
}

/// The way to measure the work of a process.
enum Counter {
  case callgrind, time

  /// The exact count where valgrind is installed.
  static var best: Counter {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.contains { FileManager.default.isExecutableFile(atPath: "\($0)/valgrind") } ? .callgrind : .time
  }

  var unit: String { self == .callgrind ? "instructions" : "CPU µs" }
  var totalUnit: String { self == .callgrind ? "millions" : "ms" }
}

/// The work of a board for one update, on average.
struct FrameRun {
  /// The work for one update, in instructions or microseconds.
  let cost: Double
  /// The work of start and end, in millions of instructions or milliseconds.
  let rest: Double
  /// The number of reads with output, and of their bytes, for one update.
  let paints: Double
  let bytes: Double

  /// The number of frames before the measured ones.
  private static let warmUp = 20

  init(_ command: [String], updates: Int, together: Int, _ counter: Counter) throws {
    let warmUp = Self.warmUp * together
    let few = try Self.work(of: command, updates: warmUp, together: together, counter)
    let many = try Self.work(of: command, updates: warmUp + updates, together: together, counter)
    let scale = counter == .callgrind ? 1 : 1e6
    cost = (many.work - few.work) / Double(updates) * scale
    rest = (few.work * scale - cost * Double(warmUp)) / (counter == .callgrind ? 1e6 : 1e3)
    paints = Double(many.paints - few.paints) / Double(updates)
    bytes = Double(many.bytes - few.bytes) / Double(updates)
  }

  /// Runs a board and returns its work in instructions or seconds.
  private static func work(
    of command: [String], updates: Int, together: Int, _ counter: Counter
  ) throws -> (work: Double, paints: Int, bytes: Int) {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("toteboard-frame-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    // A file for each process, because the board may leave one behind.
    let counting =
      counter == .callgrind ? ["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file=\(folder.path)/%p"] : []
    let board = try BoardProcess(counting + command)
    let file = folder.appendingPathComponent("\(board.process)").path
    try board.show(PriceFeed.text(updates: updates, batch: 1), together: together)
    let seconds = try board.quit()
    if counter == .time { return (seconds, board.paints, board.bytes) }
    let totals = (try? String(contentsOfFile: file, encoding: .utf8))?.split(separator: "\n")
      .last { $0.hasPrefix("totals:") || $0.hasPrefix("summary:") }
    guard let count = totals?.split(separator: " ").dropFirst().first.flatMap({ Double($0) }) else {
      throw BenchError("valgrind counted nothing for '\(command[0])': run it by hand to see why")
    }
    return (count, board.paints, board.bytes)
  }
}
