import OddsFeed
import TerminalCore

extension ShortText {
  /// The widest price, in cells.
  static let priceWidth = 7

  /// A price of at most seven characters: two decimals behind a point, or another ASCII character; none from 10,000 on.
  init(_ odds: DecimalOdds, point: UInt8 = UInt8(ascii: ".")) {
    self.init()
    let hundredths = odds.hundredths
    if hundredths < 1_000_000 {
      push(number: hundredths % 100, leastDigits: 2)
      push(point)
    }
    push(number: min(hundredths / 100, 9_999_999))
  }

  /// A count of tenths with its decimal: 53 is "5.3".
  init(tenths: Int, point: UInt8) {
    self.init()
    push(number: Int64(tenths.magnitude % 10))
    push(point)
    push(number: Int64(min(tenths.magnitude / 10, 9999)))
    if tenths < 0 { push(UInt8(ascii: "-")) }
  }

  /// A time of day, from its minutes since midnight.
  init(minuteOfDay: Int) {
    self.init()
    push(number: Int64(minuteOfDay % 60), leastDigits: 2)
    push(UInt8(ascii: ":"))
    push(number: Int64(minuteOfDay / 60), leastDigits: 2)
  }
}
