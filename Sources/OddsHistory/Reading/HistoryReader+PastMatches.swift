package import OddsModel

/// A match of the history as it was last known.
package struct LastKnownMatch: Hashable, Sendable {
  /// The match with all markets that it ever had. The price of an outcome is the last one that could be bet on. None of
  /// them can be bet on any more.
  package let match: Match
  /// The time up to which the prices were known, in milliseconds since 1970.
  package let end: Int64

  package init(match: Match, end: Int64) {
    self.match = match
    self.end = end
  }
}

extension HistoryReader {
  /// Returns the matches of a feed that have begun and that `isFound` accepts, without their markets. The newest one is
  /// first: a match counts from its start or, if that is not known, from the time at which a channel last carried it.
  ///
  /// - Parameters:
  ///   - time: The current time in milliseconds since 1970.
  ///   - limit: The maximum number of matches.
  ///   - isFound: Called with each match, but with the id 0.
  package func pastMatches(
    feed: String, at time: Int64, limit: Int, where isFound: (Match) -> Bool
  ) throws(HistoryError) -> [Match] {
    let statement = try database.prepare(
      """
      SELECT \(Self.matchColumns) FROM match WHERE feed = ?1 AND (coalesce(start, last_seen) <= ?2
        OR status IN (\(MatchStatus.inProgress.rawValue), \(MatchStatus.ended.rawValue)))
      ORDER BY coalesce(start, last_seen) DESC, id DESC
      """)
    statement.bind(1, feed).bind(2, time)
    var found: [Match] = []
    while found.count < limit, try statement.step() {
      // NB: The process keeps the text of each id, so only the ids of the matches that are found are read.
      guard isFound(Self.match(statement, id: 0, markets: [])), let id = MatchID(statement.text(2)) else { continue }
      found.append(Self.match(statement, id: id, markets: []))
    }
    return found
  }

  /// Returns a match of a feed as it was last known; nil if the history does not have it.
  package func lastKnown(_ id: MatchID, feed: String) throws(HistoryError) -> LastKnownMatch? {
    guard let recorded = try self.match(id, feed: feed) else { return nil }
    let match = recorded.match
    var markets: [Market] = []
    for (market, row) in zip(match.markets, recorded.markets) {
      var outcomes: [Outcome] = []
      for (outcome, place) in zip(market.outcomes, row.outcomes) {
        let odds = try lastPrice(of: place, before: Int64.max / 2, isLive: true)
        outcomes.append(
          Outcome(
            id: outcome.id, name: outcome.name, key: outcome.key,
            offer: odds.map { BettingOffer(id: OfferID(raw: 0), odds: $0) }))
      }
      markets.append(
        Market(
          id: market.id, name: market.name, handicap: market.handicap, isMatchOver: true,
          isMainLine: market.isMainLine, mainMarketRank: market.mainMarketRank, outcomes: outcomes))
    }
    var known = Match(
      id: id, labels: match.labels, sportID: match.sportID, startTime: match.startTime, status: match.status,
      markets: markets)
    known.score = match.score
    // A market that a channel carries has no end.
    let newest = try end() ?? recorded.lastSeen
    let ends = recorded.markets.map { min($0.end, newest) }
    return LastKnownMatch(match: known, end: max(recorded.lastSeen, ends.max() ?? recorded.lastSeen))
  }
}
