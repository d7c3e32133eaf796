import OddsModel

/// Parsers for the values of fields. Numbers are exact, in ten-millionths as prices are. A point or a comma separates
/// the decimals in any language.
enum FilterValue {
  /// Parses a number or a duration, or returns nil. A duration is in ten-millionths of a second; without a unit, its
  /// text is in minutes.
  static func number(_ text: String, _ kind: FilterField.Kind) -> Int64? {
    switch kind {
    case .price, .number: units(text[...])
    case .percent: units(text.hasSuffix("%") ? text.dropLast() : text[...])
    case .duration: duration(text)
    case .score, .text: nil
    }
  }

  /// Parses a score: "2-1" or "2:1".
  static func score(_ text: String) -> Score? {
    let sides = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == ":" }
    guard sides.count == 2, let home = UInt32(sides[0]), let away = UInt32(sides[1]) else { return nil }
    return Score(home: Int(home), away: Int(away))
  }

  private static func duration(_ text: String) -> Int64? {
    let lengths: [(unit: String, seconds: Int64)] = [
      ("min", 60), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400), ("", 60),
    ]
    let lower = text.lowercased()
    guard let (unit, seconds) = lengths.first(where: { lower.hasSuffix($0.unit) }),
      let units = units(lower.dropLast(unit.count))
    else { return nil }
    let (product, isTooLong) = units.multipliedReportingOverflow(by: seconds)
    return isTooLong ? nil : product
  }

  /// Parses a number with at most eleven digits before and seven after the decimal separator. The result is in
  /// ten-millionths.
  private static func units(_ text: Substring) -> Int64? {
    let isNegative = text.first == "-"
    let parts = text.dropFirst(isNegative ? 1 : 0).split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let whole = parts.first, parts.count <= 2 else { return nil }
    let rest = parts.count == 2 ? parts[1] : ""
    guard whole.count + rest.count > 0, whole.count <= 11, rest.count <= 7,
      (whole + rest).utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let units = Int64(whole + rest + String(repeating: "0", count: 7 - rest.count))
    else { return nil }
    return isNegative ? -units : units
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
