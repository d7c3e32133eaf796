import Localization
import OddsModel

extension Catalog {
  /// Returns an amount, given in ten-millionths, in at most five characters: "940", "1.2k", "38k", "1.2M". The text is
  /// never larger than the amount.
  func size(_ units: Int64) -> String {
    let whole = max(0, units) / DecimalOdds.unitsPerOne
    switch whole {
    case ..<1000: return "\(whole)"
    case ..<1_000_000: return scaled(whole, by: 1000) + "k"
    default: return scaled(min(whole, 9_999_000_000), by: 1_000_000) + "M"
    }
  }

  /// Returns a quotient with one decimal below 10, cut off.
  private func scaled(_ number: Int64, by unit: Int64) -> String {
    let tenths = number / (unit / 10)
    if tenths >= 100 || tenths % 10 == 0 { return "\(tenths / 10)" }
    return "\(tenths / 10)\(Unicode.Scalar(decimalPoint))\(tenths % 10)"
  }

  /// Returns an amount in whole units with its currency: "12,345 GBP".
  func amount(_ amount: Amount) -> String {
    let whole = max(0, amount.units) / DecimalOdds.unitsPerOne
    return grouped("\(whole)") + (amount.currency.map { " \($0)" } ?? "")
  }
}
