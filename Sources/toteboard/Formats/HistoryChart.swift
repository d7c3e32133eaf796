import Localization
import OddsHistory
import OddsModel
import TerminalCore

/// The recorded prices of a market over a time range.
struct HistoryChart {
  struct Line {
    let name: String
    let series: PriceSeries
    let summary: PriceSummary

    /// Returns the opening, closing and last price in words.
    func prices(_ words: Catalog) -> String {
      let prices: [(MessageKey, DecimalOdds?)] = [
        (.chartOpening, summary.opening), (.chartClosing, summary.closing), (.chartLast, summary.last),
      ]
      return prices.compactMap { key, odds in odds.map { words(key, "\($0)") } }.joined(separator: "  ")
    }
  }

  let title: String
  /// The market and the time range.
  let subtitle: String
  /// The time range in milliseconds since 1970.
  let range: Range<Int64>
  /// The outcomes with a live price.
  let lines: [Line]
  /// The goals within the range: their times, and the score after them.
  let goals: [(time: Int64, score: Score)]
  /// The begin of the match in milliseconds since 1970; nil if it is not known or not within the range.
  let kickOff: Int64?

  /// - Throws: `CommandError` if no outcome had a live price, which the price of the last matched bet is not.
  ///   `HistoryError` if the history cannot be read.
  init(
    _ reader: HistoryReader, _ match: RecordedMatch, _ market: Market, _ row: RecordedMarket, _ outcomes: [Int],
    in period: Range<Int64>
  ) throws {
    let kickOff = try reader.kickOff(of: match)
    var lines: [Line] = []
    var hasLastTraded = false
    for index in outcomes {
      let place = row.outcomes[index]
      let series = try reader.series(of: place, in: row, period)
      guard let summary = try reader.summary(of: place, series, in: period, kickOff: kickOff) else {
        hasLastTraded = hasLastTraded || place.hasLastTradedPricesOnly(series)
        continue
      }
      lines.append(Line(name: market.outcomes[index].name.cleaned, series: series, summary: summary))
    }
    let times = lines.flatMap { [$0.series.steps[0].time, $0.series.steps[$0.series.steps.count - 1].time] }
    guard let first = times.min(), let last = times.max() else {
      throw CommandError(hasLastTraded ? .historyLastTraded : .historyNoPrices, match.match.name.cleaned)
    }
    self.lines = lines
    let range = first..<max(first + 1000, last)
    self.range = range
    self.kickOff = kickOff.flatMap { range.contains($0) ? $0 : nil }
    let events = try reader.events(of: match)
    goals = zip(events, events.dropFirst()).compactMap { before, after in
      guard let score = after.score, before.score != nil, before.score != after.score, range.contains(after.time) else {
        return nil
      }
      return (after.time, score)
    }
    title = match.match.name.cleaned
    subtitle = "\(market.name.cleaned) · \(Self.time(range.lowerBound)) – \(Self.time(range.upperBound)) UTC"
  }

  /// The lowest and the highest live price.
  var bounds: ClosedRange<DecimalOdds> {
    let (lows, highs) = (lines.map(\.summary.low), lines.map(\.summary.high))
    return (lows.min() ?? DecimalOdds(units: 0))...(highs.max() ?? DecimalOdds(units: 0))
  }

  /// Returns a time in milliseconds since 1970 as "2026-11-23 20:45", in UTC.
  static func time(_ time: Int64) -> String {
    ISOTime.text(time).prefix(16).split(separator: "T").joined(separator: " ")
  }

  /// Returns a time of day as "20:45", with seconds if `step` is less than a minute, or a day as "11-23" if it is a day
  /// or more. Both are in UTC; `step` is in milliseconds.
  static func tick(_ time: Int64, step: Int64) -> String {
    let text = ISOTime.text(time)
    if step >= 86_400_000 { return String(text.dropFirst(5).prefix(5)) }
    return String(text.dropFirst(11).prefix(step >= 60_000 ? 5 : 8))
  }

  /// Returns round times within the range, at most `count`, and the step between them, all in milliseconds.
  func ticks(_ count: Int) -> (step: Int64, times: [Int64]) {
    let steps: [Int64] = [
      1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400, 172_800, 604_800,
      1_209_600, 2_592_000, 7_776_000, 31_536_000,
    ].map { $0 * 1000 }
    let length = range.upperBound - range.lowerBound
    let step = steps.first { length / $0 < Int64(count) } ?? steps[steps.count - 1]
    let first = (range.lowerBound + step - 1) / step * step
    return (step, Array(stride(from: first, to: range.upperBound, by: Int64.Stride(step))))
  }

  /// Returns round prices within the bounds, at most `count + 1`: the multiples of the smallest step of 0.01, 0.02,
  /// 0.05, 0.10 and so on that fits into the bounds at most `count` times. Returns the lower bound if there is none.
  static func levels(_ count: Int64, in bounds: ClosedRange<DecimalOdds>) -> [DecimalOdds] {
    let (low, high) = (bounds.lowerBound.units, bounds.upperBound.units)
    var power = DecimalOdds.unitsPerOne / 100
    var factor: Int64 = 1
    while (high - low) / (power * factor) > count {
      switch factor {
      case 1: factor = 2
      case 2: factor = 5
      default:
        factor = 1
        power *= 10
      }
    }
    let step = power * factor
    let first = (low + step - 1) / step * step
    let levels = stride(from: first, through: high, by: Int64.Stride(step)).map { DecimalOdds(units: $0) }
    return levels.isEmpty ? [bounds.lowerBound] : levels
  }
}
