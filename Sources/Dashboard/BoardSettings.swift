package import OddsFeed
package import TerminalCore

/// What a user can set: by the configuration, by options, and by keys for as long as the board is open.
package struct BoardSettings: Hashable, Sendable {
  /// How prices are written.
  package var odds = OddsFormat.decimal
  /// What the rows are sorted by.
  package var order = RowOrder()
  package var theme = Theme.dark
  /// Themes that the user has made.
  package var ownThemes: [Theme] = []
  /// False where the mouse is the terminal's, to select text.
  package var usesMouse = true
  /// No highlights, few frames, no counters.
  package var isLowBandwidth = false
  /// How often each match may change on the screen.
  package var throttle = Duration.zero
  package var keys = KeyMap.standard
  /// What is watched for, besides what was added by hand.
  package var alerts: [AlertRule] = []

  /// The settings of somebody who has set nothing.
  package init() {}
}

extension BoardSettings {
  /// The theme of that name, of the user's own or of ours.
  package func theme(named name: String) -> Theme? { themes.first { $0.name == name } }

  /// The user's own themes, and ours.
  package var themes: [Theme] { ownThemes + Theme.builtIn }
}

extension Theme {
  /// The themes of a user who has made none.
  package static let builtIn = ["dark", "light", "high-contrast", "colour-blind", "monochrome"].map(Theme.init(name:))
}
