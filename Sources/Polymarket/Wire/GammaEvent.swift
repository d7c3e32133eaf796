/// An event of Gamma, the interface for names (Gamma.md): a game with its markets, by the fields that are used.
package struct GammaEvent: Hashable, Sendable {
  package var id: UInt64
  package var slug = ""
  package var title = ""
  /// The id of the game, by which scores are joined; nil if the event is no game.
  package var gameID: UInt64?
  /// The start of the game, in milliseconds since 1970.
  package var startTime: Int64?
  package var isLive = false
  package var hasEnded = false
  package var isClosed = false
  /// The score as text, such as `2-1`; empty if there is none.
  package var score = ""
  package var period = ""
  package var elapsed = ""
  package var markets: [GammaMarket] = []

  package init(id: UInt64) { self.id = id }

  /// The code of the league, such as `nba`: the slug's first part.
  package var league: String { String(slug.prefix { $0 != "-" }) }

  /// The two participants in the order of the title; nil if the title names no two.
  package var participants: (first: String, second: String)? {
    let name = title.split(separator: " - ", maxSplits: 1).first.map(String.init) ?? title
    for separator in [" vs. ", " vs ", " @ "] {
      let parts = name.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
      if parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty { return (parts[0], parts[1]) }
    }
    return nil
  }
}

extension GammaEvent {
  /// The longest time that a game takes from its start, in milliseconds.
  static let maxGame: Int64 = 4 * 3_600_000

  /// Returns the event with the markets suspended that may have ended by `now`, in milliseconds since 1970: those whose
  /// time to end has come, and without such a time those of a game that began long enough ago.
  func suspended(after now: Int64) -> GammaEvent {
    var event = self
    for index in markets.indices {
      guard let end = markets[index].endTime ?? startTime.map({ $0 + Self.maxGame }), end <= now else { continue }
      event.markets[index].takesOrders = false
    }
    return event
  }
}

/// A market of Gamma: a question with an outcome for each token.
package struct GammaMarket: Hashable, Sendable {
  package var id: UInt64
  package var question = ""
  /// The name within its group, such as a team.
  package var groupTitle = ""
  /// The kind, such as `moneyline`, `spreads` or `totals`; empty if there is none.
  package var type = ""
  /// The handicap or total, in ten-millionths.
  package var line: Int64?
  /// The seconds by which an order is delayed.
  package var delay: Int64?
  package var isActive = true
  package var isClosed = false
  package var takesOrders = true
  /// The time at which the market is due to end, in milliseconds since 1970.
  package var endTime: Int64?
  package var outcomes: [String] = []
  package var tokens: [TokenID] = []

  package init(id: UInt64) { self.id = id }
}
