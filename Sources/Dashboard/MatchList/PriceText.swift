package import OddsModel
package import TerminalCore

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
      push(number: size % one, leastDigits: isSmall ? 3 : 2)
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

  /// Creates the text of a time of day from the minutes since midnight.
  init(minuteOfDay: Int) {
    self.init()
    push(number: Int64(minuteOfDay % 60), leastDigits: 2)
    push(UInt8(ascii: ":"))
    push(number: Int64(minuteOfDay / 60), leastDigits: 2)
  }
}
