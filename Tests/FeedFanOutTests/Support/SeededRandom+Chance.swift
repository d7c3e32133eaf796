import TestSupport

extension SeededRandom {
  /// Returns true in a share of the cases.
  mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &self) < share }
}
