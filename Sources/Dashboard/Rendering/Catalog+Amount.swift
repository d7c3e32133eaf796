import Localization

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension Catalog {
  /// An amount with its currency, as exact as it is: "1,234.50 EUR".
  func amount(_ amount: Decimal, _ currency: String) -> String { "\(number(amount, of: currency)) \(currency)" }

  /// An amount of a currency, with all its decimals, and at least those that the currency usually has.
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

  /// Of ISO 4217.
  private static func decimals(of currency: String) -> Int {
    switch currency {
    case "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF":
      0
    case "BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND": 3
    default: 2
    }
  }
}
