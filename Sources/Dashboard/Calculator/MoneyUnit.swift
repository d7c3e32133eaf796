import Localization
import OddsModel

/// The unit of amounts of money. Amounts are whole numbers of its smallest part, such as cents.
struct MoneyUnit: Hashable, Sendable {
  /// The code of the currency: "EUR". Empty if the currency is not known.
  let code: String
  /// The number of decimals of an amount.
  let decimals: Int

  /// The unit of a currency; without one, a unit with two decimals.
  init(_ code: String?) {
    self.code = code ?? ""
    decimals = Catalog.decimals(of: self.code)
  }

  /// Parses an amount. Returns it in the smallest parts; nil if the text is not an amount, or has too many decimals.
  func amount(_ text: String) -> Int128? { Quantity.number(text, decimals: decimals).map { Int128($0) } }

  /// The number of the smallest parts in one unit.
  var partCount: Int128 { (0..<decimals).reduce(1) { count, _ in count * 10 } }
}

extension Catalog {
  /// Returns an amount in the smallest parts of a unit, without the currency: "1,234.50".
  func number(_ parts: Int128, in unit: MoneyUnit) -> String {
    let (whole, rest) = Int128(parts.magnitude).quotientAndRemainder(dividingBy: unit.partCount)
    let sign = parts < 0 ? "-" : ""
    if unit.decimals == 0 { return sign + grouped("\(whole)") }
    return "\(sign)\(grouped("\(whole)"))\(Unicode.Scalar(decimalPoint))\("\(rest + unit.partCount)".dropFirst())"
  }

  /// Returns an amount with its currency, if that is known: "1,234.50 EUR".
  func money(_ parts: Int128, in unit: MoneyUnit) -> String {
    unit.code.isEmpty ? number(parts, in: unit) : "\(number(parts, in: unit)) \(unit.code)"
  }
}
