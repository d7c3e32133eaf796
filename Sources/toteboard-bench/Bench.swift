import ArgumentParser

/// Measures the way of a price from bytes to change set, without terminal or threads.
///
/// A harness of our own, because what is compared are programs: the engine, a Foundation version of it, and whatever
/// else reads a feed and prints its rate, in rounds in which each runs once, so that a noisy minute of the machine falls
/// on all and their ratios hold. package-benchmark runs closures of one process one after the other and knows of no
/// other program.
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
    // In a process of its own: what a store costs in memory is seen best where nothing has been before.
    var football = [Program.own, "football", "--rounds", "\(scale.rounds)"]
    if quick { football.append("--quick") }
    print(try Program(arguments: football).output(), terminator: "")
  }
}

/// How much is measured.
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
