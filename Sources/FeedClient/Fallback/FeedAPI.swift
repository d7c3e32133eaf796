package import OddsFeed

/// A feed's REST interface (REST.md): what a channel shows before there is a stream, or instead of one.
package protocol FeedAPI: Sendable {
  /// What the interface knows of a topic now; nil where it has nothing about that topic, which is no error. Whoever cancels
  /// the task gives the question up.
  func snapshot(of topic: Topic) async throws(FeedError) -> APISnapshot?
}

/// A topic's matches as the REST interface lists them: heads, and the prices of one market.
package struct APISnapshot: Hashable, Sendable {
  /// One match.
  package struct Row: Hashable, Sendable {
    package var matchID: String
    package var home: String
    package var away: String
    /// In milliseconds since 1970.
    package var startTime: Int64?
    /// Nil where no price is told.
    package var homeOdds: DecimalOdds?
    package var drawOdds: DecimalOdds?
    package var awayOdds: DecimalOdds?
    /// Whether the market has a draw, priced or not.
    package var hasDraw: Bool

    package init(
      matchID: String, home: String, away: String, startTime: Int64? = nil, homeOdds: DecimalOdds? = nil,
      drawOdds: DecimalOdds? = nil, awayOdds: DecimalOdds? = nil, hasDraw: Bool
    ) {
      self.matchID = matchID
      self.home = home
      self.away = away
      self.startTime = startTime
      self.homeOdds = homeOdds
      self.drawOdds = drawOdds
      self.awayOdds = awayOdds
      self.hasDraw = hasDraw
    }
  }

  /// In the order in which the interface lists them.
  package var rows: [Row]
  /// How many elements of the answer were bad and set aside.
  package var rejected: Int

  package init(rows: [Row], rejected: Int = 0) {
    self.rows = rows
    self.rejected = rejected
  }
}
