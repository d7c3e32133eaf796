import ArgumentParser

/// The longest silence of a pipe, written as `off`, `30s`, `5m` or `1h`; a bare number is in seconds.
struct PipeTimeout: ExpressibleByArgument, Hashable, CustomStringConvertible {
  /// The maximum, one day, in seconds.
  private static let limit = 86_400

  private let seconds: Int

  static let off = PipeTimeout(seconds: 0)

  /// The longest silence; nil for no limit.
  var duration: Duration? { seconds == 0 ? nil : .seconds(seconds) }

  private init(seconds: Int) { self.seconds = seconds }

  /// Parses a timeout; nil if the text is no time between a second and a day.
  init?(argument: String) {
    if argument == "off" {
      self = .off
      return
    }
    let units: [Character: Int] = ["s": 1, "m": 60, "h": 3600]
    let unit = argument.last.flatMap { units[$0] }
    let digits = unit == nil ? argument[...] : argument.dropLast()
    guard let count = Int(digits), 1...Self.limit / (unit ?? 1) ~= count else { return nil }
    seconds = count * (unit ?? 1)
  }

  var description: String {
    switch seconds {
    case 0: "off"
    case _ where seconds.isMultiple(of: 3600): "\(seconds / 3600)h"
    case _ where seconds.isMultiple(of: 60): "\(seconds / 60)m"
    default: "\(seconds)s"
    }
  }
}
