package import OddsModel

/// A feed's REST interface (REST.md), which supplies data before the stream is in, or instead of it.
package protocol FeedAPI: Sendable {
  /// Returns the current snapshot of a topic; nil if the interface does not offer the topic, which is not an error.
  /// Cancelling the task cancels the request.
  func snapshot(of topic: Topic) async throws(FeedError) -> APISnapshot?
}

/// The matches of a topic as the REST interface lists them: the participants, and the prices of one market.
package struct APISnapshot: Hashable, Sendable {
  package struct Row: Hashable, Sendable {
    package var matchID: String
    package var home: String
    package var away: String
    /// The start time, in milliseconds since 1970; nil if unknown.
    package var startTime: Int64?
    /// The price of a home win; nil if there is none. The same holds for the other two prices.
    package var homeOdds: DecimalOdds?
    package var drawOdds: DecimalOdds?
    package var awayOdds: DecimalOdds?
    /// True if the market has a draw outcome, priced or not.
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

  /// The matches in the order of the answer.
  package var rows: [Row]
  /// The number of malformed elements that were skipped.
  package var rejected: Int

  package init(rows: [Row], rejected: Int = 0) {
    self.rows = rows
    self.rejected = rejected
  }
}
