import ArgumentParser
import Dashboard
import JSONText
import Localization
import OddsHistory
import OddsModel
import Platform
import ProgramArguments
import TerminalCore

/// The command `toteboard history`: prints the recorded changes of prices.
struct History: ParsableCommand {
  enum Format: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

  static let configuration = CommandConfiguration(
    commandName: "history", abstract: CLILanguage.words(.aboutHistory),
    discussion: CLILanguage.words(.aboutHistoryMore))

  @Argument(help: .phrase(.optionHistoryFilter))
  var filter: String?

  @Option(help: .phrase(.optionSince, valueName: "age"))
  var since: TypedValue<HistoryAge>?

  @Flag(help: .phrase(.optionSummary))
  var summary = false

  @Option(help: .phrase(.optionHistoryFormat))
  var format = Format.table

  @OptionGroup var speech: LanguageOption

  mutating func validate() throws {
    try since.check("--since")
    _ = try query(at: ClientClock.wallTime())
  }

  private func query(at now: Int64) throws -> MatchQuery {
    let text = filter ?? ""
    do { return try MatchQuery(text, CLILanguage.words, wall: now) } catch {
      throw ValidationError(.historyNoFilter, text.cleaned, error.sentence)
    }
  }

  mutating func run() throws {
    let now = ClientClock.wallTime()
    let query = try query(at: now)
    var unlisted = 0
    let reader = try HistoryReader(try HistoryOptions.file())
    let range = since.range(at: now, end: try reader.end())
    let matches = try reader.matches(since: range.lowerBound).filter { query.matches($0.match) }
    let hasSeveralFeeds = Set(matches.map(\.feed)).count > 1
    var output = HistoryOutput(format, isSummary: summary, hasSeveralFeeds: hasSeveralFeeds)
    try output.begin()
    for match in matches {
      if summary {
        unlisted += try summarize(match, reader, range, &output)
      } else {
        try list(match, reader, range, &output)
      }
    }
    try output.end()
    if unlisted > 0 { try Output.note(LocalizedMessage(.noteLastTraded, unlisted)) }
  }

  /// Prints the changes of a match in the order of their times.
  private func list(
    _ match: RecordedMatch, _ reader: HistoryReader, _ range: Range<Int64>, _ output: inout HistoryOutput
  ) throws {
    var rows: [(market: Int, outcome: Int, change: RecordedChange)] = []
    for (market, row) in match.markets.enumerated() {
      for (outcome, row) in row.outcomes.enumerated() {
        for change in try reader.changes(of: row, in: range) where change.time >= range.lowerBound {
          rows.append((market, outcome, change))
        }
      }
    }
    rows.sort { ($0.change.time, $0.market, $0.outcome) < ($1.change.time, $1.market, $1.outcome) }
    for row in rows {
      let market = match.match.markets[row.market]
      try output.add(match, market, market.outcomes[row.outcome], row.change)
    }
  }

  /// Prints a line for each outcome that had a price to bet on. Returns the number of outcomes that have last traded
  /// prices only.
  private func summarize(
    _ match: RecordedMatch, _ reader: HistoryReader, _ range: Range<Int64>, _ output: inout HistoryOutput
  ) throws -> Int {
    var unlisted = 0
    let kickOff = try reader.kickOff(of: match)
    for (market, row) in zip(match.match.markets, match.markets) {
      for (outcome, place) in zip(market.outcomes, row.outcomes) {
        let series = try reader.series(of: place, in: row, range)
        if let summary = try reader.summary(of: place, series, in: range, kickOff: kickOff) {
          try output.add(match, market, outcome, summary)
        } else if place.hasLastTradedPricesOnly(series) {
          unlisted += 1
        }
      }
    }
    return unlisted
  }
}
