import Algorithms
package import Localization
import OddsModel
package import TerminalCore

/// An entry of the help besides the keys: a text as it is typed or shown, and its meaning.
package struct HelpRow: Sendable {
  package let label: LocalizedMessage
  package let help: LocalizedMessage

  init(_ label: LocalizedMessage, _ help: LocalizedMessage) {
    self.label = label
    self.help = help
  }

  fileprivate init(_ label: String, _ help: MessageKey) { self.init(.verbatim(label), LocalizedMessage(help)) }

  fileprivate init(_ label: MessageKey, _ help: MessageKey) {
    self.init(LocalizedMessage(label), LocalizedMessage(help))
  }

  /// The commands of the command line, then the grammar of their arguments.
  package static let commands =
    NamedCommand.allCases.map { HelpRow($0.usage, $0.help) } + [
      HelpRow("[a|b]", .commandHelpNotation),
      HelpRow(.verbatim(":the da"), LocalizedMessage(.commandHelpPrefix, ":theme dark")),
      HelpRow("back", .helpCalculateBack), HelpRow("lay", .helpCalculateLay),
      HelpRow("liability", .helpCalculateLiability), HelpRow("dutch", .helpCalculateDutch),
      HelpRow("kelly", .helpCalculateKelly),
      HelpRow("KEY", .commandHelpKey),
      HelpRow(.verbatim("FORMAT"), .list(OddsFormat.allCases.map(\.rawValue))),
      HelpRow(.verbatim("METHOD"), .list(MarginMethod.allCases.map(\.rawValue))),
      HelpRow(.verbatim("NAME"), .list(Theme.all.map(\.name))),
      HelpRow("LIST", .commandHelpList),
      HelpRow("TIME", .commandHelpTime),
      HelpRow(.verbatim("POSITION"), LocalizedMessage(.commandHelpPosition)),
      HelpRow(.list(["Tab", LocalizedMessage(.keyBackTab)]), LocalizedMessage(.commandHelpTab)),
      HelpRow(.list([LocalizedMessage(.keyUp), LocalizedMessage(.keyDown)]), LocalizedMessage(.commandHelpHistory)),
    ]

  /// The grammar of filters, then the fields and flags.
  package static let filters =
    [
      HelpRow("ars", .helpWords), HelpRow("\"ars\"", .helpText), HelpRow("odds < 2", .filterHelpNumber),
      HelpRow("name ~ ajax", .filterHelpContains), HelpRow("live odds < 2", .filterHelpAnd),
      HelpRow("live or pending", .filterHelpOr), HelpRow("not ended", .filterHelpNot),
      HelpRow("(live or ended) ajax", .filterHelpGroup), HelpRow("\"Serie A\"", .filterHelpQuotes),
      HelpRow("90s 60m 2h 1d", .filterHelpUnits), HelpRow("2.5 2,5 5%", .filterHelpNumbers),
    ] + FilterField.allCases.map { HelpRow(.verbatim($0.usage), $0.help) }
    + FilterFlag.allCases.map { HelpRow($0.rawValue, $0.help) }

  /// The grammar of alert rules, as examples.
  package static let rules = [
    HelpRow("1 >= 2.10", .helpRulePrice), HelpRow("favourite < 1.5", .ruleHelpComparisons),
    HelpRow("any move 5% in 10m", .helpRuleMove), HelpRow("market \"M\" outcome \"O\"", .helpRuleOutcome),
    HelpRow("when minute > 80 and lead = 0", .ruleHelpCondition),
    HelpRow("every outcome down 5% in 1h", .ruleHelpEvery),
    HelpRow("any move 10% from opening", .ruleHelpOpening), HelpRow("any lowest in 24h", .ruleHelpLowest),
    HelpRow("suspended", .helpRuleEvent), HelpRow("score", .ruleHelpScore), HelpRow("kickoff in 5m", .ruleHelpKickoff),
    HelpRow("ajax 1 >= 2.10", .ruleHelpWords), HelpRow("match 1234 score", .ruleHelpMatch),
    HelpRow("1 >= 2.10 once", .ruleHelpOnce), HelpRow("1 >= 2.10 again", .ruleHelpAgain),
    HelpRow("again by 3%", .ruleHelpAgainBy), HelpRow("30s 10m 2h", .ruleHelpUnits),
    HelpRow(":alert RULE", .ruleHelpSeveral),
  ]

  /// The columns of the list. Those with the same description share a row.
  package static let columns = ColumnEntry.table.chunked { $0.help == $1.help }.map { entries in
    HelpRow(.list(entries.map(\.title)), entries[entries.startIndex].help)
  }

  /// The columns of an open match.
  package static let detailColumns = [
    HelpRow(.detailColumnOutcome, .columnHelpOutcome), HelpRow(.detailColumnPrice, .columnHelpPrice),
    HelpRow(.columnFair, .columnHelpFair), HelpRow("proportional", .helpFairProportional),
    HelpRow("power", .helpFairPower), HelpRow(.detailColumnOpen, .columnHelpOpen),
    HelpRow(
      .list(DetailLayout.spans.compactMap { $0 }.map { LocalizedMessage(.detailColumnSpan, $0 / 60) }),
      LocalizedMessage(.columnHelpSpan)),
    HelpRow(.detailColumnChance, .columnHelpChance), HelpRow(.columnStake, .columnHelpStake),
  ]

  /// Returns the parts of the two rows below the matches.
  package static func counters(_ set: GlyphSet) -> [HelpRow] {
    [
      HelpRow(.counterFrames, .counterHelpFrames), HelpRow(.counterUpdates, .counterHelpUpdates),
      HelpRow(.counterChanges, .counterHelpChanges), HelpRow(.counterConflated, .counterHelpConflated),
      HelpRow(.counterBytes, .counterHelpBytes),
      HelpRow(LocalizedMessage(.counterFrameTime, Glyphs(set).micro), LocalizedMessage(.counterHelpFrameTime)),
      HelpRow("12k 3M", .counterHelpLarge),
      HelpRow(LocalizedMessage(.listLoaded, "100", "900"), LocalizedMessage(.counterHelpLoaded)),
      HelpRow("/ajax", .counterHelpFound),
      HelpRow(LocalizedMessage(.modeFrozen, 3), LocalizedMessage(.counterHelpFrozen)),
      HelpRow(LocalizedMessage(.modeDamage, 3, 120), LocalizedMessage(.counterHelpDamage)),
      HelpRow(.modeWholeScreen, .counterHelpWhole),
      HelpRow(LocalizedMessage(.alertHint, 2), LocalizedMessage(.counterHelpAlerts)),
    ]
  }

  /// Returns the symbols of the board as the terminal shows them, with the decimal point of a language.
  package static func symbols(_ set: GlyphSet, _ words: Catalog) -> [HelpRow] {
    let glyphs = Glyphs(set)
    let price = words.price(DecimalOdds(units: 25_000_000))
    return [
      HelpRow("\(glyphs.up.text) \(glyphs.down.text)", .symbolMoved), HelpRow("\(glyphs.doubt)", .symbolDoubt),
      HelpRow(.rowSuspended, .symbolSuspended), HelpRow("-", .symbolClosed),
      HelpRow("(\(price))", .symbolLastTraded), HelpRow(.rowEnded, .symbolOver),
      HelpRow("\(glyphs.unfolded.text) \(glyphs.folded.text)", .symbolGroup),
      HelpRow(glyphs.bullet, .symbolGroupChanged),
      HelpRow(glyphs.pin.text, .symbolPinned), HelpRow("\(glyphs.alert)", .symbolAlert),
      HelpRow(glyphs.serving.text, .symbolServing), HelpRow(glyphs.redCard.text, .symbolRedCard),
      HelpRow(glyphs.chosen.0, .symbolChosen), HelpRow(glyphs.marked.text, .symbolMarked),
      HelpRow(glyphs.axis.suspended.text, .symbolSuspendedTime), HelpRow(glyphs.live, .symbolLive),
      HelpRow(glyphs.ended, .symbolEnded), HelpRow("\(glyphs.playing) \(glyphs.paused)", .symbolPlayback),
      HelpRow("\(glyphs.progress.played.text)\(glyphs.progress.rest.text)", .symbolProgress),
      HelpRow(glyphs.unknown, .symbolUnknown), HelpRow("+", .symbolUnloaded),
      HelpRow(glyphs.ellipsis.text, .symbolMore),
    ]
  }
}
