import Localization
package import OddsModel
package import TerminalCore

/// The time since a price changed, in steps coarse enough that a quiet board needs few redraws.
struct Age: Hashable {
  /// The age at which this step began, in seconds.
  private let seconds: Int

  /// Returns nil below the first step: 15 seconds, or 1 second if `finely` is true. The steps of the first minute have
  /// that length too.
  init?(_ time: Duration, finely: Bool = false) {
    let age = Int(time.components.seconds)
    let length = Self.length(at: age, finely: finely)
    guard age >= length else { return nil }
    seconds = age / length * length
  }

  /// True if the text counts seconds.
  var isUnderMinute: Bool { seconds < 60 }

  /// Returns the step's text, at most four cells wide: the number of days is limited to what fits.
  func text(_ words: Catalog) -> String {
    switch seconds {
    case ..<60: return words(.ageSeconds, seconds)
    case ..<3600: return words(.ageMinutes, seconds / 60)
    case ..<86400: return words(.ageHours, seconds / 3600)
    default:
      let text = words(.ageDays, min(seconds / 86400, 999))
      return text.cellWidth > 4 ? words(.ageDays, min(seconds / 86400, 99)) : text
    }
  }

  /// Returns the age at which a step ends and the next begins.
  static func end(of age: Age?, finely: Bool = false) -> Duration {
    let start = age?.seconds ?? 0
    return .seconds(start + length(at: start, finely: finely))
  }

  private static func length(at age: Int, finely: Bool) -> Int {
    switch age {
    case ..<60: finely ? 1 : 15
    case ..<3600: 60
    case ..<86400: 3600
    default: 86400
    }
  }
}

extension ShortText {
  /// The width of the widest price, in cells.
  static let priceWidth = 7

  /// Creates the text of a price, at most seven characters, with an ASCII decimal separator.
  package init(_ odds: DecimalOdds, _ format: OddsFormat = .decimal, point: UInt8 = UInt8(ascii: ".")) {
    self.init()
    switch format.figure(of: odds) {
    case .amount(let units): push(amount: units, point: point)
    case .fraction(let wins, let stake):
      push(number: stake)
      push(UInt8(ascii: "/"))
      push(number: min(wins, 99_999))
    case .whole(let count):
      push(number: Int64(min(count.magnitude, 999_999)))
      push(UInt8(ascii: count < 0 ? "-" : "+"))
    case .perMille(let chance):
      push(UInt8(ascii: "%"))
      push(number: chance % 10)
      push(point)
      push(number: chance / 10)
    case .nothing: push(UInt8(ascii: "0"))
    }
  }

  /// Writes two decimals; three below 0.1, where two are too coarse; none if they do not fit.
  private mutating func push(amount units: Int64, point: UInt8) {
    let isSmall = units.magnitude < 1_000_000
    let size = Int64(isSmall ? (units.magnitude + 5_000) / 10_000 : (units.magnitude + 50_000) / 100_000)
    let one: Int64 = isSmall ? 1000 : 100
    if size < (units < 0 ? 100_000 : 1_000_000) {
      push(number: size % one, minDigits: isSmall ? 3 : 2)
      push(point)
    }
    push(number: min(size / one, units < 0 ? 999_999 : 9_999_999))
    if units < 0 { push(UInt8(ascii: "-")) }
  }

  /// Creates the text of a count of tenths with one decimal: 53 is "5.3".
  init(tenths: Int, point: UInt8) {
    self.init()
    push(number: Int64(tenths.magnitude % 10))
    push(point)
    push(number: Int64(min(tenths.magnitude / 10, 9999)))
    if tenths < 0 { push(UInt8(ascii: "-")) }
  }

  /// Creates the text of a minute of the match clock: 67'.
  init(minute: Int) {
    self.init()
    push(UInt8(ascii: "'"))
    push(number: Int64(minute))
  }

  /// Creates the text of a time of day from the minutes since midnight.
  init(minuteOfDay: Int) {
    self.init()
    push(number: Int64(minuteOfDay % 60), minDigits: 2)
    push(UInt8(ascii: ":"))
    push(number: Int64(minuteOfDay / 60), minDigits: 2)
  }
}

extension Catalog {
  /// Returns a price with the language's decimal separator, at most seven characters.
  func price(_ odds: DecimalOdds, _ format: OddsFormat = .decimal) -> ShortText {
    ShortText(odds, format, point: decimalPoint)
  }

  /// Returns a count of tenths with one decimal and the language's decimal separator.
  func tenths(_ count: Int) -> ShortText { ShortText(tenths: count, point: decimalPoint) }
}
