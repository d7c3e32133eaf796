package import OddsFeed
package import TerminalCore

/// What a user can set: by the configuration, by options, and by keys for as long as the board is open.
package struct BoardSettings: Hashable, Sendable {
  /// How prices are written.
  package var odds = OddsFormat.decimal
  /// What the rows are sorted by.
  package var order = RowOrder()
  package var theme = Theme.auto
  /// Besides those that everybody has; one of the same name takes the other's place.
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
  /// Whether an alert rings the terminal's bell.
  package var alertBell = true
  /// Whether an alert is told to the desktop, where the terminal can.
  package var alertNotify = true

  /// The settings of somebody who has set nothing.
  package init() {}
}

extension BoardSettings {
  /// The user's own theme of a name, or else one that everybody has.
  package func theme(named name: String) -> Theme? { themes.first { $0.name == name } }

  /// Those that everybody has, each as the user has it, then the user's own.
  package var themes: [Theme] {
    let names = Theme.all.map(\.name)
    let known = Theme.all.map { theme in ownThemes.first { $0.name == theme.name } ?? theme }
    return known + ownThemes.filter { !names.contains($0.name) }
  }
}
