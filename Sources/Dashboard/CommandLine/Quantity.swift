import OddsModel

/// A comparison in a filter or an alert rule.
enum Comparison: String, CaseIterable, Sendable {
  case less = "<"
  case atMost = "<="
  case equal = "="
  case unequal = "!="
  case atLeast = ">="
  case greater = ">"
  case contains = "~"

  private static let others: [String: Comparison] = [
    "==": .equal, "<>": .unequal, "≠": .unequal, "≤": .atMost, "≥": .atLeast,
  ]

  /// Creates the comparison with a sign; nil if the sign is unknown.
  init?(sign: String) {
    guard let comparison = Comparison(rawValue: sign) ?? Self.others[sign] else { return nil }
    self = comparison
  }

  func holds<Value: Comparable>(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .less: left < right
    case .atMost: left <= right
    case .equal, .contains: left == right
    case .unequal: left != right
    case .atLeast: left >= right
    case .greater: left > right
    }
  }
}

/// The grammar of numbers and durations in filters, alert rules and settings, with a decimal point or a decimal comma.
enum Quantity {
  enum Unit {
    case milliseconds, seconds, minutes, hours, days
  }

  /// The units by their suffix. A longer suffix precedes a shorter one that also ends it: "ms" precedes "s".
  private static let units: [(text: String, unit: Unit)] = [
    ("min", .minutes), ("ms", .milliseconds), ("s", .seconds), ("m", .minutes), ("h", .hours), ("d", .days),
  ]

  /// Parses a number with at most eleven digits before and `decimals` after the decimal separator. Returns its value in
  /// units of the last decimal, by default in ten-millionths as prices are; nil if the text is not such a number.
  static func number(_ text: some StringProtocol, decimals: Int = 7) -> Int64? {
    let isNegative = text.first == "-"
    let parts = text.dropFirst(isNegative ? 1 : 0).split(omittingEmptySubsequences: false) { $0 == "." || $0 == "," }
    guard let whole = parts.first, parts.count <= 2 else { return nil }
    let rest = parts.count == 2 ? String(parts[1]) : ""
    guard whole.count + rest.count > 0, whole.count <= 11, rest.count <= decimals,
      (whole + rest).utf8.allSatisfy({ 0x30...0x39 ~= $0 }),
      let number = Int64(whole + rest + String(repeating: "0", count: decimals - rest.count))
    else { return nil }
    return isNegative ? -number : number
  }

  /// Parses a number with a unit of time. Returns the duration in ten-millionths of a second; nil if the text is not
  /// such a duration. `unitless` is the unit of a number without a unit, or nil if it needs one.
  static func duration(_ text: String, units allowed: Set<Unit>, unitless: Unit? = nil) -> Int64? {
    let lower = text.lowercased()
    let suffix = units.first { lower.hasSuffix($0.text) }
    guard let unit = suffix?.unit ?? unitless, allowed.contains(unit),
      let number = number(lower.dropLast(suffix?.text.count ?? 0))
    else { return nil }
    let seconds: Int64
    switch unit {
    case .milliseconds: return number / 1000
    case .seconds: seconds = 1
    case .minutes: seconds = 60
    case .hours: seconds = 3600
    case .days: seconds = 86_400
    }
    let (product, isTooLong) = number.multipliedReportingOverflow(by: seconds)
    return isTooLong ? nil : product
  }
}

/// The interval of a throttle in text form: `off`, `250ms`, `1s`. A number without a unit is in milliseconds.
package struct ThrottleInterval: CustomStringConvertible, Sendable {
  package let duration: Duration

  package init(duration: Duration) { self.duration = duration }

  /// Parses an interval. Returns nil if the text is invalid, exceeds one minute or is no whole number of milliseconds.
  package init?(argument: String) {
    if argument.lowercased() == "off" {
      duration = .zero
    } else if let value = Quantity.duration(argument, units: [.milliseconds, .seconds], unitless: .milliseconds),
      0...60 * DecimalOdds.unitsPerOne ~= value, value.isMultiple(of: DecimalOdds.unitsPerOne / 1000)
    {
      duration = .nanoseconds(value * 100)
    } else {
      return nil
    }
  }

  package var description: String {
    let milliseconds = Int(duration / .milliseconds(1))
    if milliseconds == 0 { return "off" }
    return milliseconds.isMultiple(of: 1000) ? "\(milliseconds / 1000)s" : "\(milliseconds)ms"
  }
}
