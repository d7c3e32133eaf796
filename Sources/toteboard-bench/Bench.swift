import ArgumentParser

/// Measures the path of a price from bytes to change set, without terminal or threads.
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
      FeedCommand.self, BoardCommand.self, FindCommand.self,
    ],
    defaultSubcommand: TableCommand.self)
}

struct TableCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "table", abstract: "Run everything and print tables with ratios (the default).")

  @Flag(help: "Small counts and one round: shows that everything runs, not how fast.")
  var quick = false

  @Option(help: "Updates of the feeds that all programs read.")
  var updates: Int?

  @Option(help: "How often each is measured.")
  var rounds: Int?

  @Option(
    help: ArgumentHelp(
      "Programs to compare with, separated by commas; the default is the environment's REFERENCES.",
      discussion: """
        Each takes a feed's file as its last argument and prints {"name":…,"updates_per_s":…,"mb_per_s":…,"sum":…}.
        """, valueName: "commands"))
  var references: String?

  mutating func run() throws {
    let scale = Scale(quick: quick, updates: updates, rounds: rounds)
    try IngestTable(scale: scale, references: References.commands(references)).run()
    try DumpTable(scale: scale).run()
    try SimulatorTable(scale: scale).run()
    try BoardTable(scale: scale).run()
    // In a separate process, because the memory of a store is measured best on an unused heap.
    var football = [Program.own, "football", "--rounds", "\(scale.rounds)"]
    if quick { football.append("--quick") }
    print(try Program(arguments: football).output(), terminator: "")
  }
}

/// The sizes of the measurements.
struct Scale {
  let isQuick: Bool
  let updates: Int
  let rounds: Int

  init(quick: Bool, updates: Int? = nil, rounds: Int? = nil) {
    isQuick = quick
    self.updates = max(1, updates ?? (quick ? 2000 : 200_000))
    self.rounds = max(1, rounds ?? (quick ? 1 : 7))
  }
}
