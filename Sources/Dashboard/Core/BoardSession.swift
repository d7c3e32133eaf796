package import OddsModel
package import TerminalCore

/// The settings of a user: from the configuration, from options, and changed at run time.
package struct BoardSettings: Hashable, Sendable {
  package var odds = OddsFormat.decimal
  /// The method that makes fair prices.
  package var marginMethod = MarginMethod.proportional
  /// The part of the full Kelly stake that the bet calculator gives, in thousandths.
  package var kellyFraction = BetCalculation.wholeFraction
  package var order = RowOrder()
  package var grouping = RowGrouping.off
  /// The columns of the rows; empty for the automatic choice by the width of the screen.
  package var columns: [ChosenColumn] = []
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
  /// The link that can be copied; nil if there is none.
  package var link: LinkTemplate?
  package var alertBell = true
  /// True if an alert also shows a desktop notification, on terminals that support it.
  package var alertNotify = true

  package init() {}
}

extension BoardSettings {
  /// True if a column or the order shows the recent changes of the favourites' prices.
  var showsRecentMoves: Bool {
    let columns: [BoardColumn] = [.oneMinute, .fiveMinutes]
    return columns.contains(order.key) || self.columns.contains { columns.contains($0.column) }
  }

  /// Returns the user's own theme with a name, or else the built-in one; nil if there is none.
  package func theme(named name: String) -> Theme? { themes.first { $0.name == name } }

  /// The built-in themes, each replaced by the user's theme of the same name, followed by the user's other themes.
  package var themes: [Theme] {
    let names = Theme.all.map(\.name)
    let known = Theme.all.map { theme in ownThemes.first { $0.name == theme.name } ?? theme }
    return known + ownThemes.filter { !names.contains($0.name) }
  }
}

/// The part of a board's state that is kept between two runs of the program.
package struct BoardSession: Hashable, Sendable {
  /// A setting changed at run time. It is restored only while the configured value is the same as when it was changed.
  package struct Choice<Value: Hashable & Sendable>: Hashable, Sendable {
    package var value: Value
    package var configured: Value

    package init(_ value: Value, configured: Value) {
      self.value = value
      self.configured = configured
    }
  }

  /// A pinned row: the ids of its match and of the offers it showed.
  package struct Pin: Hashable, Sendable {
    package var match: String
    package var offers: [String]

    package init(match: String, offers: [String]) {
      self.match = match
      self.offers = offers
    }
  }

  /// The channel's English name; nil for a watch list.
  package var channel: String?
  package var odds: Choice<OddsFormat>?
  package var order: Choice<RowOrder>?
  package var columns: Choice<[ChosenColumn]>?
  package var grouping: Choice<RowGrouping>?
  /// The theme's name.
  package var theme: Choice<String>?
  package var filter = ""
  /// True if only the most important counters are shown.
  package var foldsCounters = false
  package var folds = GroupFolds()
  /// The watch lists, the first one first; empty if there is nothing to keep.
  package var watchLists: [WatchList] = []
  /// The name of the current watch list; nil for the first one.
  package var currentWatchList: String?

  package init() {}
}

extension BoardState {
  /// The session to keep for the next run.
  package var session: BoardSession {
    var session = BoardSession()
    session.channel = channel?.name
    session.odds = .init(settings.odds, configured: configured.odds)
    session.order = .init(settings.order, configured: configured.order)
    session.columns = .init(settings.columns, configured: configured.columns)
    session.grouping = .init(settings.grouping, configured: configured.grouping)
    session.folds = list.rows.folds
    session.filter = filterState.text
    session.foldsCounters = statusBar.foldsCounters
    session.theme = .init(settings.theme.name, configured: configured.theme.name)
    session.watchLists = list.watch.lists
    if list.watch.current > 0 { session.currentWatchList = list.watch.lists[list.watch.current].name }
    return session
  }
}

extension BoardSession {
  var restoredWatchLists: WatchLists { WatchLists(watchLists, current: currentWatchList) }
}

extension BoardSettings {
  /// Applies the settings changed in an earlier run whose configured values were the same.
  mutating func restore(_ session: BoardSession) {
    if let odds = session.odds, odds.configured == self.odds { self.odds = odds.value }
    if let order = session.order, order.configured == self.order { self.order = order.value }
    if let grouping = session.grouping, grouping.configured == self.grouping { self.grouping = grouping.value }
    if let columns = session.columns, columns.configured == self.columns { self.columns = columns.value }
    if let theme = session.theme, theme.configured == self.theme.name, let known = self.theme(named: theme.value) {
      self.theme = known
    }
  }
}
