package import OddsModel

extension HistoryReader {
  /// The rows of an outcome, its market and its match.
  struct OutcomeRow {
    let outcome: OutcomeID?
    let recorded: RecordedOutcome
    let market: Int64
    let match: Int64
    /// The start time of the match in milliseconds since 1970.
    let start: Int64?
  }

  /// Returns the rows of the outcomes of a market; none if the history does not have the market.
  func rows(of market: MarketID, of match: MatchID, feed: String) throws(HistoryError) -> [OutcomeRow] {
    outcomeRows.bind(1, feed).bind(2, match.description).bind(3, market.description)
    var rows: [OutcomeRow] = []
    while try outcomeRows.step() {
      let opening = outcomeRows.integer(2).map { DecimalOdds(thousandths: $0) }
      rows.append(
        OutcomeRow(
          outcome: OutcomeID(outcomeRows.text(6)),
          recorded: RecordedOutcome(row: outcomeRows.number(0), begin: outcomeRows.number(1), opening: opening),
          market: outcomeRows.number(3), match: outcomeRows.number(4), start: outcomeRows.integer(5)))
    }
    return rows
  }

  /// Returns the recorded prices of an outcome in a time range, and its main prices up to the end of the range. Nil if
  /// the history does not have the outcome. Reads no changes outside the range but one for each of the main prices.
  ///
  /// - Parameter range: The time range in milliseconds since 1970.
  package func record(
    of outcome: OutcomeID, in market: MarketID, of match: MatchID, feed: String, range: Range<Int64>
  ) throws(HistoryError) -> OutcomeRecord? {
    guard let row = try rows(of: market, of: match, feed: feed).first(where: { $0.outcome == outcome }) else {
      return nil
    }
    let series = try series(of: row.recorded, in: range, known: try known(row.market, range))
    let kickOff = try kickOff(ofRow: row.match, startTime: row.start)
    return OutcomeRecord(
      series: series, opening: row.recorded.opening, closing: try closing(of: row.recorded, kickOff, range),
      last: try lastPrice(of: row.recorded, before: range.upperBound, isLive: true))
  }

  /// Returns the main prices of an outcome over a time range; nil if no price was live within it. The opening and the
  /// closing price can be from before the range.
  ///
  /// - Parameters:
  ///   - series: The price over the range.
  ///   - kickOff: The begin of the match in milliseconds since 1970; nil if it has not begun.
  package func summary(
    of outcome: RecordedOutcome, _ series: PriceSeries, in range: Range<Int64>, kickOff: Int64?
  ) throws(HistoryError) -> PriceSummary? {
    let live = series.steps.filter { $0.state == .live }.compactMap(\.odds)
    guard let low = live.min(), let high = live.max(), let last = live.last else { return nil }
    return PriceSummary(
      opening: outcome.opening, low: low, high: high, closing: try closing(of: outcome, kickOff, range), last: last,
      changes: series.changes)
  }

  /// Returns the closing price of an outcome if the match has begun before the end of a time range.
  private func closing(
    of outcome: RecordedOutcome, _ kickOff: Int64?, _ range: Range<Int64>
  ) throws(HistoryError) -> DecimalOdds? {
    guard let kickOff, kickOff < range.upperBound else { return nil }
    return try lastPrice(of: outcome, before: kickOff, isLive: true)
  }

  /// Returns the last price before a time; nil if there is none.
  ///
  /// - Parameter isLive: True for the last one that could be bet on.
  func lastPrice(
    of outcome: RecordedOutcome, before time: Int64, isLive: Bool
  ) throws(HistoryError) -> DecimalOdds? {
    lastPrice.bind(1, outcome.row).bind(2, time - outcome.begin).bind(3, isLive ? 1 : 0)
    return try lastPrice.single().map { DecimalOdds(thousandths: $0) }
  }
}
