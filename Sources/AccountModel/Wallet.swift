#if canImport(FoundationEssentials)
  package import FoundationEssentials
#else
  package import Foundation
#endif

/// What a player has, in one currency.
package struct Wallet: Hashable, Sendable {
  /// ISO 4217: "EUR".
  package var currency: String
  /// Money that can be paid out.
  package var real: Decimal
  /// Money that can be played with only.
  package var bonus: Decimal

  package init(currency: String, real: Decimal, bonus: Decimal) {
    (self.currency, self.real, self.bonus) = (currency, real, bonus)
  }

  package var total: Decimal { real + bonus }
}

/// The two parts of a wallet, as the feed names them (AccountStream.md).
package enum WalletPart: String, CaseIterable, Hashable, Sendable {
  case real = "Real"
  case bonus = "Bonus"
}
