import TestSupport

extension SeededRandom {
  /// Returns true with a probability of `share`.
  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}
