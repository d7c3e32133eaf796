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

  /// The first price that was ever recorded; of the favourite, the lowest of the first prices of its market.
  package let opening: DecimalOdds?
  /// The prices in ascending order of time.
  package let prices: [Price]

  package init(opening: DecimalOdds?, prices: [Price]) {
    self.opening = opening
    self.prices = prices
  }
}

extension HistoryReader {
  /// Returns the recorded prices of an outcome, or of the favourite if `outcome` is nil. Nil if the history does not have
  /// the market.
  ///
  /// - Parameter range: The time range of the prices, in milliseconds since 1970; nil for the opening price only.
  package func past(
    of outcome: OutcomeID?, in market: MarketID, of match: MatchID, feed: String, range: Range<Int64>?
  ) throws(HistoryError) -> PastPrices? {
    let rows = try rows(of: market, of: match, feed: feed).filter { outcome == nil || $0.outcome == outcome }
    if rows.isEmpty { return nil }
    let openings = rows.map(\.recorded.opening)
    let opening = openings.contains(nil) ? nil : openings.compactMap { $0 }.min()
    guard let range, !range.isEmpty else { return PastPrices(opening: opening, prices: []) }
    var series: [PriceSeries] = []
    // The last prices of the outcomes that have none at first.
    var earlier: [DecimalOdds?] = []
    let known = try known(rows[0].market, range)
    for row in rows {
      let one = try self.series(of: row.recorded, in: range, known: known)
      series.append(one)
      var last: DecimalOdds?
      if outcome == nil, let first = one.steps.first, first.odds == nil {
        last = try lastPrice(of: row.recorded, before: first.time, isLive: false)
      }
      earlier.append(last)
    }
    let prices =
      outcome == nil
      ? PriceSeries.favourite(of: series, after: earlier, in: range) : series[0].livePrices(in: range)
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

  /// Returns the prices of the favourite, the outcome with the lowest price, while it is live and all outcomes have had a
  /// price. An outcome without a price counts with its last one.
  ///
  /// - Parameter earlier: The last price of each outcome before its series.
  fileprivate static func favourite(
    of series: [PriceSeries], after earlier: [DecimalOdds?], in range: Range<Int64>
  ) -> [PastPrices.Price] {
    let times = Set(series.flatMap { $0.steps.map(\.time) }).sorted()
    var steps: [Step] = []
    var places = Array(repeating: 0, count: series.count)
    var prices = earlier
    for time in times {
      for (number, one) in series.enumerated() {
        while places[number] < one.steps.count, one.steps[places[number]].time <= time {
          prices[number] = one.steps[places[number]].odds ?? prices[number]
          places[number] += 1
        }
      }
      let lowest = prices.contains(nil) ? nil : prices.compactMap { $0 }.min()
      let isLive =
        lowest != nil
        && series.indices.allSatisfy { number in
          prices[number] != lowest || places[number] > 0 && series[number].steps[places[number] - 1].state == .live
        }
      steps.append(Step(time: time, state: isLive ? .live : .suspended, odds: lowest))
    }
    return PriceSeries(steps: steps).livePrices(in: range)
  }
}
