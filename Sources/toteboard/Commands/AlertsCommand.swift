import ArgumentParser
import CLibrary
import Dashboard
import Localization
import Logging
import Platform
import ProgramArguments

/// The command `toteboard alerts`: prints the log of alerts.
struct AlertsCommand: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

  static let configuration = CommandConfiguration(
    commandName: "alerts", abstract: CLILanguage.words(.aboutAlerts), discussion: CLILanguage.words(.aboutAlertsMore))

  @Option(help: .phrase(.optionSince, valueName: "age"))
  var since: TypedValue<HistoryAge>?

  @Option(help: .phrase(.optionHistoryFormat))
  var format = Format.table

  @Flag(help: .phrase(.optionFollow))
  var follow = false

  @OptionGroup var options: FeedOptions

  mutating func validate() throws {
    try since.check("--since")
    if follow, since != nil {
      throw ValidationError(
        .usageNoEffect, "--since", OptionUse.Command.follow.rawValue,
        LocalizedMessage(.quotedWords, OptionUse.Command.alerts.rawValue))
    }
  }

  mutating func run() throws {
    if follow { try watch() } else { try printLog() }
  }

  /// Waits for alerts and prints them.
  private mutating func watch() throws {
    try options.configure()
    try options.checkLogin(of: .follow)
    let configuration = options.configuration
    guard !configuration.settings.alerts.isEmpty else {
      throw CommandError(.followNoRules, options.configFile?.path ?? "config.toml")
    }
    // NB: must precede the first thread, because a named zone changes the environment.
    let clock = BoardClock(wall: ClientClock.wallTime, zone: configuration.zone.install())
    let notes = LineWriter(to: STDERR_FILENO, isLog: true)
    defer { notes.finish() }
    // NB: must precede the feed, whose parts create their logs.
    LoggingSystem.bootstrap { StreamLogHandler(label: $0, stream: notes) }
    try AlertFollower(
      feed: options.staged(try options.openFeed(speed: configuration.speed.speed)), bounds: options.bounds,
      configuration: configuration, clock: clock, format: format, notes: notes
    ).run()
  }

  private func printLog() throws {
    guard let file = AlertLogFile(environment: environment()) else { throw CommandError(.alertLogNoHome) }
    let begin = since.begin(at: ClientClock.wallTime())
    let entries: [AlertLogEntry]
    let damaged: Int
    do throws(PrivateFileError) {
      (entries, damaged) = try file.read()
    } catch { throw CommandError(.failureOf, file.path, error.sentence) }
    let output = AlertOutput(format)
    let found = entries.filter { $0.time >= begin }
    try Output.send(output.text(of: found))
    if found.isEmpty {
      try Output.note(LocalizedMessage(entries.isEmpty ? .alertLogEmpty : .alertLogNoneSince, file.path))
    }
    if damaged > 0 { try Output.note(LocalizedMessage(.alertLogDamaged, damaged, file.path)) }
  }
}
