/// An amount of money: a stake that is available at a price, or the stakes that were matched.
public struct Amount: Hashable, Sendable {
  /// The amount in ten-millionths of the currency's unit. An amount of 12.50 is 125,000,000.
  public var units: Int64
  /// The currency; nil if the feed gave none.
  public var currency: Currency?

  /// Creates an amount from a count of ten-millionths of the currency's unit.
  public init(units: Int64, currency: Currency? = nil) {
    self.units = units
    self.currency = currency
  }
}

/// A currency by its code, such as `GBP` or `USDC`: two to four capital ASCII letters.
public struct Currency: Hashable, Sendable, CustomStringConvertible {
  /// The letters, the first one in the highest byte that is used.
  package let packed: UInt32

  /// Creates a currency from its code. Returns nil if the text is not two to four capital ASCII letters.
  public init?(_ code: some StringProtocol) {
    guard 2...4 ~= code.utf8.count, code.utf8.allSatisfy({ 0x41...0x5A ~= $0 }) else { return nil }
    packed = code.utf8.reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// Creates a currency from its packed letters. Returns nil if they are no code.
  package init?(packed: Int64) {
    guard let packed = UInt32(exactly: packed) else { return nil }
    self.init(Self.text(packed))
  }

  /// Creates a currency from letters that `packed` has returned; nil for 0.
  init?(stored packed: UInt32) {
    if packed == 0 { return nil }
    self.packed = packed
  }

  /// The code.
  public var description: String { Self.text(packed) }

  private static func text(_ packed: UInt32) -> String {
    String(decoding: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: packed >> $0) }.drop { $0 == 0 }, as: UTF8.self)
  }
}
