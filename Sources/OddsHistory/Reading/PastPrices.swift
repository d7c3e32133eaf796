package import OddsModel

/// The recorded prices of an outcome, or of the favourite of a market, before a time.
package struct PastPrices: Hashable, Sendable {
  /// A live price.
  package struct Price: Hashable, Sendable {
    /// The time until which the price was valid, in milliseconds since 1970.
    package let until: Int64
    /// The price, rounded to thousandths.
    package let odds: DecimalOdds

    package init(until: Int64, odds: DecimalOdds) {
      self.until = until
      self.odds = odds
    }
  }

  /// The number of parts of a time range. Of each part only the lowest and the highest price are kept.
  package static let parts = 64

  /// The first price that was ever recorded; of the favourite, the lowest of the first prices of its market. Nil if an
  /// outcome that counts has none.
  package let opening: DecimalOdds?
  /// The prices in ascending order of time.
  package let prices: [Price]

  package init(opening: DecimalOdds?, prices: [Price]) {
    self.opening = opening
    self.prices = prices
  }
}

/// The recorded prices of an outcome that can have been the favourite.
private struct Candidate {
  let series: PriceSeries
  /// The last price before the series, if that has none at first.
  let earlier: DecimalOdds?
  /// False if the market does not have the outcome any more.
  let isPresent: Bool
}

extension HistoryReader {
  /// Returns the recorded prices of an outcome, or of the favourite if `outcome` is nil. Nil if the history does not
  /// have the market.
  ///
  /// - Parameters:
  ///   - present: The outcomes that the market has now; nil for all that are recorded. Any other outcome counts only
  ///     while it had a price, because the history has the same record for a deletion and for a missing price.
  ///   - range: The time range of the prices, in milliseconds since 1970; nil for the opening price only.
  package func past(
    of outcome: OutcomeID?, present: [OutcomeID]? = nil, in market: MarketID, of match: MatchID, feed: String,
    range: Range<Int64>?
  ) throws(HistoryError) -> PastPrices? {
    let rows = try rows(of: market, of: match, feed: feed).filter { outcome == nil || $0.outcome == outcome }
    if rows.isEmpty { return nil }
    func isPresent(_ row: OutcomeRow) -> Bool { present?.contains { $0 == row.outcome } ?? true }
    let openings = rows.filter { isPresent($0) || $0.recorded.opening != nil }.map(\.recorded.opening)
    let opening = openings.contains(nil) ? nil : openings.compactMap { $0 }.min()
    guard let range, !range.isEmpty else { return PastPrices(opening: opening, prices: []) }
    var candidates: [Candidate] = []
    let known = try known(rows[0].market, range)
    for row in rows {
      let series = try series(of: row.recorded, in: range, known: known)
      var earlier: DecimalOdds?
      if outcome == nil, isPresent(row), let first = series.steps.first, first.odds == nil {
        earlier = try lastPrice(of: row.recorded, before: first.time, isLive: false)
      }
      candidates.append(Candidate(series: series, earlier: earlier, isPresent: isPresent(row)))
    }
    let prices =
      outcome == nil
      ? PriceSeries.favourite(of: candidates, in: range) : candidates[0].series.livePrices(in: range)
    return PastPrices(opening: opening, prices: PastPrices.extremes(prices, in: range))
  }
}

extension PastPrices {
  /// Returns the lowest and the highest price of each part of the range.
  static func extremes(_ prices: [Price], in range: Range<Int64>) -> [Price] {
    let length = range.upperBound - range.lowerBound
    var kept: [Price] = []
    var index = 0
    while index < prices.count {
      let part = (prices[index].until - range.lowerBound) * Int64(parts) / length
      var (low, high) = (index, index)
      while index < prices.count, (prices[index].until - range.lowerBound) * Int64(parts) / length == part {
        // NB: Of equal prices the last is valid longest.
        if prices[index].odds <= prices[low].odds { low = index }
        if prices[index].odds >= prices[high].odds { high = index }
        index += 1
      }
      for place in low == high ? [low] : [min(low, high), max(low, high)] { kept.append(prices[place]) }
    }
    return kept
  }
}

extension PriceSeries {
  /// Returns the live prices with their ends.
  fileprivate func livePrices(in range: Range<Int64>) -> [PastPrices.Price] {
    steps.indices.compactMap { index in
      guard steps[index].state == .live, let odds = steps[index].odds else { return nil }
      return PastPrices.Price(until: index + 1 < steps.count ? steps[index + 1].time : range.upperBound, odds: odds)
    }
  }

  /// Returns the prices of the favourite, the outcome with the lowest price, while it is live and all outcomes have had
  /// a price. An outcome without a price counts with its last one, unless the market does not have it any more.
  fileprivate static func favourite(of candidates: [Candidate], in range: Range<Int64>) -> [PastPrices.Price] {
    let times = Set(candidates.flatMap { $0.series.steps.map(\.time) }).sorted()
    var steps: [Step] = []
    var places = Array(repeating: 0, count: candidates.count)
    var prices = candidates.map(\.earlier)
    for time in times {
      for (number, one) in candidates.enumerated() {
        while places[number] < one.series.steps.count, one.series.steps[places[number]].time <= time {
          prices[number] = one.series.steps[places[number]].odds ?? (one.isPresent ? prices[number] : nil)
          places[number] += 1
        }
      }
      let isKnown = zip(candidates, prices).allSatisfy { !$0.isPresent || $1 != nil }
      let lowest = isKnown ? prices.compactMap { $0 }.min() : nil
      let isLive =
        lowest != nil
        && candidates.indices.allSatisfy { number in
          prices[number] != lowest
            || places[number] > 0 && candidates[number].series.steps[places[number] - 1].state == .live
        }
      steps.append(Step(time: time, state: isLive ? .live : .suspended, odds: lowest))
    }
    return PriceSeries(steps: steps).livePrices(in: range)
  }
}
