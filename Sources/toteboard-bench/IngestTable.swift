import Foundation

/// The rates of the engine, the baseline and the references on the same feeds, in interleaved rounds.
struct IngestTable {
  let scale: Scale
  let references: [Program]

  enum Failure: Error, CustomStringConvertible {
    case sumsDiffer([String: Double])

    var description: String {
      switch self {
      case .sumsDiffer(let sums): "the programs' sums of odds differ: \(sums): one of them lost a price"
      }
    }
  }

  func run() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("toteboard-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    for batch in [1, 50] {
      let path = folder.appendingPathComponent("feed-\(batch).ndjson").path
      try PriceFeed.text(updates: scale.updates, batch: batch).write(to: path)
      try show(batch, path)
    }
  }

  private func show(_ batch: Int, _ path: String) throws {
    let programs = ["ingest", "baseline"].map { Program(arguments: [Program.own, $0]) } + references
    var rounds: [[IngestReport]] = []
    for _ in 0..<scale.rounds {
      let round = try programs.map { try $0.report(on: path) }
      guard round.allSatisfy({ abs($0.sum - round[0].sum) < 0.005 }) else {
        throw Failure.sumsDiffer(Dictionary(round.map { ($0.name, $0.sum) }, uniquingKeysWith: { first, _ in first }))
      }
      rounds.append(round)
    }
    var table = FigureTable(
      "\(Double(scale.updates).text()) updates, \(batch) a message: parsed, applied, changes taken",
      ["program", "updates/s", "MB/s", "toteboard is", "least", "most"])
    for place in programs.indices {
      let ratios = rounds.map { $0[0].updatesPerSecond / $0[place].updatesPerSecond }
      table.add([
        rounds[0][place].name, rounds.map { $0[place].updatesPerSecond }.median.text(),
        rounds.map { $0[place].megabytesPerSecond }.median.text(), ratios.median.text(2) + " x",
        ratios.min()!.text(2), ratios.max()!.text(2),
      ])
    }
    table.show()
  }
}
