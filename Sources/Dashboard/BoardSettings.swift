package import OddsFeed
package import TerminalCore

/// What a user can set: by the configuration, by options, and by keys for as long as the board is open.
package struct BoardSettings: Hashable, Sendable {
  /// How prices are written.
  package var odds = OddsFormat.decimal
  /// What the rows are sorted by.
  package var order = RowOrder()
  package var theme = Theme.dark
  /// False where the mouse is the terminal's, to select text.
  package var usesMouse = true
  /// No highlights, few frames, no counters.
  package var isLowBandwidth = false
  /// What is watched for, besides what was added by hand.
  package var alerts: [AlertRule] = []

  /// The settings of somebody who has set nothing.
  package init() {}
}
