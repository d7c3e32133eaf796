import Localization
import OddsModel
import TerminalCore

/// The time for which a frame is drawn, read once per frame.
package struct FrameTime: Hashable, Sendable {
  /// The monotonic time since the program began.
  package var uptime: Duration
  /// The wall time, in milliseconds since 1970.
  package var wall: Int64
  /// The offsets of the local time zone.
  package var zone: ZoneOffsets

  package init(uptime: Duration, wall: Int64, zone: ZoneOffsets) {
    self.uptime = uptime
    self.wall = wall
    self.zone = zone
  }

  var local: LocalTime { LocalTime(zone: zone) }

  /// The time until the local clock shows another minute.
  var untilNextMinute: Duration { time(untilMultipleOf: 60_000) }

  /// Returns the time until the wall time is the next multiple of an interval in milliseconds.
  func time(untilMultipleOf interval: Int64) -> Duration { .milliseconds(interval - wall % interval) }

  func isToday(_ time: Int64) -> Bool { local.day(time) == local.day(wall) }

  /// Returns the seconds left until a wall time, rounded up; nil if it has passed.
  func seconds(until time: Int64) -> Int? { time > wall ? Int((time - wall + 999) / 1000) : nil }

  /// Returns the time until fewer than `seconds` seconds are left until a wall time.
  func time(untilBelow seconds: Int, of time: Int64) -> Duration {
    .milliseconds(time - wall - Int64(seconds - 1) * 1000)
  }

  /// The default path of a screen dump: a file in the home directory, named after the local date and time.
  var screenFile: String {
    let (year, month, day) = local.date(wall)
    return "~/toteboard-\(year)\(month)\(day)-\(local.timeOfDay(wall).filter { $0 != ":" }).txt"
  }
}

/// The conversion of wall times, in milliseconds since 1970, to the local time zone. The offset is that of the time and
/// not the present one: clocks can be changed before a match begins.
struct LocalTime: Hashable, Sendable {
  let zone: ZoneOffsets

  /// Returns the time of day in minutes since midnight.
  func minuteOfDay(_ wall: Int64) -> Int {
    let minutes = second(wall) / 60
    return Int(((minutes % 1440) + 1440) % 1440)
  }

  /// Returns the time of day as text: 13:03:07.
  func timeOfDay(_ wall: Int64) -> String {
    var text = ShortText()
    text.push(number: ((wall / 1000 % 60) + 60) % 60, minDigits: 2)
    text.push(UInt8(ascii: ":"))
    return "\(ShortText(minuteOfDay: minuteOfDay(wall)))\(text)"
  }

  /// Returns the time of day, with the date before it if `withDay` is true.
  func stamp(_ wall: Int64, withDay: Bool, _ words: Catalog) -> String {
    guard withDay else { return timeOfDay(wall) }
    let (year, month, day) = date(wall)
    return "\(words(.accountDay, year, month, day)) \(timeOfDay(wall))"
  }

  /// Returns the number of days since 1970.
  func day(_ wall: Int64) -> Int { Int((Double(second(wall)) / 86_400).rounded(.down)) }

  /// Returns the seconds on the local clock since the beginning of 1970.
  private func second(_ wall: Int64) -> Int64 { wall / 1000 + Int64(zone.seconds(at: wall)) }

  /// Returns the month and the day of the month: 12-24.
  func monthAndDay(_ wall: Int64) -> ShortText { Self.monthAndDay(ofDay: day(wall)) }

  /// Returns the month and the day of the month of a day, given in days since 1970: 12-24.
  static func monthAndDay(ofDay day: Int) -> ShortText {
    let (_, month, day) = ISOTime.date(Int64(day))
    var text = ShortText()
    text.push(number: day, minDigits: 2)
    text.push(UInt8(ascii: "-"))
    text.push(number: month, minDigits: 2)
    return text
  }

  /// Returns the date in the Gregorian calendar, month and day with two digits.
  func date(_ wall: Int64) -> (year: String, month: String, day: String) {
    let (year, month, day) = ISOTime.date(Int64(day(wall)))
    return ("\(year)", Int(month).twoDigits, Int(day).twoDigits)
  }
}

extension Int {
  var twoDigits: String { self < 10 ? "0\(self)" : "\(self)" }

  /// Returns a number of hundredths as a decimal number without zeros at its end: "2.5" for 250.
  func asHundredths(point: UInt8 = UInt8(ascii: ".")) -> String {
    let rest = self % 100
    if rest == 0 { return "\(self / 100)" }
    return "\(self / 100)\(Unicode.Scalar(point))" + (rest.isMultiple(of: 10) ? "\(rest / 10)" : rest.twoDigits)
  }
}
