import ArgumentParser
import Foundation
import OddsHistory
import OddsModel

/// The size, the write rate and the read time of a history file.
struct HistoryCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "history", abstract: "Measure the history file with 10 million changes.")

  @Flag(help: "Write a hundredth of the changes, to check that everything runs.")
  var quick = false

  @Option(help: "Number of changes. (default: 10000000; with --quick 100000)")
  var changes: Int?

  /// The number of matches. Each has a market with three outcomes, whose prices change together.
  private static let matches = 3000
  private static let begin: Int64 = 1_750_000_000_000
  /// The changes of a batch: those of a second.
  private static let batch = 999

  mutating func run() throws {
    let count = changes ?? (quick ? 100_000 : 10_000_000)
    let directory = FileManager.default.temporaryDirectory.appending(path: "toteboard-bench-\(getpid())")
    defer { try? FileManager.default.removeItem(at: directory) }
    let file = HistoryFile(directory.appending(path: "history.db").path)
    // The file is closed afterwards, so that its log is part of it.
    let (writing, last) = try write(count, to: file)
    let size = try FileManager.default.attributesOfItem(atPath: file.path)[.size] as? Int ?? 0
    let start = ContinuousClock.now
    _ = try HistoryWriter(file, feed: "bench")
    let open = (ContinuousClock.now - start) / .seconds(1)
    let check = try seconds { try file.check() }
    let charts = try charts(file, until: last)
    var table = FigureTable("History of \(Double(count).text()) changes", ["figure", "value", "target"])
    table.add(["bytes per change", (Double(size) / Double(count)).text(1), "20"])
    table.add(["changes written per second of processor time", (Double(count) / writing).text(), ""])
    table.add(["share of a core at 1,000 changes/s, %", (writing / Double(count) * 1000 * 100).text(2), "1.00"])
    table.add(["chart of a day with candles, ms, median", (charts.median * 1000).text(2), "20.00"])
    table.add(["chart of a day with candles, ms, max", (charts.max()! * 1000).text(2), "20.00"])
    table.add(["start after an orderly end, ms", (open * 1000).text(2), ""])
    table.add(["check of the whole file, s of processor time", check.text(2), ""])
    table.show()
  }

  /// Returns the processor time of detection and writing in seconds, and the time of the last change.
  private func write(_ count: Int, to file: HistoryFile) throws -> (seconds: Double, last: Int64) {
    let writer = try HistoryWriter(file, feed: "bench")
    var detector = ChangeDetector()
    var random = SystemRandomNumberGenerator()
    var prices = Array(repeating: Int64(20_000_000), count: 3 * Self.matches)
    let names = (0..<Self.matches).map { Match.Names(name: "Home \($0) - Away \($0)") }
    var time = Self.begin
    var total = 0.0
    while writer.changes < count {
      var observations: [MatchObservation] = []
      for _ in 0..<Self.batch / 3 {
        // Some matches change much more often than others.
        let share = Double.random(in: 0..<1, using: &random)
        let match = Int(Double(Self.matches) * share * share)
        time += 3
        observations.append(
          MatchObservation(
            channel: 1, time: time, .match(Self.match(match, names[match], &prices, using: &random))))
      }
      total += try seconds { try writer.write(observations.flatMap { detector.apply($0) }, completeUpTo: time) }
    }
    return (total * Double(count) / Double(writer.changes), time)
  }

  private static func match(
    _ number: Int, _ names: Match.Names, _ prices: inout [Int64], using random: inout some RandomNumberGenerator
  ) -> Match {
    let outcomes = (0..<3).map { index in
      let place = 3 * number + index
      prices[place] = max(10_100_000, prices[place] + Int64.random(in: -50...50, using: &random) * 10_000)
      let id = UInt32(place + 1)
      return Outcome(
        id: OutcomeID(integerLiteral: id), name: "Outcome \(index)",
        offer: BettingOffer(id: OfferID(integerLiteral: id), odds: DecimalOdds(units: prices[place])),
        isBettable: Int.random(in: 0..<20, using: &random) > 0)
    }
    let id = UInt32(number + 1)
    let market = Market(id: MarketID(integerLiteral: id), name: "Match Result", outcomes: outcomes)
    return Match(id: MatchID(integerLiteral: id), labels: names, status: .inProgress, markets: [market])
  }

  /// Returns the times of opening the file and reading one chart of the last day, in seconds, for 50 outcomes: of each
  /// outcome the median of five.
  private func charts(_ file: HistoryFile, until last: Int64) throws -> [Double] {
    try (0..<50).map { number in
      try (0..<5).map { _ in try chart(of: number * Self.matches / 50, file, last - 86_400_000..<last) }.median
    }
  }

  private func chart(of match: Int, _ file: HistoryFile, _ range: Range<Int64>) throws -> Double {
    let begin = ContinuousClock.now
    let reader = try HistoryReader(file)
    let id = MatchID(integerLiteral: UInt32(match + 1))
    let record = try reader.record(
      of: OutcomeID(integerLiteral: UInt32(3 * match + 1)), in: MarketID(integerLiteral: UInt32(match + 1)), of: id,
      feed: "bench", range: range)
    guard let record else { throw BenchError("the match \(id) is missing") }
    if record.series.columns(160, of: range).isEmpty { throw BenchError("the chart of \(id) is empty") }
    return (ContinuousClock.now - begin) / .seconds(1)
  }
}
