import Localization
import OddsModel

// The numbers in a rule.
extension AlertRuleParser {
  /// The maximum time span in a rule, in seconds.
  private static let maxSeconds: Int64 = 24 * 3600

  mutating func price() throws(FilterError) -> DecimalOdds {
    let token = nextToken()
    guard let token, let units = Self.number(token.text, decimals: 7), units > DecimalOdds.unitsPerOne,
      units <= AlertRule.highestPrice.units
    else { throw error(.alertNoPrice, at: token) }
    return DecimalOdds(units: units)
  }

  mutating func percent(_ range: ClosedRange<Int>) throws(FilterError) -> AlertRule.Percent {
    let token = nextToken()
    var digits = token?.text ?? ""
    if digits.hasSuffix("%") { digits.removeLast() } else if next?.text == "%" { index += 1 }
    guard let hundredths = Self.number(digits, decimals: 2), range.contains(Int(hundredths)) else {
      let bounds = [range.lowerBound, range.upperBound].map { AlertRule.Percent(hundredths: $0).text }
      throw FilterError(
        at: token?.range.lowerBound ?? end, LocalizedMessage(.alertNoPercent, token?.text ?? "", bounds[0], bounds[1]))
    }
    return AlertRule.Percent(hundredths: Int(hundredths))
  }

  private static func number(_ text: String, decimals: Int) -> Int64? {
    text.last == "." || text.last == "," ? nil : Quantity.number(text, decimals: decimals)
  }

  mutating func time() throws(FilterError) -> Duration {
    let token = nextToken()
    // In ten-millionths of a second.
    let value = Quantity.duration(token?.keyword ?? "", units: [.seconds, .minutes, .hours])
    guard let (seconds, rest) = value?.quotientAndRemainder(dividingBy: DecimalOdds.unitsPerOne), rest == 0,
      1...Self.maxSeconds ~= seconds
    else { throw error(.alertNoTime, at: token) }
    return .seconds(seconds)
  }
}
