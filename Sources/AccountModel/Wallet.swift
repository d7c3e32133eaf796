package import FoundationCore

/// The money of a player, in one currency.
package struct Wallet: Hashable, Sendable {
  /// The ISO 4217 code of the currency: "EUR".
  package var currency: String
  /// The money that can be paid out.
  package var real: Decimal
  /// The money that can only be played with.
  package var bonus: Decimal

  package init(currency: String, real: Decimal, bonus: Decimal) {
    self.currency = currency
    self.real = real
    self.bonus = bonus
  }

  package var total: Decimal { real + bonus }
}

/// The parts of a wallet, with the feed's names (AccountStream.md).
package enum WalletPart: String, CaseIterable, Hashable, Sendable {
  case real = "Real"
  case bonus = "Bonus"
}
