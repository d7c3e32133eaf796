import OddsFeed

/// Parsers for the values of fields.
enum FilterValue {
  /// Parses a number or a duration, in ten-millionths. A duration without a unit is in minutes.
  static func number(_ text: String, _ kind: FilterField.Kind) -> Int64? {
    switch kind {
    case .price, .number: Quantity.number(text)
    case .percent: Quantity.number(text.hasSuffix("%") ? text.dropLast() : text[...])
    case .duration: Quantity.duration(text, units: [.seconds, .minutes, .hours, .days], unitless: .minutes)
    case .score, .text: nil
    }
  }

  /// Parses a score: "2-1" or "2:1".
  static func score(_ text: String) -> Score? {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == ":" }
    guard sides.count == 2, let home = UInt32(sides[0]), let away = UInt32(sides[1]) else { return nil }
    return Score(home: Int(home), away: Int(away))
  }
}

extension MatchRow {
  /// Returns the value of a numeric field in ten-millionths, or nil if the row has none. `wall` is in milliseconds
  /// since 1970.
  func number(_ field: FilterField, at wall: Int64) -> Int64? {
    switch field {
    case .favourite: return favourite?.units
    case .home: return prices.first.bettable?.units
    case .draw: return prices.middle.bettable?.units
    case .away: return prices.last.bettable?.units
    case .overround: return overround.shown.map { Self.scaled($0, by: DecimalOdds.unitsPerOne / 10) }
    case .move: return move.map { Self.scaled($0.magnitude, by: DecimalOdds.unitsPerOne / 100) }
    case .minute: return minute.map { Self.scaled($0) }
    case .total: return score.map { Self.scaled($0.home.addingReportingOverflow($0.away).partialValue) }
    case .lead: return score.map { Self.scaled($0.home.subtractingReportingOverflow($0.away).partialValue.magnitude) }
    case .start:
      guard status == .pending || status == .unknown, let startTime else { return nil }
      let (time, isTooFar) = startTime.subtractingReportingOverflow(wall)
      return isTooFar ? nil : Self.scaled(time, by: DecimalOdds.unitsPerOne / 1000)
    case .odds, .score, .name, .tournament, .country, .part, .sport: return nil
    }
  }

  /// Returns the product, clamped to the range of `Int64`.
  private static func scaled(_ count: some BinaryInteger, by unit: Int64 = DecimalOdds.unitsPerOne) -> Int64 {
    let (product, isTooMuch) = Int64(clamping: count).multipliedReportingOverflow(by: unit)
    return isTooMuch ? (count < 0 ? .min : .max) : product
  }
}
