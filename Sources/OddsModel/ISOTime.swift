/// Formatting of times as ISO 8601 text.
package enum ISOTime {
  /// Returns milliseconds since 1970 as `2025-06-06T16:00:00Z`, with a fraction only if it is not zero.
  package static func text(_ milliseconds: Int64) -> String {
    let (days, time) = floored(milliseconds, by: 86_400_000)
    let (year, month, day) = date(days)
    let fraction = time % 1000 == 0 ? "" : ".\(padded(time % 1000, 3))"
    return "\(padded(year, 4))-\(padded(month, 2))-\(padded(day, 2))"
      + "T\(padded(time / 3_600_000, 2)):\(padded(time / 60_000 % 60, 2)):\(padded(time / 1000 % 60, 2))\(fraction)Z"
  }

  /// Returns the Gregorian date that is `days` after 1970-01-01.
  ///
  /// Counts years from March, so that the leap day is the last day of a year.
  package static func date(_ days: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marchMonth + 2) / 5 + 1)
  }

  private static func floored(_ value: Int64, by divisor: Int64) -> (Int64, Int64) {
    let rest = (value % divisor + divisor) % divisor
    return ((value - rest) / divisor, rest)
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let text = String(value)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}
