import ArgumentParser
import Dashboard
import Localization
import OddsHistory
import OddsModel
import Platform
import ProgramArguments
import TerminalCurses

/// The command `toteboard chart`: draws the recorded prices of a market, in the terminal or as an SVG file.
struct ChartCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chart", abstract: CLILanguage.words(.aboutChart), discussion: CLILanguage.words(.aboutChartMore))

  @Argument(help: .phrase(.optionChartMatch))
  var match: String

  @Argument(help: .phrase(.optionChartMarket))
  var market: String?

  @Option(help: .phrase(.optionChartOutcome, valueName: "name"))
  var outcome: [String] = []

  @Option(help: .phrase(.optionSince, valueName: "age"))
  var since: TypedValue<HistoryAge>?

  @Option(help: .phrase(.optionChartOutput, valueName: "file"))
  var output: String?

  @OptionGroup var speech: LanguageOption

  mutating func validate() throws {
    try since.check("--since")
    try ValidationError.checkEmpty([("--output", output)])
  }

  mutating func run() throws {
    let reader = try HistoryReader(try HistoryOptions.file())
    let choice = HistoryChoice(reader)
    let match = try choice.match(match)
    let (market, row) = try choice.market(market, of: match)
    let outcomes = try choice.outcomes(outcome, of: market, row)
    let now = ClientClock.wallTime()
    let chart = try HistoryChart(
      reader, match, market, row, outcomes, in: since.range(at: now, end: try reader.end()))
    guard let output else {
      return try Output.send(chart.text(columns: Output.columns, glyphs: TerminalLocale.activate()).utf8)
    }
    try write(chart.svg, to: output)
  }

  private func write(_ svg: String, to path: String) throws {
    if path == "-" { return try Output.send(svg.utf8) }
    do throws(PrivateFileError) { try PrivateFile.replace(path, with: Array(svg.utf8)) } catch {
      throw CommandError(.failureOf, path, error.sentence)
    }
  }
}
