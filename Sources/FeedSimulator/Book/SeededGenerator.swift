/// A SplitMix64 random number generator. Any seed is suitable.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// Returns a hash of a number. Similar numbers have unrelated hashes.
  package static func mix(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Returns a uniformly distributed number in 0 ..< 1.
  package mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  /// Returns a uniformly distributed number in a range.
  package mutating func unit(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// Returns a roughly normally distributed number with mean 0 and standard deviation 1, within ±√12.
  package mutating func bell() -> Double { (unit() + unit() + unit() + unit() - 2) * 1.732 }

  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// Returns a random index in 0 ..< `count`.
  package mutating func index(below count: Int) -> Int { Int(next().multipliedFullWidth(by: UInt64(count)).high) }
}
