package import Localization

/// The options of the simulated feed. The same options give the same book, byte for byte.
package struct SimulatorOptions: Sendable {
  /// The allowed numbers of matches.
  package static let matchRange = 1...20_000
  /// The allowed numbers of odds updates per second.
  package static let rateRange = 0.1...100_000

  /// The number of matches in the book at any moment.
  package let matches: Int
  package let seed: UInt64
  /// The initial number of odds updates per second; see `SimulatedConnector.setRate(_:)`.
  package let rate: Double
  /// The initial time of the book, in milliseconds since 1970. It advances with the book's ticks.
  package let startTime: Int64

  /// Creates options.
  ///
  /// - Throws: `SimulatorOptionsError` if a value is out of range.
  package init(
    matches: Int = 100, seed: UInt64 = 1, rate: Double = 20, startTime: Int64
  ) throws(SimulatorOptionsError) {
    guard Self.matchRange.contains(matches) else { throw .matches(matches) }
    guard Self.rateRange.contains(rate) else { throw .rate(rate) }
    guard startTime >= 0 else { throw .startTime(startTime) }
    self.matches = matches
    self.seed = seed
    self.rate = rate
    self.startTime = startTime
  }
}

/// An option of the simulated feed that is out of range.
package enum SimulatorOptionsError: LocalizedMessageError, Hashable {
  case matches(Int)
  /// A rate outside `rateRange`, or NaN.
  case rate(Double)
  /// A time before 1970.
  case startTime(Int64)

  package var sentence: LocalizedMessage {
    switch self {
    case .matches(let value):
      LocalizedMessage(
        .usageOutOfRange, "matches", "\(value)", "\(SimulatorOptions.matchRange.lowerBound)",
        "\(SimulatorOptions.matchRange.upperBound)")
    case .rate(let value):
      LocalizedMessage(
        .usageRateOutOfRange, "\(value)", "\(SimulatorOptions.rateRange.lowerBound)",
        "\(Int(SimulatorOptions.rateRange.upperBound))")
    case .startTime(let value): LocalizedMessage(.usageStartTime, "\(value)")
    }
  }
}
