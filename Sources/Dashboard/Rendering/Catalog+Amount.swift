import FoundationCore
import Localization

extension Catalog {
  /// Returns an exact amount with its currency: "1,234.50 EUR".
  func amount(_ amount: Decimal, _ currency: String) -> String { "\(number(amount, of: currency)) \(currency)" }

  /// Returns an amount with all its decimals, and with at least the usual number of decimals of its currency.
  func number(_ amount: Decimal, of currency: String) -> String {
    if amount.isNaN { return "?" }
    let parts = "\(amount.magnitude)".split(separator: ".")
    var decimals = parts.count > 1 ? parts[1] : ""
    while decimals.last == "0" { decimals.removeLast() }
    let missing = max(0, Self.decimals(of: currency) - decimals.count)
    let fraction = decimals + String(repeating: "0", count: missing)
    return (amount < 0 ? "-" : "") + grouped(String(parts[0]))
      + (fraction.isEmpty ? "" : "\(Unicode.Scalar(decimalPoint))\(fraction)")
  }

  /// Returns the number of decimals of a currency, from ISO 4217.
  static func decimals(of currency: String) -> Int {
    switch currency {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    default: 2
    }
  }
}
