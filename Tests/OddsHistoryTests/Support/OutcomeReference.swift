import OddsModel

@testable import OddsHistory

/// The recorded prices of an outcome as plain lists, which are searched from the start.
struct OutcomeReference {
  /// All changes in ascending order of time.
  let changes: [RecordedChange]
  /// All times in which the price was known.
  let spans: [Range<Int64>]

  init(_ reader: HistoryReader, _ outcome: RecordedOutcome, in market: RecordedMarket) throws {
    let always = Int64(0)..<Int64.max / 4
    changes = try reader.changes(of: outcome, in: always)
    spans = try reader.known(market.row, always)
  }

  /// Returns the begin of a range, and the times within it at which the price or its state may change. Ascending.
  func times(in range: Range<Int64>) -> [Int64] {
    let all = changes.map(\.time) + spans.flatMap { [$0.lowerBound, $0.upperBound] }
    return Set([range.lowerBound] + all.filter { range.contains($0) }).sorted()
  }

  func state(at time: Int64) -> PriceSeries.State {
    guard spans.contains(where: { $0.contains(time) }), let change = changes.last(where: { $0.time <= time }) else {
      return .unknown
    }
    return Self.isLive(change) ? .live : .suspended
  }

  /// Returns the price at a time; nil if it is not live.
  func live(at time: Int64) -> DecimalOdds? { state(at: time) == .live ? lastPrice(at: time) : nil }

  /// Returns the price at a time, whether it can be bet on or not.
  func price(at time: Int64) -> DecimalOdds? { changes.last { $0.time <= time }?.odds }

  /// Returns the price at a time, or the last one if there is none.
  func lastPrice(at time: Int64) -> DecimalOdds? { changes.last { $0.time <= time && $0.odds != nil }?.odds }

  /// Returns the last price before a time that could be bet on.
  func lastLive(before time: Int64) -> DecimalOdds? { changes.last { $0.time < time && Self.isLive($0) }?.odds }

  private static func isLive(_ change: RecordedChange) -> Bool { change.isBettable && change.odds != nil }
}
