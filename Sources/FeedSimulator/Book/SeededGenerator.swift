/// SplitMix64: one addition and three mixes a number, and every seed is a good one.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mix(state)
  }

  /// What any number becomes: the same one every time, and near ones nothing alike.
  package static func mix(_ number: UInt64) -> UInt64 {
    var mixed = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Evenly spread over 0 ..< 1.
  package mutating func unit() -> Double {
    Double(next() >> 11) * 0x1p-53
  }

  /// Evenly spread over a range.
  package mutating func unit(in range: ClosedRange<Double>) -> Double {
    range.lowerBound + unit() * (range.upperBound - range.lowerBound)
  }

  /// Bell-shaped around 0 with a standard deviation of 1, never beyond ±√12.
  package mutating func bell() -> Double {
    (unit() + unit() + unit() + unit() - 2) * 1.732
  }

  package mutating func chance(_ probability: Double) -> Bool {
    unit() < probability
  }

  /// An index below a count.
  package mutating func index(below count: Int) -> Int {
    Int(next().multipliedFullWidth(by: UInt64(count)).high)
  }
}
