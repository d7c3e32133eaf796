package import OddsModel

/// The live prices within a part of a chart.
package struct Candle: Hashable, Sendable {
  /// The price at the begin, or the first one within the part.
  package var open: DecimalOdds
  package var high: DecimalOdds
  package var low: DecimalOdds
  /// The last price.
  package var close: DecimalOdds
  /// The number of steps to a live price within the part. Unlike `PriceSeries.changes`, it counts the begin of a time
  /// in which the price is known, and leaves out suspensions.
  package var changes: Int

  /// Creates a candle with one price. `isChange` is false for the price at the begin.
  package init(_ odds: DecimalOdds, isChange: Bool) {
    open = odds
    high = odds
    low = odds
    close = odds
    changes = isChange ? 1 : 0
  }

  /// Adds a later price.
  package mutating func add(_ odds: DecimalOdds) {
    high = max(high, odds)
    low = min(low, odds)
    close = odds
    changes += 1
  }
}

/// A part of a chart.
package struct ChartColumn: Hashable, Sendable {
  /// The begin, in milliseconds since 1970.
  package let begin: Int64
  /// The live prices; nil if there was none.
  package var candle: Candle?
  /// True if the price could not be bet on at some time.
  package var isSuspended = false
  /// True if the price was not known at some time.
  package var isUnknown = false
}

extension PriceSeries {
  /// Divides a time range into columns of equal duration.
  ///
  /// - Parameter range: The time range in milliseconds since 1970. Prices after its end are left out.
  package func columns(_ count: Int, of range: Range<Int64>) -> [ChartColumn] {
    let length = range.upperBound - range.lowerBound
    guard count > 0, length > 0 else { return [] }
    var columns: [ChartColumn] = []
    columns.reserveCapacity(count)
    var index = self.index(after: range.lowerBound)
    var current = index == 0 ? nil : steps[index - 1]
    for number in 0..<count {
      let begin = range.lowerBound + length * Int64(number) / Int64(count)
      let end = range.lowerBound + length * Int64(number + 1) / Int64(count)
      var column = ChartColumn(begin: begin)
      if begin < end { column.add(current, isChange: false) }
      while index < steps.count, steps[index].time < end {
        // A step at the begin replaces the one before.
        if steps[index].time == begin { column = ChartColumn(begin: begin) }
        current = steps[index]
        column.add(current, isChange: true)
        index += 1
      }
      columns.append(column)
    }
    return columns
  }
}

extension ChartColumn {
  fileprivate mutating func add(_ step: PriceSeries.Step?, isChange: Bool) {
    guard let step, step.state == .live, let odds = step.odds else {
      if step?.state == .suspended { isSuspended = true } else { isUnknown = true }
      return
    }
    if candle == nil { candle = Candle(odds, isChange: isChange) } else { candle?.add(odds) }
  }
}
