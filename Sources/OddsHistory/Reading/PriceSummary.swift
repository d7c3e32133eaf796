package import OddsModel

/// The main prices of an outcome over a time range.
package struct PriceSummary: Hashable, Sendable {
  /// The first price that was ever seen.
  package let opening: DecimalOdds?
  package let low: DecimalOdds
  package let high: DecimalOdds
  /// The last live price before the match began, also before the time range; nil if the match has not begun, or there
  /// was none.
  package let closing: DecimalOdds?
  /// The last live price.
  package let last: DecimalOdds
  /// The number of recorded changes.
  package let changes: Int
}

/// The record of an outcome: its price over a time range, and its main prices.
package struct OutcomeRecord: Hashable, Sendable {
  package let series: PriceSeries
  /// The first price that was ever seen.
  package let opening: DecimalOdds?
  /// The last live price before the match began, also before the time range; nil if the match has not begun, or there
  /// was none.
  package let closing: DecimalOdds?
  /// The last live price.
  package let last: DecimalOdds?

  package init(series: PriceSeries, opening: DecimalOdds?, closing: DecimalOdds?, last: DecimalOdds?) {
    self.series = series
    self.opening = opening
    self.closing = closing
    self.last = last
  }
}

extension HistoryReader {
  /// Returns the time at which a match began, in milliseconds since 1970: the time at which its status became in
  /// progress or ended, or its scheduled start if it had that status when it was first recorded. Nil if it has not
  /// begun.
  package func kickOff(of match: RecordedMatch) throws(HistoryError) -> Int64? {
    try kickOff(ofRow: match.row, startTime: match.match.startTime)
  }

  func kickOff(ofRow row: Int64, startTime: Int64?) throws(HistoryError) -> Int64? {
    let events = try events(ofRow: row)
    guard let begun = events.firstIndex(where: { $0.status == .inProgress || $0.status == .ended }) else { return nil }
    // The match had begun when it was first recorded.
    return begun == 0 ? startTime : events[begun].time
  }
}
