package import OddsModel
package import TerminalCore

/// The settings of a user: from the configuration, from options, and changed at run time.
package struct BoardSettings: Hashable, Sendable {
  /// The odds format.
  package var odds = OddsFormat.decimal
  /// The order of the rows.
  package var order = RowOrder()
  package var theme = Theme.auto
  /// The user's own themes. A theme with the name of a built-in theme replaces it.
  package var ownThemes: [Theme] = []
  /// False if the terminal keeps the mouse, to select text.
  package var usesMouse = true
  /// True to save bandwidth: no highlights, few frames, no counters.
  package var isLowBandwidth = false
  /// The least time between two changes of a match on the screen.
  package var throttle = Duration.zero
  package var keys = KeyMap.standard
  /// The configured alert rules, besides those added at run time.
  package var alerts: [AlertRule] = []
  /// True if an alert rings the terminal's bell.
  package var alertBell = true
  /// True if an alert also shows a desktop notification, on terminals that support it.
  package var alertNotify = true

  /// Creates the default settings.
  package init() {}
}

extension BoardSettings {
  /// Returns the user's own theme with a name, or else the built-in one; nil if there is none.
  package func theme(named name: String) -> Theme? { themes.first { $0.name == name } }

  /// The built-in themes, each replaced by the user's theme of the same name, followed by the user's other themes.
  package var themes: [Theme] {
    let names = Theme.all.map(\.name)
    let known = Theme.all.map { theme in ownThemes.first { $0.name == theme.name } ?? theme }
    return known + ownThemes.filter { !names.contains($0.name) }
  }
}
