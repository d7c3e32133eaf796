package import Localization
package import OddsModel

/// The alerts of one channel without a board.
package struct AlertWatch: Sendable {
  private let formatter: ChangeFormatter
  private var store: AlertStore
  private var connection: PlainConnection?
  /// The state of the connection in the last note.
  private var noted = PlainConnection.well
  /// The indices of the rules that name an outcome and have not applied to a match with markets yet.
  private var pendingRules: Set<Int>
  private var unseenRules: [AlertRule] = []

  /// - Parameter readsHistory: True if the requests for recorded prices are answered.
  package init(settings: BoardSettings, readsHistory: Bool, words: Catalog) {
    formatter = ChangeFormatter(words: words, odds: settings.odds)
    store = AlertStore(settings.alerts, readsHistory: readsHistory)
    pendingRules = Set(settings.alerts.indices.filter { settings.alerts[$0].event.outcome != nil })
  }

  /// True once the feed has ended or failed.
  package var isOver: Bool { connection == .ended || failure != nil }
  /// The reason why no more updates follow; nil unless the feed failed.
  package var failure: FeedError? { connection?.failure }

  /// Applies an update and returns the alerts raised.
  package mutating func apply(_ update: ChannelUpdate, now: FrameTime) -> [AlertReport] {
    connection = PlainConnection(update) ?? connection
    let wasTrusted = store.engine.isTrusted
    let events = store.apply(update, now: now)
    if store.engine.isTrusted, !pendingRules.isEmpty {
      findUnseenRules(in: wasTrusted ? update.changed : store.engine.carriedMatches.compactMap(store.engine.match))
    }
    return store.reports(of: events, formatter, now: now)
  }

  /// Removes the pending rules that apply to some of the matches, and adds those whose outcome none of them has to
  /// `unseenRules`. A match can appear before its markets do, so one without markets is skipped.
  private mutating func findUnseenRules(in matches: [Match]) {
    var seen: Set<Int> = []
    var unseen: Set<Int> = []
    for match in matches where !match.markets.isEmpty {
      for index in store.rules.indices(for: match) where pendingRules.contains(index) {
        guard let outcome = store.rules.active[index].rule.event.outcome else { continue }
        if outcome.outcomes(in: match).isEmpty { unseen.insert(index) } else { seen.insert(index) }
      }
    }
    unseen.subtract(seen)
    pendingRules.subtract(seen.union(unseen))
    unseenRules += unseen.sorted().map { store.rules.active[$0].rule }
  }

  /// Returns the rules since the last call whose outcome was in no match when they first applied to one.
  package mutating func drainUnseenRules() -> [AlertRule] {
    defer { unseenRules = [] }
    return unseenRules
  }

  /// Returns the requests for recorded prices since the last call.
  package mutating func drainRequests() -> [AlertHistoryRequest] { store.drainRequests() }

  /// Applies recorded prices and returns the alerts raised.
  package mutating func apply(_ answers: [AlertHistoryAnswer], now: FrameTime) -> [AlertReport] {
    store.reports(of: store.apply(answers, now: now), formatter, now: now)
  }

  /// Returns the alerts that are due.
  package mutating func tick(now: FrameTime) -> [AlertReport] {
    store.reports(of: store.tick(now: now), formatter, now: now)
  }

  /// The uptime at which alerts may be due if no update arrives; nil if there are none.
  package func nextDeadline(after now: FrameTime) -> Duration? { store.engine.nextDeadline(after: now) }

  /// Returns a sentence about the connection if its state has changed.
  package mutating func connectionNote(now: FrameTime) -> String? {
    guard let connection, !isOver, !connection.isSame(as: noted) else { return nil }
    noted = connection
    return connection.text(formatter.words, now: now)
  }
}
