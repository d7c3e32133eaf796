/// How a price is written.
public enum OddsFormat: String, Hashable, Sendable, CaseIterable {
  /// What a stake of one brings back: 2.50.
  case decimal
  /// What a stake brings besides itself, by the trade's ladder: 6/4.
  case fractional
  /// What a stake of 100 wins, or with a minus what wins 100: +150, -200.
  case american
  /// What a stake of one wins: 1.50.
  case hongKong = "hong-kong"
  /// As Hong Kong up to evens; above, the stake that wins one, with a minus: -0.67.
  case malay
  /// As American, but for a stake of one: 1.50, -2.00.
  case indonesian
  /// The chance that the price implies, in per cent: 40.0.
  case implied
}
