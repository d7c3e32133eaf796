import OddsModel

extension HistoryReader {
  /// Returns the first prices of all outcomes of a feed.
  package func openings(feed: String) throws(HistoryError) -> OpeningBatch {
    let statement = try database.prepare(
      """
      SELECT match.feed_id, market.feed_id, outcome.feed_id, outcome.opening FROM match
      JOIN market ON market.match = match.id JOIN outcome ON outcome.market = market.id
      WHERE match.feed = ?1 AND outcome.opening IS NOT NULL
      """)
    statement.bind(1, feed)
    var batch = OpeningBatch()
    while try statement.step() {
      guard let match = MatchID(statement.text(0)), let market = MarketID(statement.text(1)),
        let outcome = OutcomeID(statement.text(2))
      else { continue }
      let odds = DecimalOdds(thousandths: statement.number(3))
      batch.prices.append(OpeningBatch.Price(match: match, market: market, outcome: outcome, odds: odds))
    }
    return batch
  }
}
