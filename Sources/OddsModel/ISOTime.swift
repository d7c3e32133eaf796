/// Formatting and parsing of times as ISO 8601 text.
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

  /// Returns milliseconds since 1970 for a text such as `2025-06-06T16:00:00.000Z` or `2025-06-06T18:00:00+02:00`; nil
  /// for a text of another form. A day up to 31 is accepted in each month: February 31 is March 3 or 2.
  package static func milliseconds(_ text: String) -> Int64? {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T"),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"), let year = number(bytes[0..<4]),
      let month = number(bytes[5..<7]), let day = number(bytes[8..<10]), let hour = number(bytes[11..<13]),
      let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]), 1...12 ~= month, 1...31 ~= day,
      hour < 24, minute < 60, second <= 60
    else { return nil }
    var rest = bytes[19...]
    var fraction: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      let digits = rest.dropFirst().prefix { 0x30...0x39 ~= $0 }
      guard let value = number((digits + [0x30, 0x30]).prefix(3)), !digits.isEmpty else { return nil }
      fraction = value
      rest = rest.dropFirst(digits.count + 1)
    }
    guard let offset = offset(rest) else { return nil }
    let seconds = days(year, month, day) * 86400 + hour * 3600 + minute * 60 + second - offset
    return seconds * 1000 + fraction
  }

  /// Returns the seconds in a time zone such as `Z`, `+02:00` or `-0330`; nil for another text.
  private static func offset(_ zone: ArraySlice<UInt8>) -> Int64? {
    if zone.elementsEqual("Z".utf8) { return 0 }
    let digits = zone.dropFirst().filter { $0 != UInt8(ascii: ":") }
    guard let sign = zone.first, "+-".utf8.contains(sign), digits.count == 4, let value = number(digits[...]) else {
      return nil
    }
    return (value / 100 * 3600 + value % 100 * 60) * (sign == UInt8(ascii: "-") ? -1 : 1)
  }

  /// Returns the days from 1970-01-01 to a Gregorian date. Inverse of `date`.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let (era, yearOfEra) = floored(month <= 2 ? year - 1 : year, by: 400)
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> Int64? {
    guard !digits.isEmpty, digits.count < 18, digits.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int64($1 - 0x30) }
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
