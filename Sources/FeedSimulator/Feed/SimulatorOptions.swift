package import Localization

/// What the simulated feed plays. The same options make the same book, to the byte.
package struct SimulatorOptions: Sendable {
  /// How many matches the book holds at any moment.
  package static let matchRange = 1...20_000
  /// Odds updates a second.
  package static let rateRange = 0.1...100_000

  /// How many matches the book holds at any moment.
  package let matches: Int
  /// What every random choice of the book comes from.
  package let seed: UInt64
  /// Odds updates a second at the start; see `SimulatedConnector.setRate(_:)`.
  package let rate: Double
  /// When the book opens, in milliseconds since 1970. From there its time advances with its ticks.
  package let startTime: Int64

  /// Options for a simulated feed, checked.
  package init(matches: Int = 100, seed: UInt64 = 1, rate: Double = 20, startTime: Int64) throws(Invalid) {
    guard Self.matchRange.contains(matches) else { throw .matches(matches) }
    guard Self.rateRange.contains(rate) else { throw .rate(rate) }
    guard startTime >= 0 else { throw .startTime(startTime) }
    self.matches = matches
    self.seed = seed
    self.rate = rate
    self.startTime = startTime
  }
}

extension SimulatorOptions {
  /// An option that is out of range.
  package enum Invalid: LocalizedMessageError, Hashable {
    /// A number of matches outside `matchRange`.
    case matches(Int)
    /// A rate outside `rateRange`, or no number.
    case rate(Double)
    /// A time before 1970.
    case startTime(Int64)

    /// Begins with the option's name; names the value and what to give instead, as they are to be typed.
    package var sentence: LocalizedMessage {
      switch self {
      case .matches(let value):
        LocalizedMessage(
          .usageOutOfRange, "matches", "\(value)", "\(matchRange.lowerBound)", "\(matchRange.upperBound)")
      case .rate(let value):
        LocalizedMessage(.usageRateOutOfRange, "\(value)", "\(rateRange.lowerBound)", "\(Int(rateRange.upperBound))")
      case .startTime(let value): LocalizedMessage(.usageStartTime, "\(value)")
      }
    }
  }
}
