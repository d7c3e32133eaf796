import ArgumentParser
import Betfair
import Foundation
import Polymarket

/// Measures the path of a price from bytes to change set, without terminal or threads; the frames of a board, also on a
/// pseudo-terminal; and the history file.
///
/// Compares programs: the engine, a baseline with Foundation, and other programs that read a feed and print their rate.
/// Each round runs each program once, so that noise on the machine affects all of them and the ratios stay valid.
/// package-benchmark is unsuitable: it runs closures of one process one after another, and no other programs.
@main
struct Bench: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "toteboard-bench", abstract: "Measure the feed engine.",
    subcommands: [
      TableCommand.self, IngestCommand.self, BaselineCommand.self, DecodeCommand.self, FootballCommand.self,
      FeedCommand.self, BoardCommand.self, FrameCommand.self, FindCommand.self, BetfairCommand.self,
      HistoryCommand.self,
    ],
    defaultSubcommand: TableCommand.self)
}

/// A failure with a message that names the remedy.
struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }

  static let noFeed = BenchError("the feed changed nothing: use one message per line, beginning with a dump")
}

/// The sizes of the measurements.
struct Scale: ParsableArguments {
  @Flag(help: "Use small numbers and one round, to check that everything runs.")
  var quick = false

  @Option(help: "Number of rounds per measurement. (default: 7; with --quick 1)")
  var rounds: Int?

  var roundCount: Int { max(1, rounds ?? (quick ? 1 : 7)) }
}

struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Run all measurements and print tables with ratios (the default).")

  @OptionGroup var scale: Scale

  @Option(help: "Number of updates in the feeds that all programs read. (default: 200000; with --quick 2000)")
  var updates: Int?

  @Option(
    help: ArgumentHelp(
      "Programs to compare with, separated by commas. (default: from REFERENCES)",
      discussion: """
        Each receives a feed file as its last argument and prints {"name":…,"updates_per_s":…,"mb_per_s":…,"sum":…}.
        """, valueName: "commands"))
  var references: String?

  mutating func run() throws {
    let others = (references ?? ProcessInfo.processInfo.environment["REFERENCES"] ?? "").split(separator: ",")
      .map { Program(arguments: $0.split(separator: " ").map(String.init)) }.filter { !$0.arguments.isEmpty }
    let updates = max(1, updates ?? (scale.quick ? 2000 : 200_000))
    try IngestTable(updates: updates, rounds: scale.roundCount, references: others).run()
    DumpTable.show(rounds: scale.roundCount)
    try DecoderTable.show(
      "The Betfair stream", BetfairFeed.text(messages: updates), messages: updates, rounds: scale.roundCount
    ) { BetfairDecoder(isRecorded: true) }
    try DecoderTable.show(
      "Polymarket", PolymarketFeed.text(messages: updates), messages: updates, rounds: scale.roundCount
    ) { PolymarketDecoder() }
    try SimulatorTable.show(scale)
    BoardTable.show(scale)
    // In a separate process, because the memory of a store is measured best on an unused heap.
    var football = [Program.own, "football", "--rounds", "\(scale.roundCount)"]
    if scale.quick { football.append("--quick") }
    print(try Program(arguments: football).output(), terminator: "")
  }
}

/// Writes a measured feed to a file, to inspect it or to run other programs on it.
struct FeedCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "feed", abstract: "Write one of the measured feeds to a file, one message per line.")

  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case prices, page, football
  }

  @Option(help: "Feed: prices, page (the dump of one page) or football (the dump of all football).")
  var kind = Kind.prices

  @Option(help: "Number of updates after the dump.")
  var updates = 1_000_000

  @Option(help: "Updates per message, for prices.")
  var batch = 1

  @Argument(help: "File to write.")
  var file: String

  mutating func run() throws {
    let updates = max(0, updates)
    func whole(_ feed: RealisticFeed) -> FeedText {
      FeedText(bytes: feed.dump() + [0x0A] + feed.updates(updates, seed: 1).bytes)
    }
    let feed =
      switch kind {
      case .prices: PriceFeed.text(updates: updates, batch: max(1, batch))
      case .page: whole(.page)
      case .football: whole(.football)
      }
    try feed.write(to: file)
  }
}
